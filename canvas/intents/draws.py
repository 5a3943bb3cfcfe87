"""Draws: what a request speaks of, taken from a world so that the request makes sense in it.

Each draw returns the slots of a wording by name, or None where this world has nothing to speak of.
Those of the calendar are in `canvas.intents.bookings`.
"""

import random
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from canvas.world import Assignment, World
from canvas.world.state import day_bounds

Slots = dict[str, object]
Bounds = tuple[datetime, datetime]
# Lists in results stay short: every prompt pays for them.
MOST = 3
EMPTY_SHARE = 0.08
KINDS = {
    "assignment": "ASGN",
    "project": "ASGN",
    "paper": "ASGN",
    "quiz": "QUIZ",
    "discussion": "DISC",
    "discussion post": "DISC",
    "exam": "EXAM",
    "midterm": "EXAM",
    "final exam": "EXAM",
}
# No number that English would speak with "an".
_POINTS = [points for points in range(10, 205, 5) if points not in (80, 85)]


def nothing(world: World, rng: random.Random) -> Slots:
    """No slots."""
    return {}


def course(world: World, rng: random.Random) -> Slots:
    """A course."""
    return {"course": rng.choice(world.courses).course}


def item(world: World, rng: random.Random) -> Slots:
    """An assignment and its course."""
    return of_item(rng.choice(world.assignments))


def dated_item(world: World, rng: random.Random) -> Slots | None:
    """An assignment with a due date, and its course."""
    return pick(rng, [of_item(i) for i in world.assignments if i.due])


def todo(world: World, rng: random.Random, fewest: int = 1) -> Slots | None:
    """Days within which a few things are to do, at times none."""
    least = 0 if fewest == 1 and rng.random() < EMPTY_SHARE else fewest
    counts = {days: len(open_items(world, days)) for days in range(2, 15)}
    return pick(
        rng, [{"days": d} for d, n in counts.items() if least <= n <= (MOST if least else 0)]
    )


def several_todo(world: World, rng: random.Random) -> Slots | None:
    """Days within which there are two or three things to do."""
    return todo(world, rng, fewest=2)


def open_items(world: World, days: int) -> list[Assignment]:
    """What is not handed in and due by the end of the day `days` from today."""
    _, end = day_bounds(world.today, world.today + timedelta(days=days))
    return [i for i in world.due_between(world.now, end) if not i.done]


def due_span(world: World, rng: random.Random) -> Slots | None:
    """A first and a last date between which a few things are due."""
    return span(world, rng, lambda bounds: world.due_between(*bounds))


def exam(world: World, rng: random.Random) -> Slots:
    """A date some weeks ahead and a number of sessions."""
    sessions = rng.randint(2, 6)
    return {"date": in_days(world, rng.randint(sessions + 2, 40)), "sessions": sessions}


def bracket(world: World, rng: random.Random) -> Slots:
    """A date some weeks ahead and a number of days."""
    days = rng.randint(3, 14)
    return {"date": in_days(world, rng.randint(days, 40)), "days": days}


def spaced_item(world: World, rng: random.Random) -> Slots | None:
    """A quiz or exam far enough ahead for some sessions, and their number."""
    sessions = rng.randint(2, 5)
    return _exam_of(world, rng, sessions + 1, {"sessions": sessions})


def bracketed_item(world: World, rng: random.Random) -> Slots | None:
    """A quiz or exam far enough ahead for some days of review, and their number."""
    days = rng.randint(2, 9)
    return _exam_of(world, rng, days, {"days": days})


def semester(world: World, rng: random.Random) -> Slots | None:
    """A course with open work ahead, and hours a week."""
    ahead = {i.course for i in open_items(world, 40)}
    found = [c.course for c in world.courses if c.course in ahead]
    return pick(rng, [{"course": token, "hours": rng.randint(2, 14)} for token in found])


def block(world: World, rng: random.Random) -> Slots:
    """A kind of work in words, and its points."""
    return {"kind": rng.choice(sorted(KINDS)), "points": rng.choice(_POINTS)}


def two_items(world: World, rng: random.Random) -> Slots | None:
    """Two assignments, at most one of them handed in."""
    if len(world.assignments) < 2:
        return None
    first, second = rng.sample(world.assignments, 2)
    return None if first.done and second.done else {"title": first.title, "other": second.title}


def pick(rng: random.Random, options: Sequence[Slots]) -> Slots | None:
    """One of the options, or None without any."""
    return rng.choice(options) if options else None


def of_item(found: Assignment) -> Slots:
    """The slots that name an assignment."""
    return {"course": found.course, "title": found.title}


def span(world: World, rng: random.Random, found_in: Callable[[Bounds], Sequence]) -> Slots | None:
    """A first and a last date between which a few things are found, at times none."""
    first = world.today + timedelta(days=rng.randint(0, 6))
    last = first + timedelta(days=rng.randint(1, 7))
    count = len(found_in(day_bounds(first, last)))
    empty = rng.random() < EMPTY_SHARE
    if not (count == 0 if empty else 1 <= count <= MOST):
        return None
    return {"start": str(first), "end": str(last)}


def _exam_of(world: World, rng: random.Random, ahead: int, more: Slots) -> Slots | None:
    soonest = world.today + timedelta(days=ahead)
    items = [i for i in world.assignments if i.due and i.due.date() >= soonest]
    return pick(rng, [{**of_item(i), **more} for i in items if i.type in ("QUIZ", "EXAM")])


def in_days(world: World, days: int) -> str:
    """The date some days from today."""
    return str(world.today + timedelta(days=days))
