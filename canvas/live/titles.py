"""Titles: coursework as the model calls it, where Canvas lets many things have one name."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from canvas.live.records import Item
from canvas.world.state import normal

Identity = tuple[int, str, datetime | None]


def titles(
    items: Iterable[Item], tokens: Mapping[int, str], mask: Callable[[str], str]
) -> dict[Identity, str]:
    """The masked title of each item; equal ones get their course, and a number within it.

    `tokens` are those of the courses. Numbers go by due date, undated last.
    """
    masked = {item.identity: mask(item.title) for item in items}
    alike: dict[str, list[Identity]] = {}
    for identity, title in masked.items():
        alike.setdefault(normal(title), []).append(identity)
    return {
        identity: title + _addition(identity, alike[normal(title)], tokens)
        for identity, title in masked.items()
    }


def _addition(mine: Identity, alike: list[Identity], tokens: Mapping[int, str]) -> str:
    if len(alike) == 1:
        return ""
    of_course = sorted((other for other in alike if other[0] == mine[0]), key=_by_date)
    number = f" #{of_course.index(mine) + 1}" if len(of_course) > 1 else ""
    return f" ({tokens[mine[0]]}){number}"


def _by_date(identity: Identity) -> tuple[bool, float, str]:
    _, title, due = identity
    return due is None, due.timestamp() if due else 0.0, title
