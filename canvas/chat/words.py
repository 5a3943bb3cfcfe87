"""Words for what the agent does: calls, results, proposals, each on one line."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from canvas.chat.plain import one_line
from canvas.chat.week import changed, created
from canvas.world import Event, WorldView

Unmask = Callable[[str], str]


def arguments(values: dict[str, Any], unmask: Unmask) -> str:
    """`start=2026-03-04, minutes=30`."""
    return one_line(unmask(", ".join(f"{key}={_value(value)}" for key, value in values.items())))


def result(text: str, unmask: Unmask) -> tuple[str, bool]:
    """A result (JSON text) in short, and whether it is one, not an error."""
    found = json.loads(text)
    if "error" in found:
        return one_line(unmask(str(found["error"]))), False
    parts = [_counted(key, value) for key, value in found.items() if value is not None]
    return one_line(unmask(", ".join(parts))), True


def proposal(wanted: dict[str, Any], world: WorldView, unmask: Unmask) -> str:
    """`add "Deep Work", Wed 4 Mar 2026, 18:00 to 19:00`; what changes stands behind `to`."""
    if wanted["action"] == "create":
        return one_line(unmask(f"add {_event(created(wanted, world))}"))
    event = world.event(wanted["event"])
    if event is None:
        return one_line(f"{wanted['action']} {wanted['event']}, which is gone")
    if wanted["action"] == "delete":
        return one_line(unmask(f"delete {_event(event)}"))
    return one_line(unmask(f"change {_event(event)} to {_event(changed(event, wanted, world))}"))


def day(moment: datetime) -> str:
    """`Wed 4 Mar 2026`."""
    return f"{moment:%a} {moment.day} {moment:%b %Y}"


def _event(event: Event) -> str:
    end = event.end
    until = f"{end:%H:%M}" if end.date() == event.start.date() else f"{day(end)}, {end:%H:%M}"
    # A quote inside could end the title early and state another time.
    title = event.title.replace('"', "'")
    return f'"{title}", {day(event.start)}, {event.start:%H:%M} to {until}'


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _counted(key: str, value: Any) -> str:
    """`3 assignments: A, B, C`, or `score 91.5`."""
    if not isinstance(value, list):
        return f"{key} {_value(value)}"
    names = ", ".join(filter(None, map(_name, value)))
    kind = key.removesuffix("s") if len(value) == 1 and key.endswith("s") else key
    return f"{len(value)} {kind}: {names}" if names else f"{len(value)} {kind}"


def _name(item: Any) -> str:
    """What an item of a list is called: its title, else its first value."""
    if isinstance(item, dict):
        return _value(item.get("title") or next(iter(item.values()), ""))
    return _value(item)
