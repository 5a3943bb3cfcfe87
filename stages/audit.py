"""Audit, the gate: reads contributions, clean data, splits and base text; training waits for it.

On success it writes a constant file; on any finding it prints file:line, field, kind, a masked
excerpt and what to do, and exits with 1.
"""

import sys
from pathlib import Path

import click

from canvas import io
from canvas.audit.finding import digest
from canvas.audit.gate import Data, run
from canvas.registry import Registry

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("collab", type=_FOLDER)
@click.argument("clean", type=_FOLDER)
@click.argument("splits", type=_FOLDER)
@click.argument("base", type=_FOLDER)
@click.argument("scenarios", type=_FOLDER)
@click.argument("planted", type=_FILE)
@click.argument("key", type=_FILE)
@click.argument("metrics", type=click.Path(path_type=Path))
@click.argument("ok", type=click.Path(path_type=Path))
@click.option(
    "--report",
    default=Path(".scratch/audit.txt"),
    show_default=True,
    type=click.Path(path_type=Path),
    help="All findings, one a line; fewer of each kind are printed.",
)
def main(
    collab: Path,
    clean: Path,
    splits: Path,
    base: Path,
    scenarios: Path,
    planted: Path,
    key: Path,
    metrics: Path,
    ok: Path,
    report: Path,
) -> None:
    """Audit COLLAB, CLEAN, SPLITS, BASE against SCENARIOS, PLANTED canaries and the sample's KEY.

    Writes METRICS always, OK only where nothing was found.
    """
    ok.unlink(missing_ok=True)
    key_id = Registry.load(key).key_id
    data = Data(collab, clean, splits, base, scenarios, io.read_json(planted), key_id)
    findings, counts = run(data)
    io.write_json(metrics, counts)
    with io.atomic_file(report) as scratch:
        scratch.write_text("".join(f"{finding}\n" for finding in findings), encoding="utf-8")
    if findings:
        click.echo("\n".join(digest(findings)), err=True)
        click.echo(f"audit: {len(findings)} findings, all in {report}", err=True)
        sys.exit(1)
    with io.atomic_file(ok) as scratch:
        scratch.write_text("audited\n", encoding="utf-8")


if __name__ == "__main__":
    main()
