"""Bookings: draws of what a request speaks of in a calendar; see `canvas.intents.draws`."""

import random
from datetime import date, datetime, timedelta

from canvas import clock
from canvas.intents.draws import EMPTY_SHARE, MOST, Slots, in_days, of_item, pick, span
from canvas.intents.titles import plan_title
from canvas.tools import calendar
from canvas.world import Event, World
from canvas.world.state import day_bounds

BUSY_SHARE = 0.1


def event_span(world: World, rng: random.Random) -> Slots | None:
    """A first and a last date between which there are a few events."""
    return span(world, rng, lambda bounds: world.events_between(*bounds))


def event_day(world: World, rng: random.Random) -> Slots | None:
    """A date with a few events, at times none."""
    empty = rng.random() < EMPTY_SHARE
    days = [world.today + timedelta(days=offset) for offset in range(10)]
    counts = {day: len(_events_on(world, day)) for day in days}
    fits = [day for day, n in counts.items() if (n == 0 if empty else 1 <= n <= MOST)]
    return pick(rng, [{"date": str(day)} for day in fits])


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
    return pick(rng, [{"event": e.event} for e in world.events])


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


def due_slot(world: World, rng: random.Random) -> Slots | None:
    """An assignment, its course, and a free time on its due date."""
    items = [i for i in world.assignments if i.due and i.due.date() > world.today]
    if not items:
        return None
    chosen = rng.choice(items)
    slots = {**of_item(chosen), "time": _time(rng), "minutes": _minutes(rng)}
    return None if clashes(world, {**slots, "date": str(chosen.due.date())}) else slots


def clashes(world: World, slots: Slots) -> list[Event]:
    """Events in the way of the slots' date, time and minutes."""
    start = clock.parse_time(f"{slots['date']}T{slots['time']}")
    return world.events_between(start, clock.plus(start, slots["minutes"]))


def _an_event(world: World, rng: random.Random) -> Event | None:
    return rng.choice(world.events) if world.events else None


def _only(world: World, old: Event) -> bool:
    return sum(event.title == old.title for event in world.events) == 1


def _events_on(world: World, day: date) -> list[Event]:
    return world.events_between(*day_bounds(day, day))


def _moment(world: World, rng: random.Random) -> Slots:
    return {"date": in_days(world, rng.randint(1, 12)), "time": _time(rng)}


def _taken(world: World, rng: random.Random) -> Slots | None:
    """The date and time at which an event to come starts."""
    starts = [event.start for event in world.events if event.start > world.now]
    return pick(rng, [{"date": str(s.date()), "time": f"{s:%H:%M}"} for s in starts])


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
