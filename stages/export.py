"""Write one method's model as an f16 GGUF file; reads its folder (and the base of an adapter)."""

from pathlib import Path

import click

from canvas import io


@click.command()
@click.argument("method")
@click.argument("model", type=click.Path(exists=True, path_type=Path))
@click.argument("base", type=click.Path(exists=True, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
def main(method: str, model: Path, base: Path, out: Path) -> None:
    """Write MODEL, the result of METHOD, to OUT. An adapter is merged into BASE first."""
    from canvas.gguf.export import export

    with io.atomic_file(out) as scratch:
        export(model, base, scratch, f"canvas-calendar-agent-{method}")


if __name__ == "__main__":
    main()
