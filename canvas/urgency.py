"""Urgency: the one rule that ranks coursework, with its reason in words.

Work that is handed in comes last. Open work is ranked by how soon it is due (overdue, today, within
3 days, within a week, later, no date), then by points weighted by type, then by the exact due time.
Since this is one sort key for an item, the order it gives is transitive.
"""

from dataclasses import dataclass
from datetime import datetime

# Percent: an exam point counts more than a homework point, a discussion point less.
TYPE_WEIGHT = {"EXAM": 150, "QUIZ": 120, "ASGN": 100, "DISC": 80}
OPEN_STATUSES = ("MISSING", "OPEN", "NOT_SUBMITTED")
DONE_STATUSES = ("SUBMITTED", "GRADED")


@dataclass(frozen=True)
class Urgency:
    """`score` compares (higher is more urgent, equal is a tie); `reason` starts with "it is"."""

    score: tuple[int, int, int]
    reason: str


def urgency(due: datetime | None, points: float, status: str, type: str, now: datetime) -> Urgency:
    """How urgent one item is at `now`; both datetimes aware and days counted in `now`'s zone.

    Raises ValueError on an unknown type or status.
    """
    if type not in TYPE_WEIGHT:
        raise ValueError(f"unknown type {type!r}; known: {', '.join(TYPE_WEIGHT)}")
    if status in DONE_STATUSES:
        return Urgency((0, 0, 0), f"it is already {status.lower()}")
    if status not in OPEN_STATUSES:
        raise ValueError(f"unknown status {status!r}; known: {OPEN_STATUSES + DONE_STATUSES}")
    bucket, words = _time_left(due, now)
    weight = round(points * TYPE_WEIGHT[type])
    soon = 0 if due is None else -int(due.timestamp())
    return Urgency((bucket, weight, soon), f"it is {words} and worth {_points(points)}")


def _time_left(due: datetime | None, now: datetime) -> tuple[int, str]:
    """Bucket 1 (no date) to 6 (overdue) and the time left in words."""
    if due is None:
        return 1, "without a date"
    days = (due.astimezone(now.tzinfo).date() - now.date()).days
    if due.timestamp() < now.timestamp():
        return 6, f"overdue by {_days(-days)}" if days else "overdue since today"
    if days == 0:
        return 5, "due today"
    return 4 if days <= 3 else 3 if days <= 7 else 2, f"due in {_days(days)}"


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"


def _points(points: float) -> str:
    return "1 point" if points == 1 else f"{points:g} points"
