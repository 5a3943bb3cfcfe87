"""Command line: `canvas COMMAND …`, also `python -m canvas`."""

from pathlib import Path

import click

from canvas import __version__
from canvas.benchmark.command import compare, scenarios, score
from canvas.chat.command import chat, plan
from canvas.collect.command import collect

_SHOWN = 20
_EXPORT = click.Path(exists=True, dir_okay=False, path_type=Path)
_PATH = click.Path(path_type=Path)


class _InOrder(click.Group):
    """Lists commands in the order in which they were added: what most want first."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=_InOrder, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="canvas")
def main() -> None:
    """Plan study time with a small agent; give it coursework to learn from, masked before."""


for command in (chat, plan, scenarios, score, compare, collect):
    main.add_command(command)
main.add_command(scenarios)
main.add_command(score)
main.add_command(compare)


@main.command(short_help="Mask raw exports, one file for each contributor.")
@click.argument("files", nargs=-1, required=True, type=_EXPORT)
@click.option("--out", default=Path("data/collab"), show_default=True, type=_PATH)
@click.option(
    "--key",
    default=Path(".canvas-key"),
    show_default=True,
    type=_PATH,
    help="File of your own key, made where there is none.",
)
def mask(files: tuple[Path, ...], out: Path, key: Path) -> None:
    """Mask raw exports FILES into OUT/HANDLE.jsonl, one file for each contributor.

    Course codes, ids, names and contacts become tokens under your own key, dates move by a secret
    number of weeks. Bad rows are named and left out. Nothing is written while the audit would still
    find an identifier.
    """
    from canvas.contribute import contribute
    from canvas.registry import own_key

    done = contribute(files, out, own_key(key))
    for fault in done.faults[:_SHOWN]:
        click.echo(f"left out: {fault}", err=True)
    if len(done.faults) > _SHOWN:
        click.echo(f"left out: {len(done.faults) - _SHOWN} more bad rows", err=True)
    for path, count in done.written.items():
        click.echo(f"{path}: {count} rows")
    click.echo(f"masked: {_listed(done.counts) or 'nothing'}; all dates shifted")
    if done.dropped:
        click.echo(f"dropped, as no policy covers them: {_listed(done.dropped)}")
    click.echo(f"Read the file before you share it, and never share {key}.")


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())
