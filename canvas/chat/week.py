"""The week as the student will see it: events, what is proposed, what is due."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from canvas import clock
from canvas.world import Event, WorldView
from canvas.world.state import day_bounds

DAYS = 7
Mark = Literal["event", "agreed", "new", "old", "due", "done"]


@dataclass(frozen=True)
class Entry:
    """One line of a day: [start, end) or a due time (end None).

    `mark` is `event`, `agreed` (as of this conversation), `new` (proposed), `old` (proposed to go),
    `due` or `done` (handed in).
    """

    start: datetime
    end: datetime | None
    title: str
    mark: Mark


def week(world: WorldView, first: date, agreed: Container[str] = ()) -> dict[date, list[Entry]]:
    """Entries of the seven days from `first`, soonest first; one that spans midnight is on both.

    `agreed` are the ids of events to mark so.
    """
    days = [first + timedelta(days=number) for number in range(DAYS)]
    zone = world.now.tzinfo
    entries = [*_events(world, agreed, *day_bounds(days[0], days[-1], zone)), *_due(world, days)]
    shown = {day: [e for e in entries if _falls_on(e, *day_bounds(day, day, zone))] for day in days}
    return {
        day: sorted(found, key=lambda entry: (entry.start.timestamp(), entry.title))
        for day, found in shown.items()
    }


def created(proposal: dict, world: WorldView) -> Event:
    """The event that a `create` proposal would add."""
    start = clock.parse_time(proposal["start"], world.now.tzinfo)
    return Event(proposal["event"], proposal["title"], start, proposal["minutes"])


def changed(event: Event, proposal: dict, world: WorldView) -> Event:
    """The event as a `modify` proposal would leave it."""
    start = proposal.get("start")
    return Event(
        event.event,
        proposal.get("title", event.title),
        clock.parse_time(start, world.now.tzinfo) if start else event.start,
        proposal.get("minutes", event.minutes),
    )


def first_day(world: WorldView) -> date:
    """The day of the first event that is proposed, today where there is none."""
    marks = (p for p in world.proposals if p["action"] != "delete" and "start" in p)
    starts = [clock.parse_time(p["start"], world.now.tzinfo).date() for p in marks]
    return min(starts, default=world.today)


def _events(
    world: WorldView, agreed: Container[str], start: datetime, end: datetime
) -> Iterator[Entry]:
    marks = {p["event"]: "new" if p["action"] == "create" else "old" for p in world.proposals}
    for event in world.events_between(start, end):
        settled = "agreed" if event.event in agreed else "event"
        yield _entry(event, marks.get(event.event, settled))
    for proposal in world.proposals:
        event = world.event(proposal["event"]) if proposal["action"] == "modify" else None
        if event and (moved := changed(event, proposal, world)).overlaps(start, end):
            yield _entry(moved, "new")


def _entry(event: Event, mark: Mark) -> Entry:
    return Entry(event.start, event.end, event.title, mark)


def _due(world: WorldView, days: Sequence[date]) -> Iterator[Entry]:
    for item in world.due_between(*day_bounds(days[0], days[-1], world.now.tzinfo)):
        title = f"{item.title} {item.course}"
        yield Entry(item.due, None, title, "done" if item.done else "due")


def _falls_on(entry: Entry, start: datetime, end: datetime) -> bool:
    """Whether the entry shares time with the day [start, end); a due time is a moment."""
    last = entry.end or entry.start
    begins, ends = entry.start.timestamp(), last.timestamp()
    inside = start.timestamp() <= begins < end.timestamp()
    return inside or begins < start.timestamp() < ends
