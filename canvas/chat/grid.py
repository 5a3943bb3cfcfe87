"""A week as a table: a column for each day where there is room, else one line an entry."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from canvas.chat.plain import one_line
from canvas.chat.week import Entry

WIDE = 110
"""Characters from which on seven columns are readable."""

# Signs beside the colours: not every terminal, printer or eye has those.
_SIGNS = {"event": " ", "agreed": "*", "new": "+", "old": "-", "due": "!", "done": "✓"}
_STYLES = {
    "event": "",
    "agreed": "green",
    "new": "bold green",
    "old": "red strike",
    "due": "yellow",
    "done": "dim",
}
_MEANINGS = {
    "agreed": "agreed to",
    "new": "proposed",
    "old": "to go if you agree",
    "due": "due",
    "done": "handed in",
}


def grid(
    week: Mapping[date, Sequence[Entry]], today: date, width: int, unmask: Callable[[str], str]
) -> RenderableType:
    """The table for a terminal of `width` characters; `unmask` turns tokens into names."""
    table = _columns(week, today, unmask) if width >= WIDE else _lines(week, today, unmask)
    marks = {entry.mark for entries in week.values() for entry in entries}
    legend = [f"{_SIGNS[mark]} {what}" for mark, what in _MEANINGS.items() if mark in marks]
    return Group(table, Text("   ".join(legend), style="dim")) if legend else table


def _columns(
    week: Mapping[date, Sequence[Entry]], today: date, unmask: Callable[[str], str]
) -> Table:
    table = Table(box=box.SIMPLE_HEAD, expand=True, padding=(0, 1, 0, 0))
    for day in week:
        table.add_column(_heading(day, today), ratio=1, overflow="fold")
    table.add_row(*(_cell(entries, unmask) for entries in week.values()))
    return table


def _cell(entries: Sequence[Entry], unmask: Callable[[str], str]) -> Text:
    parts = [
        Text(f"{_SIGNS[e.mark]} {_times(e)}".strip() + f"\n{_title(e, unmask)}", _STYLES[e.mark])
        for e in entries
    ]
    return Text("\n").join(parts)


def _lines(
    week: Mapping[date, Sequence[Entry]], today: date, unmask: Callable[[str], str]
) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for day, entries in week.items():
        heading = _heading(day, today)
        for entry in entries:
            style = _STYLES[entry.mark]
            times = Text(f"{_SIGNS[entry.mark]} {_times(entry)}", style)
            table.add_row(heading, times, Text(_title(entry, unmask), style))
            heading = Text()
        if not entries:
            table.add_row(heading, Text("  free", "dim"), Text())
    return table


def _heading(day: date, today: date) -> Text:
    return Text(f"{day:%a} {day.day} {day:%b}", "bold reverse" if day == today else "bold")


def _times(entry: Entry) -> str:
    return f"{entry.start:%H:%M}" + (f"-{entry.end:%H:%M}" if entry.end else "")


def _title(entry: Entry, unmask: Callable[[str], str]) -> str:
    return one_line(unmask(entry.title))
