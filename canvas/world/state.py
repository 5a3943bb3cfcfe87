"""World: a simulated Canvas and calendar with a frozen clock; the only state the tools change."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from typing import Any

from canvas import clock
from canvas.world.facts import STATUSES, TYPES, Announcement, Assignment, Course, Event

_LISTS = {
    "courses": Course,
    "assignments": Assignment,
    "announcements": Announcement,
    "events": Event,
}


@dataclass
class World:
    """Facts are fixed; `events` grows by create_event, `proposals` by modify and delete."""

    now: datetime
    courses: list[Course] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    announcements: list[Announcement] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    proposals: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Raises ValueError where ids or titles repeat, or a record names an unknown course."""
        self.now = clock.localize(self.now)
        known = {course.course for course in self.courses}
        _unique("course", (course.course for course in self.courses))
        _unique("event", (event.event for event in self.events))
        _unique("title", (normal(item.title) for item in self.assignments))
        for record in (*self.assignments, *self.announcements):
            if record.course not in known:
                raise ValueError(f"{record.title!r}: unknown course {record.course!r}")
        for item in self.assignments:
            _one_of(item.title, "type", item.type, TYPES)
            _one_of(item.title, "status", item.status, STATUSES)
            if item.points < 0:
                raise ValueError(f"{item.title!r}: points must not be negative")
        for event in self.events:
            if event.minutes < 1:
                raise ValueError(f"{event.title!r}: minutes must be positive")

    @classmethod
    def generate(cls, seed: int | str, **sizes: tuple[int, int]) -> "World":
        """A seeded world; `canvas.world.generate.generate` names the sizes."""
        from canvas.world.generate import generate

        return generate(seed, **sizes)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "World":
        """A world from `now` and lists of records, as `to_dict` writes them or YAML states them.

        Raises ValueError that names the record, the field and the reason.
        """
        unknown = sorted(set(map(str, values)) - {"now", "proposals", *_LISTS})
        if unknown or "now" not in values:
            raise ValueError(f"World: unknown field {unknown[0]!r}" if unknown else "World: no now")
        now = values["now"]
        lists = {
            key: [record.from_dict(row) for row in values.get(key, ())]
            for key, record in _LISTS.items()
        }
        return cls(
            now=now if isinstance(now, datetime) else clock.parse_time(now),
            proposals=[dict(row) for row in values.get("proposals", ())],
            **lists,
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-able; `from_dict` reads it back to an equal world."""
        lists = {key: [record.to_dict() for record in getattr(self, key)] for key in _LISTS}
        return {"now": clock.show(self.now), **lists, **self.snapshot()}

    @property
    def today(self) -> date:
        """The local date of the frozen clock."""
        return self.now.date()

    def course(self, token: str) -> Course | None:
        """The course with this token."""
        return next((course for course in self.courses if course.course == token), None)

    def syllabus(self, token: str) -> dict[str, str | None]:
        """Late policy, office hours and textbook of a course that is known."""
        found = next(course for course in self.courses if course.course == token)
        return {
            "late_policy": found.late_policy,
            "office_hours": found.office_hours,
            "textbook": found.textbook,
        }

    def assignments_of(self, course: str) -> list[Assignment]:
        """Assignments of the course with this token, as they stand."""
        return [item for item in self.assignments if item.course == course]

    def announcements_of(self, course: str) -> list[Announcement]:
        """Announcements of the course with this token, as they stand."""
        return [notice for notice in self.announcements if notice.course == course]

    def assignment(self, title: str) -> Assignment | None:
        """The assignment with this title, whatever its case and spacing."""
        wanted = normal(title)
        return next((item for item in self.assignments if normal(item.title) == wanted), None)

    def event(self, token: str) -> Event | None:
        """The event with this id."""
        return next((event for event in self.events if event.event == token), None)

    def due_between(self, start: datetime, end: datetime) -> list[Assignment]:
        """Assignments due in [start, end), soonest first."""
        dated = [item for item in self.assignments if item.due is not None]
        found = [i for i in dated if start.timestamp() <= i.due.timestamp() < end.timestamp()]
        return sorted(found, key=lambda item: (item.due.timestamp(), item.title))

    def events_between(self, start: datetime, end: datetime) -> list[Event]:
        """Events that share time with [start, end), soonest first."""
        found = [event for event in self.events if event.overlaps(start, end)]
        return sorted(found, key=lambda event: (event.start.timestamp(), event.event))

    def busy_between(self, start: datetime, end: datetime) -> list[Event]:
        """The same as `events_between`: every simulated event keeps the student busy."""
        return self.events_between(start, end)

    def add_event(self, title: str, start: datetime, minutes: int) -> Event:
        """Append an event under the next free id; the caller has checked for conflicts."""
        event = Event(self.next_event_id(), title, start, minutes)
        self.events.append(event)
        return event

    def propose(self, proposal: dict[str, Any]) -> None:
        """Append a change of an event, for the student to decide."""
        self.proposals.append(proposal)

    def next_event_id(self) -> str:
        """One above the highest id that an event has."""
        numbers = [int(e.event[1:]) for e in self.events if re.fullmatch(r"E[0-9]{1,9}", e.event)]
        return f"E{max(numbers, default=0) + 1}"

    def snapshot(self) -> dict[str, Any]:
        """The state that tools can change, JSON-able and independent of later changes."""
        return {
            "events": [event.to_dict() for event in self.events],
            "proposals": [dict(proposal) for proposal in self.proposals],
        }

    @staticmethod
    def diff(before: dict[str, Any], after: dict[str, Any]) -> dict[str, list[dict]]:
        """What happened between two snapshots; see the function `diff`."""
        return diff(before, after)


def diff(before: dict[str, Any], after: dict[str, Any]) -> dict[str, list[dict]]:
    """Events created, changed (as they are now), removed; changes proposed. Empty lists if none."""
    old = {event["event"]: event for event in before["events"]}
    new = {event["event"]: event for event in after["events"]}
    return {
        "created": [event for key, event in new.items() if key not in old],
        "changed": [event for key, event in new.items() if key in old and old[key] != event],
        "removed": [event for key, event in old.items() if key not in new],
        "proposed": after["proposals"][len(before["proposals"]) :],
    }


def day_bounds(first: date, last: date, zone: tzinfo = clock.ZONE) -> tuple[datetime, datetime]:
    """Midnight at the start of `first` and midnight after `last`, local."""
    return clock.at(first, 0, zone), clock.at(last + timedelta(days=1), 0, zone)


def normal(title: str) -> str:
    """A title as it is compared: case and spacing do not count."""
    return " ".join(title.split()).casefold()


def _one_of(title: str, name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"{title!r}: unknown {name} {value!r}; known: {', '.join(known)}")


def _unique(what: str, keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise ValueError(f"{what} {key!r} occurs twice")
        seen.add(key)
