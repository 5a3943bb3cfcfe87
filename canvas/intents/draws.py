"""Draws: what a request speaks of, taken from a world so that the request makes sense in it.

Each draw returns the slots of a wording by name, or None where this world has nothing to speak of.
"""

import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from canvas import clock
from canvas.intents.titles import plan_title
from canvas.tools import calendar
from canvas.world import Assignment, Event, World
from canvas.world.state import day_bounds

Slots = dict[str, object]
# Lists in results stay short: every prompt pays for them.
MOST = 3
EMPTY_SHARE = 0.08
BUSY_SHARE = 0.1
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
    return _of_item(rng.choice(world.assignments))


def dated_item(world: World, rng: random.Random) -> Slots | None:
    """An assignment with a due date, and its course."""
    return _pick(rng, [_of_item(i) for i in world.assignments if i.due])


def todo(world: World, rng: random.Random, fewest: int = 1) -> Slots | None:
    """Days within which a few things are to do, at times none."""
    least = 0 if fewest == 1 and rng.random() < EMPTY_SHARE else fewest
    counts = {days: len(open_items(world, days)) for days in range(2, 15)}
    return _pick(
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
    return _span(world, rng, lambda bounds: world.due_between(*bounds))


def event_span(world: World, rng: random.Random) -> Slots | None:
    """A first and a last date between which there are a few events."""
    return _span(world, rng, lambda bounds: world.events_between(*bounds))


def event_day(world: World, rng: random.Random) -> Slots | None:
    """A date with a few events, at times none."""
    empty = rng.random() < EMPTY_SHARE
    days = [world.today + timedelta(days=offset) for offset in range(10)]
    counts = {day: len(_events_on(world, day)) for day in days}
    fits = [day for day, n in counts.items() if (n == 0 if empty else 1 <= n <= MOST)]
    return _pick(rng, [{"date": str(day)} for day in fits])


def free_time(world: World, rng: random.Random) -> Slots | None:
    """A date and minutes that fit into one to three gaps of it."""
    minutes = _minutes(rng)
    days = [world.today + timedelta(days=offset) for offset in range(1, 10)]
    rng.shuffle(days)
    # Busy days first: an empty one always gives the same block.
    days.sort(key=lambda day: not _events_on(world, day) and rng.random() < 0.9)
    for day in days:
        gaps = calendar.find_free_blocks(world, str(day), minutes)["free"]
        if 1 <= len(gaps) <= MOST:
            return {"date": str(day), "minutes": minutes}
    return None


def new_event(world: World, rng: random.Random) -> Slots | None:
    """A title, date, time and minutes for an event; at times another is in the way."""
    busy = rng.random() < BUSY_SHARE
    when = _taken(world, rng) if busy else _moment(world, rng)
    slots = when and {"title": plan_title(rng), **when, "minutes": _minutes(rng)}
    return slots if slots and bool(clashes(world, slots)) == busy else None


def untimed_event(world: World, rng: random.Random) -> Slots:
    """A title without a time."""
    return {"title": plan_title(rng)}


def booking(world: World, rng: random.Random) -> Slots | None:
    """A title, and a date and minutes that fit into a gap of it."""
    free = free_time(world, rng)
    return free and {"title": plan_title(rng), **free}


def event(world: World, rng: random.Random) -> Slots | None:
    """An event."""
    return _pick(rng, [{"event": e.event} for e in world.events])


def moved_event(world: World, rng: random.Random) -> Slots | None:
    """An event, and a free date and time to move it to."""
    old = _an_event(world, rng)
    slots = old and {"event": old.event, **_moment(world, rng)}
    return slots if slots and _fits(world, old, slots) else None


def resized_event(world: World, rng: random.Random) -> Slots | None:
    """An event, and another length that it can have."""
    old, minutes = _an_event(world, rng), _minutes(rng)
    if not old or minutes == old.minutes:
        return None
    slots = {"event": old.event, "minutes": minutes}
    return None if _others(world, old, old.start, minutes) else slots


def renamed_event(world: World, rng: random.Random) -> Slots | None:
    """An event, and a new title."""
    chosen = event(world, rng)
    return chosen and {**chosen, "title": plan_title(rng)}


def titled_event(world: World, rng: random.Random) -> Slots | None:
    """The title and date of an event on a day with few."""
    old = _an_event(world, rng)
    if not old or len(_events_on(world, old.start.date())) > MOST or not _only(world, old):
        return None
    return {"title": old.title, "date": str(old.start.date())}


def moved_titled(world: World, rng: random.Random) -> Slots | None:
    """The title and date of an event, and a free time on the same day."""
    slots = titled_event(world, rng)
    if not slots:
        return None
    old = next(e for e in world.events if e.title == slots["title"])
    slots["time"] = _time(rng)
    return slots if _fits(world, old, slots) else None


def exam(world: World, rng: random.Random) -> Slots:
    """A date some weeks ahead and a number of sessions."""
    sessions = rng.randint(2, 6)
    return {"date": _ahead(world, rng.randint(sessions + 2, 40)), "sessions": sessions}


def bracket(world: World, rng: random.Random) -> Slots:
    """A date some weeks ahead and a number of days."""
    days = rng.randint(3, 14)
    return {"date": _ahead(world, rng.randint(days, 40)), "days": days}


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
    return _pick(rng, [{"course": token, "hours": rng.randint(2, 14)} for token in found])


def block(world: World, rng: random.Random) -> Slots:
    """A kind of work in words, and its points."""
    return {"kind": rng.choice(sorted(KINDS)), "points": rng.choice(_POINTS)}


def two_items(world: World, rng: random.Random) -> Slots | None:
    """Two assignments, at most one of them handed in."""
    if len(world.assignments) < 2:
        return None
    first, second = rng.sample(world.assignments, 2)
    return None if first.done and second.done else {"title": first.title, "other": second.title}


def due_slot(world: World, rng: random.Random) -> Slots | None:
    """An assignment, its course, and a free time on its due date."""
    items = [i for i in world.assignments if i.due and i.due.date() > world.today]
    if not items:
        return None
    chosen = rng.choice(items)
    slots = {**_of_item(chosen), "time": _time(rng), "minutes": _minutes(rng)}
    return None if clashes(world, {**slots, "date": str(chosen.due.date())}) else slots


def clashes(world: World, slots: Slots) -> list[Event]:
    """Events in the way of the slots' date, time and minutes."""
    start = clock.parse_time(f"{slots['date']}T{slots['time']}")
    return world.events_between(start, clock.plus(start, slots["minutes"]))


def _pick(rng: random.Random, options: Sequence[Slots]) -> Slots | None:
    return rng.choice(options) if options else None


def _of_item(found: Assignment) -> Slots:
    return {"course": found.course, "title": found.title}


def _an_event(world: World, rng: random.Random) -> Event | None:
    return rng.choice(world.events) if world.events else None


def _only(world: World, old: Event) -> bool:
    return sum(event.title == old.title for event in world.events) == 1


def _events_on(world: World, day: date) -> list[Event]:
    return world.events_between(*day_bounds(day, day))


def _span(world: World, rng: random.Random, found_in) -> Slots | None:
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
    return _pick(rng, [{**_of_item(i), **more} for i in items if i.type in ("QUIZ", "EXAM")])


def _ahead(world: World, days: int) -> str:
    return str(world.today + timedelta(days=days))


def _moment(world: World, rng: random.Random) -> Slots:
    return {"date": _ahead(world, rng.randint(1, 12)), "time": _time(rng)}


def _taken(world: World, rng: random.Random) -> Slots | None:
    """The date and time at which an event to come starts."""
    starts = [event.start for event in world.events if event.start > world.now]
    return _pick(rng, [{"date": str(s.date()), "time": f"{s:%H:%M}"} for s in starts])


def _time(rng: random.Random) -> str:
    minute = rng.randrange(8 * 60, 20 * 60, 15)
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _minutes(rng: random.Random) -> int:
    return rng.randrange(20, 125, 5)


def _fits(world: World, old: Event, slots: Slots) -> bool:
    start = clock.parse_time(f"{slots['date']}T{slots['time']}")
    return start > world.now and start != old.start and not _others(world, old, start, old.minutes)


def _others(world: World, old: Event, start: datetime, minutes: int) -> list[Event]:
    return [e for e in world.events_between(start, clock.plus(start, minutes)) if e != old]
