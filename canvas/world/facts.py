"""Facts of a world: the frozen records that the tools report, and how they read and write."""

import math
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Self

from canvas import clock

TYPES = ("ASGN", "QUIZ", "DISC", "EXAM")
STATUSES = ("MISSING", "SUBMITTED", "GRADED", "OPEN")
DONE = ("SUBMITTED", "GRADED")
# Lowest percentage of each letter, best first.
LETTERS = (
    (93.0, "A"),
    (90.0, "A-"),
    (87.0, "B+"),
    (83.0, "B"),
    (80.0, "B-"),
    (77.0, "C+"),
    (73.0, "C"),
    (70.0, "C-"),
    (60.0, "D"),
    (0.0, "F"),
)


def letter_of(score: float) -> str:
    """The letter of a percentage from 0 up."""
    return next(letter for lowest, letter in LETTERS if score >= lowest)


class _Record:
    """Shared reading and writing: dicts with the fields' names, times as local ISO text."""

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Raises ValueError that names the record, the field and the reason."""
        kind = cls.__name__
        if not isinstance(values, dict):
            raise ValueError(f"{kind}: not a mapping")
        types = {field.name: field.type for field in fields(cls)}
        unknown = sorted(set(map(str, values)) - set(types))
        if unknown:
            raise ValueError(f"{kind}: unknown field {unknown[0]!r}; known: {', '.join(types)}")
        read = {k: _checked(f"{kind}: {k}", types[k], value) for k, value in values.items()}
        try:
            return cls(**read)
        except TypeError as error:
            raise ValueError(f"{kind}: {error}") from None

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; `from_dict` reads it back to an equal record."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {k: clock.show(v) if isinstance(v, datetime) else v for k, v in values.items()}


_TIMES = (datetime, datetime | None)


def _checked(where: str, wanted: Any, value: Any) -> Any:
    """The value of one field; a whole number may stand for a float, a bool for nothing."""
    if wanted in _TIMES and not (value is None and wanted != datetime):
        return _read(where, value)
    accepted = wanted | int if wanted in (float, float | None) else wanted
    if isinstance(value, bool) or not isinstance(value, accepted):
        kind = wanted.__name__ if isinstance(wanted, type) else wanted
        raise ValueError(f"{where}: must be {kind}, not {value!r}")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{where}: must be finite")
    return value


def _read(where: str, value: Any) -> datetime:
    try:
        if isinstance(value, datetime):
            return clock.localize(value)
        if isinstance(value, str):
            return clock.parse_time(value)
    except ValueError as error:
        raise ValueError(f"{where} {value}: {error}") from None
    raise ValueError(f"{where}: must be a time like 2026-03-04T14:00")


@dataclass(frozen=True)
class Course(_Record):
    """One course with its syllabus and grade; None is a fact that was never posted."""

    course: str
    name: str
    instructor: str | None = None
    room: str | None = None
    term: str | None = None
    late_policy: str | None = None
    office_hours: str | None = None
    textbook: str | None = None
    score: float | None = None
    letter: str | None = None


@dataclass(frozen=True)
class Assignment(_Record):
    """One item of coursework: type of TYPES, status of STATUSES, due None where it has no date."""

    title: str
    course: str
    type: str
    due: datetime | None
    points: float
    status: str = "OPEN"

    @property
    def done(self) -> bool:
        """True once it is handed in."""
        return self.status in DONE


@dataclass(frozen=True)
class Announcement(_Record):
    """One announcement of a course."""

    course: str
    title: str
    posted: datetime
    message: str


@dataclass(frozen=True)
class Event(_Record):
    """One calendar entry: id like `E4`, aware start, length in elapsed minutes."""

    event: str
    title: str
    start: datetime
    minutes: int

    @property
    def end(self) -> datetime:
        """Aware end, right across a clock change."""
        return clock.plus(self.start, self.minutes)

    def overlaps(self, start: datetime, end: datetime) -> bool:
        """True where the event and [start, end) share time."""
        return self.start.timestamp() < end.timestamp() and start.timestamp() < self.end.timestamp()
