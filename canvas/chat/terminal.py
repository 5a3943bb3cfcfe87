"""The terminal: reads lines and prints; whatever it prints has been made plain."""

import sys
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from datetime import date

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.live import Live
from rich.markdown import Markdown
from rich.padding import Padding
from rich.segment import Segment
from rich.spinner import Spinner
from rich.text import Text

from canvas.agent import CallRecord, Observer
from canvas.chat import words
from canvas.chat.grid import grid
from canvas.chat.plain import one_line, plain
from canvas.chat.week import week
from canvas.toolcall import ToolCall
from canvas.world import WorldView

Unmask = Callable[[str], str]
PROMPT = "you> "


class Terminal:
    """Standard input and output; problems go to standard error.

    Text is never read as rich's markup. Without a terminal nothing moves and nothing is coloured.
    """

    def __init__(self, unmask: Unmask = str):
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            stream.reconfigure(errors="replace")
        plainly = {"markup": False, "emoji": False, "highlight": False}
        self.console = Console(**plainly)
        self._problems = Console(stderr=True, **plainly)
        self.unmask = unmask
        self.asks_a_person = sys.stdin.isatty()
        self._returned: list[str] = []
        if self.asks_a_person:
            import readline  # noqa: F401 - gives `input` line editing and a history

    def read(self, prompt: str = PROMPT) -> str:
        """The next line, stripped. Raises EOFError behind the last one."""
        if self._returned:
            return self._returned.pop()
        line = input(prompt).strip()
        if not self.asks_a_person:
            self.say(line)
        return line

    def unread(self, line: str) -> None:
        """Give a line back: the next `read` returns it."""
        self._returned.append(line)

    def say(self, text: str, style: str = "", indent: int = 0) -> None:
        """Print plain text, all its lines behind `indent` spaces."""
        room = max(self.console.width - indent, 1)
        for line in Text(plain(text), style).wrap(self.console, room):
            self.console.print(Text(" " * indent) + line)

    def line(self, text: str, style: str = "", indent: int = 0) -> None:
        """Print plain text on one line, its end cut where the terminal is too narrow."""
        room = max(self.console.width - indent, 1)
        shown = Text(one_line(text), style)
        shown.truncate(room, overflow="ellipsis")
        self.console.print(Text(" " * indent) + shown)

    def problem(self, text: str) -> None:
        """Print one line about what went wrong."""
        self._problems.print(Text(one_line(text), "red"))

    def answer(self, text: str) -> None:
        """Print what the model says to the student; its Markdown is shown, links are not live."""
        text = plain(self.unmask(text))
        self.console.print(_markdown(text) if self.console.is_terminal else Text(text))

    def week(self, world: WorldView, first: date, agreed: Container[str] = ()) -> None:
        """Print the seven days from `first`, the events with `agreed` ids marked."""
        shown = week(world, first, agreed)
        self.console.print(grid(shown, world.today, self.console.width, self.unmask))

    @contextmanager
    def loading(self) -> Iterator[None]:
        """A sign of life while something is loaded."""
        with Live(Spinner("line", Text(" loading", "dim")), console=self.console, transient=True):
            yield

    @contextmanager
    def working(self) -> Iterator["Progress"]:
        """A sign of life while the agent runs; the observer prints its calls as they come."""
        with Live(console=self.console, transient=True, refresh_per_second=8) as live:
            yield Progress(self, live)


class Progress(Observer):
    """Shows what the agent does: text as it is written, each call with its result in short."""

    def __init__(self, terminal: Terminal, live: Live):
        self._terminal, self._live = terminal, live
        self._written = ""

    def asking(self) -> None:
        self._written = ""
        self._wait("thinking")

    def writing(self, piece: str) -> None:
        self._written += piece
        self._live.update(Tail(_markdown(plain(self._terminal.unmask(self._written)))))

    def said(self, text: str) -> None:
        self._terminal.answer(text)

    def calling(self, call: ToolCall) -> None:
        self._wait(one_line(call.name, 60))

    def called(self, record: CallRecord) -> None:
        terminal = self._terminal
        self._wait("")
        given = words.arguments(record.arguments, terminal.unmask)
        terminal.line(f"* {record.name} {given}", "cyan", indent=2)
        found, fine = words.result(record.result, terminal.unmask)
        shown = (found, "dim") if fine else (f"refused: {found}", "yellow")
        terminal.line(*shown, indent=4)

    def _wait(self, doing: str) -> None:
        self._live.update(Spinner("line", Text(f" {doing}", "dim")))


class Tail:
    """The last lines of something that may be taller than the terminal."""

    def __init__(self, inner: RenderableType):
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = console.render_lines(self._inner, options.update(height=None), pad=False)
        for line in lines[-max(console.height - 2, 1) :]:
            yield from line
            yield Segment.line()


def _markdown(text: str) -> RenderableType:
    """Markdown as shown; a link's address stands beside it instead of behind it."""
    return Padding(Markdown(text, hyperlinks=False), (0, 0, 0, 2))
