"""Audit, the gate: reads contributions and all data made of them; training waits for it.

On success it writes a constant file; on any finding it prints file:line, field, kind, a masked
excerpt and what to do, and exits with 1.
"""

import sys
from pathlib import Path

import click

from canvas import io
from canvas.audit.finding import digest
from canvas.audit.gate import Data, run
from canvas.audit.report import document, markdown
from canvas.registry import Registry

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_EITHER = click.Path(exists=True, path_type=Path)
_OUT = click.Path(path_type=Path)


@click.command()
@click.argument("collab", type=_FOLDER)
@click.argument("splits", type=_FOLDER)
@click.argument("scenarios", type=_FOLDER)
@click.argument("planted", type=_FILE)
@click.argument("key", type=_FILE)
@click.argument("metrics", type=_OUT)
@click.argument("ok", type=_OUT)
@click.option("--corpus", multiple=True, type=_EITHER, help="Texts that hold no token but ours.")
@click.option("--sessions", multiple=True, type=_EITHER, help="Texts about simulated worlds.")
@click.option(
    "--report",
    default=Path(".scratch/audit.txt"),
    show_default=True,
    type=_OUT,
    help="All findings, one a line; beside it a Markdown file with some of each kind.",
)
def main(
    collab: Path,
    splits: Path,
    scenarios: Path,
    planted: Path,
    key: Path,
    metrics: Path,
    ok: Path,
    corpus: tuple[Path, ...],
    sessions: tuple[Path, ...],
    report: Path,
) -> None:
    """Audit COLLAB, SPLITS and what the options name.

    SCENARIOS are what must not be learned, PLANTED the canaries of the sample, KEY its public key.
    Writes METRICS always, OK only where nothing was found.
    """  # fmt: skip
    ok.unlink(missing_ok=True)
    key_id = Registry.load(key).key_id
    data = Data(collab, splits, corpus, sessions, scenarios, io.read_json(planted), key_id)
    findings, counts = run(data)
    io.write_json(metrics, counts)
    write_text(report, "".join(f"{finding}\n" for finding in findings))
    io.write_json(report.with_suffix(".json"), document(findings, counts))
    write_text(report.with_suffix(".md"), markdown(findings, counts))
    if findings:
        click.echo("\n".join(digest(findings)), err=True)
        click.echo(f"audit: {len(findings)} findings, all in {report}", err=True)
        sys.exit(1)
    write_text(ok, "audited\n")


def write_text(path: Path, text: str) -> None:
    """Write a text atomically; what UTF-8 cannot hold as question marks."""
    with io.atomic_file(path) as scratch:
        scratch.write_text(text, encoding="utf-8", errors="replace")


if __name__ == "__main__":
    main()
