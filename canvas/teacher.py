"""Teachers: who says which of two items comes first, and why."""

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, Protocol

from canvas import items
from canvas.io import BadInput
from canvas.urgency import urgency

# Item lines give time left, not times; the rule wants times. Noon keeps one hour on the same day.
_NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Question(NamedTuple):
    """What a teacher is shown: the prompt, and its two item lines in the order of the prompt."""

    prompt: str
    item_a: str
    item_b: str


class Vote(NamedTuple):
    """`choice` A or B as the question shows them, None for neither; `reason` a clause in words."""

    choice: str | None
    reason: str


class Teacher(Protocol):
    """`version` changes whenever its votes may: votes are cached under name, version and prompt."""

    name: str
    version: str

    def vote(self, question: Question) -> Vote:
        """The item to do first. Raises ValueError on a question it cannot read."""
        ...


class RulesTeacher:
    """Votes by `canvas.urgency` from what the lines show, so that the order is transitive."""

    name = "rules"

    def __init__(self) -> None:
        sources = [Path(__file__), *(Path(__file__).with_name(n) for n in _RULE_SOURCES)]
        text = b"".join(path.read_bytes() for path in sources)
        self.version = hashlib.sha256(text).hexdigest()[:12]

    def vote(self, question: Question) -> Vote:
        """The more urgent item; None where the rule ranks both the same."""
        first, second = (items.parse(line) for line in (question.item_a, question.item_b))
        if score(first) == score(second):
            return Vote(None, "both are equally urgent")
        winner = "A" if score(first) > score(second) else "B"
        return Vote(winner, items.words(first if winner == "A" else second))


# Votes follow from these files, so their text is the version: an edit asks anew.
_RULE_SOURCES = ("items.py", "urgency.py")
TEACHERS = {RulesTeacher.name: RulesTeacher}


def get(name: str) -> Teacher:
    """The teacher of `label.teacher`. Raises BadInput on an unknown name."""
    if name not in TEACHERS:
        raise BadInput(
            "params.yaml",
            f"no teacher {name!r}",
            field="label.teacher",
            remedy=f"use one of: {', '.join(TEACHERS)}",
        )
    return TEACHERS[name]()


def score(item: items.Item) -> tuple[int, int, int]:
    """Rank of an item by the urgency rule, higher first, from what its line shows."""
    hours = {None: None, -1: timedelta(hours=-1), 0: timedelta(hours=1)}
    left = hours[item.days] if item.days in hours else timedelta(days=item.days)
    due = None if left is None else _NOW + left
    return urgency(due, item.points, item.status, item.type, _NOW).score
