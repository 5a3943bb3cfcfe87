"""Make the start model: the packed nano base, one grown from nothing, or a checkpoint."""

from pathlib import Path

import click

from canvas import io


@click.command()
@click.argument("text", type=click.Path(exists=True, path_type=Path))
@click.argument("sessions", type=click.Path(exists=True, path_type=Path))
@click.argument("pretrained", type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--grow", is_flag=True, help="Grow the nano base and pack it into PRETRAINED first.")
def main(text: Path, sessions: Path, pretrained: Path, out: Path, grow: bool) -> None:
    base = io.params("base")["base"]
    source = "grown" if grow else base["source"]
    with io.atomic_dir(out) as scratch:
        if source == "checkpoint":
            from canvas.checkpoint import fetch

            fetch(base["checkpoint"], base["revision"], scratch)
        elif source == "grown":
            from canvas.nano.growth import grow_base

            grow_base(io.read_rows(text / "text.jsonl"), io.read_rows(sessions), base, scratch)
        elif source == "packed":
            from canvas.nano.growth import source_of, unpack

            unpack(pretrained, scratch, source_of(text / "text.jsonl", base))
        else:
            raise io.BadInput(
                "params.yaml",
                f"{source!r} is not packed, grown or checkpoint",
                field="base.source",
                remedy="use one of the three",
            )
    if grow:
        from canvas.nano.growth import pack, source_of

        pack(out, pretrained, source_of(text / "text.jsonl", base))


if __name__ == "__main__":
    main()
