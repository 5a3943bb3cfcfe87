"""Write the nano base's reading: conversations about made-up services, from the bank of words."""

from pathlib import Path

import click

from canvas import io
from canvas.nano import corpus


@click.command()
@click.argument("bank", type=click.Path(exists=True, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
def main(bank: Path, out: Path) -> None:
    params = io.params("seed", "corpus.rows")
    io.write_rows(out, corpus.rows(params["rows"], params["seed"], corpus.load_bank(bank)))


if __name__ == "__main__":
    main()
