"""Calendar tools: read events, find free time, create events, propose changes to existing ones."""

from datetime import datetime

from canvas import clock
from canvas.tools.base import (
    INTEGER,
    MAX_MINUTES,
    STRING,
    ToolError,
    between,
    bounds,
    day,
    days_of,
    known_event,
    moment,
    title_of,
    tool,
)
from canvas.world import Event, WorldView

# Free time is looked for in these wall-clock minutes of a day; a block starts on a grid of 5.
OPENS, CLOSES, GRID = 8 * 60, 22 * 60, 5


def list_events(world: WorldView, start: str, end: str) -> dict:
    """Events that touch the days from `start` to `end`, both included."""
    found = world.events_between(*bounds(world, *days_of(start, end)))
    return {"events": [_shown(event) for event in found]}


def find_free_blocks(world: WorldView, date: str, minutes: int) -> dict:
    """Every gap of at least `minutes` between 08:00 and 22:00 of one day, from now on."""
    wanted = day("date", date)
    between("minutes", minutes, 1, MAX_MINUTES)
    if wanted < world.today:
        raise ToolError(f"date is past; today is {world.today}")
    zone = world.now.tzinfo
    opens, closes = clock.at(wanted, OPENS, zone), clock.at(wanted, CLOSES, zone)
    gaps = free_gaps(world, max(opens, _on_grid(world.now), key=datetime.timestamp), closes)
    return {
        "free": [
            {"start": clock.show(start), "end": clock.show(end)}
            for start, end in gaps
            if clock.minutes_between(start, end) >= minutes
        ]
    }


def free_gaps(
    world: WorldView, opens: datetime, closes: datetime
) -> list[tuple[datetime, datetime]]:
    """The parts of [opens, closes) that no event covers, in order."""
    gaps, free_from = [], opens
    for event in world.busy_between(opens, closes) if opens < closes else ():
        if free_from.timestamp() < event.start.timestamp():
            gaps.append((free_from, event.start))
        free_from = max(free_from, event.end, key=datetime.timestamp)
    if free_from.timestamp() < closes.timestamp():
        gaps.append((free_from, closes))
    return gaps


def create_event(world: WorldView, title: str, start: str, minutes: int) -> dict:
    """Add an event; refused in the past and where it would overlap another."""
    title, begins = title_of(title), _future(world, start)
    between("minutes", minutes, 1, MAX_MINUTES)
    _refuse_conflict(world, begins, minutes)
    return _shown(world.add_event(title, begins, minutes))


def modify_event(
    world: WorldView,
    event: str,
    start: str | None = None,
    minutes: int | None = None,
    title: str | None = None,
) -> dict:
    """Propose a new start, length or title; the event itself stays as it is."""
    old = known_event(world, event)
    changes: dict = {}
    if start is not None:
        changes["start"] = clock.show(_future(world, start))
    if minutes is not None:
        between("minutes", minutes, 1, MAX_MINUTES)
        changes["minutes"] = minutes
    if title is not None:
        changes["title"] = title_of(title)
    new = {**_shown(old), **changes}
    if new == _shown(old):
        raise ToolError("nothing would change; give a new start, minutes or title")
    if "start" in changes or "minutes" in changes:
        _refuse_conflict(world, moment(world, "start", new["start"]), new["minutes"], ignore=old)
    _propose(world, {"action": "modify", "event": event, **changes})
    return {"proposed": "modify", **new}


def delete_event(world: WorldView, event: str) -> dict:
    """Propose to delete an event; the event itself stays."""
    old = known_event(world, event)
    _propose(world, {"action": "delete", "event": event})
    return {"proposed": "delete", "event": event, "title": old.title}


def _propose(world: WorldView, proposal: dict) -> None:
    if proposal in world.proposals:
        raise ToolError("this is already proposed; the student decides")
    world.propose(proposal)


def _shown(event: Event) -> dict:
    return event.to_dict()


def _on_grid(now: datetime) -> datetime:
    return clock.plus(now, -now.minute % GRID)


def _future(world: WorldView, start: str) -> datetime:
    begins = moment(world, "start", start)
    if begins.timestamp() < world.now.timestamp():
        raise ToolError(f"start is past; now is {clock.show(world.now)}")
    return begins


def _refuse_conflict(
    world: WorldView, start: datetime, minutes: int, ignore: Event | None = None
) -> None:
    for event in world.busy_between(start, clock.plus(start, minutes)):
        if event != ignore:
            raise ToolError(
                f"conflict with {event.event} {event.title}, "
                f"{clock.show(event.start)} for {event.minutes} minutes"
            )


_SPAN = {"start": STRING, "end": STRING}
TOOLS = (
    tool(list_events, "calendar.list_events", "Calendar events between two dates.", _SPAN),
    tool(
        find_free_blocks,
        "calendar.find_free_blocks",
        "Free time of a day, at least some minutes long.",
        {"date": STRING, "minutes": INTEGER},
    ),
    tool(
        create_event,
        "calendar.create_event",
        "Add an event; start like 2026-03-04T14:00.",
        {"title": STRING, "start": STRING, "minutes": INTEGER},
    ),
    tool(
        modify_event,
        "calendar.modify_event",
        "Propose a new start, length or title of an event.",
        {"event": STRING, "start": STRING, "minutes": INTEGER, "title": STRING},
        optional=("start", "minutes", "title"),
    ),
    tool(
        delete_event,
        "calendar.delete_event",
        "Propose to delete an event.",
        {"event": STRING},
    ),
)
