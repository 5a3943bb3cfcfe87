"""Record sessions of the oracle: reads training wordings, writes one row a session (JSON Lines)."""

from pathlib import Path

import click

from canvas import io, wordings
from canvas.sessions import rows


@click.command()
@click.argument("wording_file", type=click.Path(exists=True, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
def main(wording_file: Path, out: Path) -> None:
    """Write `sessions.rows` rows worded by WORDING_FILE to OUT."""
    params = io.params("seed", "sessions.rows", "sessions.tools_min", "sessions.tools_max")
    size = (params["tools_min"], params["tools_max"])
    io.write_rows(out, rows(params["rows"], params["seed"], wordings.read(wording_file), size))


if __name__ == "__main__":
    main()
