"""Quantise one method's f16 GGUF file; reads it and held-out rows, writes six files and metrics."""

from pathlib import Path

import click

from canvas import io


@click.command()
@click.argument("method")
@click.argument("original", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("rows", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("metrics", type=click.Path(path_type=Path))
def main(method: str, original: Path, rows: Path, folder: Path, metrics: Path) -> None:
    """Write ORIGINAL, the model of METHOD, in six types to FOLDER; bytes and KL to METRICS."""
    tokens = io.params("quantize.kl_tokens")["kl_tokens"]
    from canvas.gguf.divergence import mean_kl, sample
    from canvas.gguf.quantize import TYPES, fallbacks, quantize
    from canvas.llama import Model

    files = {kind: folder / f"{kind}.gguf" for kind in TYPES}
    for kind, path in files.items():
        quantize(original, path, kind)
    distances = mean_kl(original, files, sample(Model(original), io.read_rows(rows), tokens))
    sizes = {kind: path.stat().st_size for kind, path in files.items()}
    legacy = {kind: fallbacks(path, kind) for kind, path in files.items()}
    for kind, names in legacy.items():
        for name, stored in names.items():
            click.echo(f"{method} {kind}: {name} has no rows of 256, stored as {stored}", err=True)
    io.write_json(
        metrics,
        {
            kind: {"bytes": sizes[kind], "kl_mean": distances[kind], "fallback": legacy[kind]}
            for kind in TYPES
        },
    )


if __name__ == "__main__":
    main()
