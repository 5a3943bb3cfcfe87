"""The commands `canvas chat` and `canvas plan`."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

_FILE = click.Path(dir_okay=False, path_type=Path)
_OPTIONS = (
    click.option(
        "--model",
        metavar="NAME",
        help="A GGUF file or a checkpoint's folder; with --endpoint, what the server calls it. "
        "Without: the nano model of `make repro`.",
    ),
    click.option("--endpoint", metavar="URL", help="An OpenAI-compatible server to ask."),
    click.option(
        "--calendar", metavar="PLACE", help="The calendar to plan in: an .ics file or a CalDAV URL."
    ),
    click.option("--demo", type=int, metavar="SEED", help="Plan for the made-up student SEED."),
    click.option("--ics", type=_FILE, metavar="FILE", help="Write the planned events to FILE."),
    click.option(
        "--yes",
        is_flag=True,
        help="Add events without asking. Changes and deletions are never covered.",
    ),
    click.option(
        "--remember",
        type=click.IntRange(1),
        metavar="N",
        help="Earlier exchanges that the model sees.  [default: 20; 1 for a nano model]",
    ),
    click.option(
        "--context",
        default=4096,
        show_default=True,
        type=click.IntRange(512),
        metavar="N",
        help="Tokens that a local model holds.",
    ),
    click.option(
        "--max-tokens",
        default=512,
        show_default=True,
        type=click.IntRange(16),
        metavar="N",
        help="Tokens of one turn of the model.",
    ),
    click.option(
        "--threads",
        default=2,
        show_default=True,
        type=click.IntRange(1),
        metavar="N",
        help="Processor threads of a local model.",
    ),
)


def _talking(command: Callable) -> Callable:
    """The options that both commands share."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@contextmanager
def _in_one_line() -> Iterator[None]:
    """Whatever goes wrong as one line with a remedy; with CANVAS_DEBUG set, as Python shows it."""
    try:
        yield
    except (click.ClickException, click.Abort, BrokenPipeError):
        raise
    except ModuleNotFoundError as error:
        raise _Failure(f"{error.name} is not installed. To do: `make setup`") from error
    except Exception as error:
        raise _Failure(_told(error)) from error


class _Failure(click.ClickException):
    def show(self, file: IO | None = None) -> None:
        if os.environ.get("CANVAS_DEBUG"):
            raise self.__cause__
        super().show(file)


def _told(error: Exception) -> str:
    from canvas.chat.plain import one_line
    from canvas.tools.base import ToolError

    if isinstance(error, ToolError | OSError):
        return one_line(str(error))
    what = one_line(f"{type(error).__name__}: {error}", 200)
    return f"a fault of canvas itself ({what}). To do: report it; CANVAS_DEBUG=1 shows where"


@click.command()
@_talking
def chat(**options) -> None:
    """Plan your week in a conversation.

    The agent reads Canvas (CANVAS_BASE_URL, CANVAS_TOKEN) and your calendar (--calendar; its server
    is told CALDAV_USERNAME and CALDAV_PASSWORD). What it wants to add, change or delete it only
    proposes: nothing is done before you say yes. Without Canvas and calendar it plans for a made-up
    student. A key for --endpoint is read from OPENAI_API_KEY.
    """
    with _in_one_line():
        from canvas.chat.opening import opened

        with opened(**options) as dialogue:
            dialogue.run()


@click.command()
@click.argument("request", nargs=-1, required=True)
@_talking
def plan(request: tuple[str, ...], **options) -> None:
    """Answer one REQUEST and print the plan.

    Nothing is changed, unless --yes adds the planned events to the calendar; --ics writes them to a
    file of their own. Changes and deletions are only printed: `canvas chat` asks about them.
    """
    with _in_one_line():
        from canvas.chat.opening import opened

        with opened(**options) as dialogue:
            answered = dialogue.plan(" ".join(request))
    raise SystemExit(0 if answered else 1)
