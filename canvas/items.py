"""Items: coursework as one line for a model, as `[ASGN] Title @COURSE1 DUE 3D 100pts OPEN`."""

import re
from datetime import UTC, datetime
from typing import NamedTuple

OVERDUE, TODAY, NO_DATE = "OVERDUE", "DUE TODAY", "NO DATE"
DONE = ("SUBMITTED", "GRADED")
NOUNS = {"ASGN": "assignment", "QUIZ": "quiz", "DISC": "discussion"}
_LINE = re.compile(
    r"\[(?P<type>[A-Z]+)\] (?P<title>.+) (?P<course>\S+) "
    r"(?P<due>OVERDUE|DUE TODAY|DUE \d+D|NO DATE) (?P<points>\S+)pts (?P<status>[A-Z]+)"
)


class Item(NamedTuple):
    """What a line shows: `due` as of the export, `status` MISSING, OPEN, SUBMITTED or GRADED."""

    type: str
    title: str
    course: str
    due: str
    points: float
    status: str

    @property
    def done(self) -> bool:
        """Handed in or graded."""
        return self.status in DONE

    @property
    def days(self) -> int | None:
        """Days until it is due: 0 today, -1 overdue by any time, None without a date."""
        if self.due == NO_DATE:
            return None
        if self.due == OVERDUE:
            return -1
        return 0 if self.due == TODAY else int(self.due.removeprefix("DUE ").removesuffix("D"))

    def __str__(self) -> str:
        points = f"{self.points:g}pts"
        return f"[{self.type}] {self.title} {self.course} {self.due} {points} {self.status}"


def from_row(row: dict) -> Item:
    """The item of a corpus row at its `collected_at`.

    A time without a zone is taken as UTC, points that are null (ungraded work) as 0.
    """
    due = None if row["due_at"] is None else time(row["due_at"])
    state = due_state(due, time(row["collected_at"]))
    status = row["status"]
    if status == "NOT_SUBMITTED":
        status = "MISSING" if state == OVERDUE else "OPEN"
    title = " ".join(row["title"].split())
    return Item(row["type"], title, row["course"], state, float(row["points"] or 0), status)


def parse(line: str) -> Item:
    """The item of a line, inverse of `str`. Raises ValueError on any other text."""
    found = _LINE.fullmatch(line)
    if found is None:
        raise ValueError(f"not an item line: {line!r}")
    return Item(**{**found.groupdict(), "points": float(found["points"])})


def due_state(due: datetime | None, now: datetime) -> str:
    """OVERDUE, DUE TODAY, DUE nD or NO DATE; days are calendar days in the zone of `now`."""
    if due is None:
        return NO_DATE
    if due < now:
        return OVERDUE
    days = (due.astimezone(now.tzinfo).date() - now.date()).days
    return f"DUE {days}D" if days else TODAY


def time(text: str) -> datetime:
    """An aware time of ISO-8601 text. Raises ValueError on anything else."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def words(item: Item) -> str:
    """Its type, time left and points as a clause: "this quiz is due in 3 days, worth 20 points"."""
    noun = f"this {NOUNS[item.type]}"
    if item.done:
        return f"{noun} is already {item.status.lower()}"
    left = {None: "has no due date", -1: "is overdue", 0: "is due today", 1: "is due in 1 day"}
    return f"{noun} {left.get(item.days, f'is due in {item.days} days')}, worth {_points(item)}"


def _points(item: Item) -> str:
    return "1 point" if item.points == 1 else f"{item.points:g} points"
