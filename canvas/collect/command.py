"""The command `canvas collect`: a student's Canvas to one masked file, if the student agrees."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import click

SHOWN = 12
_PATH = click.Path(path_type=Path)


@click.command(short_help="Your own coursework from Canvas, masked, into one file.")
@click.option("--url", help="Address of your Canvas; else CANVAS_BASE_URL, else you are asked.")
@click.option("--past", is_flag=True, help="Courses that are over, too.")
@click.option("--out", default=Path("data/collab"), show_default=True, type=_PATH)
@click.option(
    "--key",
    default=Path(".canvas-key"),
    show_default=True,
    type=_PATH,
    help="File of your own key, made where there is none.",
)
def collect(url: str | None, past: bool, out: Path, key: Path) -> None:
    """Collect your own coursework from Canvas, masked, into OUT/HANDLE.jsonl.

    Reads courses, assignments, announcements, syllabi and the to-do list. All of it is masked in
    memory; you see what was masked, and nothing is written before you agree. The access token comes
    from CANVAS_TOKEN or a hidden prompt, and is kept nowhere.
    """  # fmt: skip
    from canvas.collect.collector import Collector, contributions
    from canvas.contribute import changes, prepare, save
    from canvas.live.connection import canvas_of
    from canvas.registry import own_key

    collector = Collector(canvas_of(_access(os.environ, url)).requester)
    _gather(lambda: collector.run(past=past))
    for part in collector.closed:
        click.echo(f"not open to you, left out: {part}", err=True)
    rows, faults = contributions(collector.rows())
    for fault in faults:
        click.echo(f"left out: {fault}", err=True)
    masked = prepare(rows, faults, own_key(key))
    ((handle, kept),) = masked.rows.items()
    _show(changes(rows, masked), masked.counts, len(kept))
    if not click.confirm(f"Save these {len(kept)} rows as {out / handle}.jsonl?", default=False):
        click.echo("Nothing was saved.")
        return
    for path, count in save(masked, out).items():
        click.echo(f"{path}: {count} rows. Read it before you share it, and never share {key}.")


def _access(environ: Mapping[str, str], url: str | None) -> dict[str, str]:
    """Address and token as `canvas_of` reads them, asked for where they are not set."""
    address = url or environ.get("CANVAS_BASE_URL") or click.prompt("Address of your Canvas")
    token = environ.get("CANVAS_TOKEN") or click.prompt(
        "Access token (Canvas: Account, Settings, New Access Token)", hide_input=True
    )
    return {"CANVAS_BASE_URL": address, "CANVAS_TOKEN": token}


def _gather(run: Callable) -> None:
    """Run to the end; after a failure ask whether to go on where it stopped."""
    from canvas.tools.base import ToolError

    while True:
        try:
            for part in run():
                click.echo(f"asking for {part}", err=True)
            return
        except ToolError as error:
            click.echo(f"{error}.", err=True)
        if not click.confirm("Go on where it stopped?", default=True):
            raise click.Abort


def _show(changed: list[tuple[str, str]], counts: dict[str, int], rows: int) -> None:
    listed = ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "nothing"
    click.echo(f"\n{rows} rows. Masked: {listed}; all dates and terms shifted. Some of it:")
    for before, after in changed[:SHOWN]:
        click.echo(f"  - {_short(before)}\n  + {_short(after)}")
    if len(changed) > SHOWN:
        click.echo(f"  … and {len(changed) - SHOWN} more texts; the file has all of them.")


def _short(text: str, most: int = 160) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
