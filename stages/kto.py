"""Build KTO rows: reads clean sessions, writes desirable and undesirable calls."""

from pathlib import Path

import click

from canvas import io, kto


@click.command()
@click.argument("sessions", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
def main(sessions: Path, out: Path) -> None:
    """Turn SESSIONS into one row a call in OUT."""
    params = io.params("kto.keep_desirable")
    io.write_rows(out, kto.build(io.read_rows(sessions), **params))


if __name__ == "__main__":
    main()
