"""Build SFT rows: reads clean sessions, writes rows that round-trip and what was quarantined."""

from pathlib import Path

import click

from canvas import io, trajectory


@click.command()
@click.argument("sessions", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
def main(sessions: Path, out: Path) -> None:
    """Turn the passing SESSIONS into OUT/rows.jsonl and OUT/quarantine.jsonl."""
    rows, quarantine = trajectory.build(io.read_rows(sessions))
    with io.atomic_dir(out) as scratch:
        io.write_rows(scratch / "rows.jsonl", rows)
        io.write_rows(scratch / "quarantine.jsonl", quarantine)
    if quarantine:
        first = quarantine[0]
        click.echo(
            f"{len(quarantine)} sessions quarantined in {out / 'quarantine.jsonl'}, "
            f"first {first['session']}: {first['reason']}",
            err=True,
        )


if __name__ == "__main__":
    main()
