"""Export: the events that the student agreed to, as an iCalendar file (RFC 5545)."""

import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from canvas import io
from canvas.world import Event

PRODUCT = "-//Canvas Calendar Agent//plan//EN"


def write(path: Path, events: Iterable[Event]) -> int:
    """Write the events to `path`, whole or not at all; returns how many there are.

    A title and start always get the same UID, so importing a plan twice makes nothing double.
    Raises BadInput where `path` is there and is no earlier export: it may be the only copy of a
    calendar.
    """
    from icalendar import Calendar

    check(path)
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    ordered = sorted(events, key=lambda event: (event.start.timestamp(), event.title))
    for event in ordered:
        calendar.add_component(_component(event))
    with io.atomic_file(path) as scratch:
        scratch.write_bytes(calendar.to_ical())
    return len(ordered)


def check(path: Path) -> None:
    """Raise BadInput where an export to `path` would destroy something or cannot be written."""
    if path.is_dir():
        raise io.BadInput(path, "a folder", remedy="name a file, such as plan.ics")
    if not path.absolute().parent.is_dir():
        raise io.BadInput(path, "its folder is not there", remedy="make it, or choose another")
    if path.exists() and PRODUCT.encode() not in path.read_bytes()[:4096]:
        raise io.BadInput(
            path,
            "there already, and not written by an export",
            remedy="choose another name; --calendar plans in an existing calendar",
        )


def _component(event: Event):
    from icalendar import Event as Component

    start, end = event.start.astimezone(UTC), event.end.astimezone(UTC)
    component = Component()
    component.add("uid", str(uuid.uuid5(uuid.NAMESPACE_OID, f"{start.isoformat()} {event.title}")))
    component.add("dtstamp", datetime.now(UTC))
    component.add("dtstart", start)
    component.add("dtend", end)
    component.add("summary", event.title)
    return component
