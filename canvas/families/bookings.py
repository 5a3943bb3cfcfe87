"""Bookings: requests to fit events into days that hold others."""

from datetime import timedelta
from functools import partial

from canvas.families.draft import Draft, created
from canvas.families.scene import Scene, at, shift
from canvas.planning import calendar

CREATE, EVENTS = "calendar.create_event", "calendar.list_events"
GAPS = "calendar.find_free_blocks"
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")


def busy_calendar(scene: Scene) -> Draft:
    """The earliest gap of a full day that is long enough; its begin is told."""
    day, minutes, name = scene.day(scene.rng.randint(1, 9)), scene.minutes(40, 75), scene.label()
    scene.clear(day)
    gaps = [minutes - scene.rng.randrange(10, 30, 5), minutes + scene.rng.randrange(0, 25, 5), 90]
    start, starts = at(day, "08:00"), []
    for title, gap in zip(scene.activities(3), gaps, strict=True):
        length = scene.minutes(60, 120)
        scene.event(title, start, length)
        starts.append(shift(start, length))
        start = shift(starts[-1], gap)
    return Draft(
        scene,
        {"date": day, "minutes": minutes, "name": name},
        (GAPS, CREATE),
        partial(calendar.first_gap, str(day), minutes, name),
        expect=[created(name, starts[1], minutes)],
        forbid=[{"modified": {}}, {"deleted": {}}],
        facts=[starts[1][11:]],
    )


def conflict(scene: Scene) -> Draft:
    """A time that is taken, and the next gap that is long enough; what was in the way is told."""
    day, minutes, name = scene.day(scene.rng.randint(1, 9)), scene.minutes(45, 75), scene.label()
    scene.clear(day)
    blocking, behind, apart = scene.activities(3)
    start, length = at(day, scene.time(9, 14)), scene.minutes(60, 100)
    wanted = shift(start, scene.rng.randrange(15, 60, 15))
    scene.event(blocking, start, length)
    second = shift(start, length + minutes - scene.rng.randrange(10, 30, 5))
    scene.event(behind, second, (last := scene.minutes(45, 90)))
    scene.event(apart, at(day, "20:30"), 60)
    placed = shift(second, last)
    return Draft(
        scene,
        {"date": day, "time": wanted[11:], "minutes": minutes, "name": name},
        (CREATE, EVENTS, GAPS),
        partial(calendar.next_gap, name, wanted, minutes),
        expect=[created(name, placed, minutes)],
        forbid=[{"modified": {}}, {"deleted": {}}],
        facts=[blocking, placed[11:]],
    )


def travel(scene: Scene) -> Draft:
    """An event that ends where each event of a day begins; the first begin is told."""
    day, minutes, name = scene.day(scene.rng.randint(1, 9)), scene.minutes(15, 40), "Travel"
    scene.clear(day)
    start, starts = at(day, scene.time(9, 11)), []
    for title in scene.activities(scene.rng.randint(2, 3)):
        length = scene.minutes(45, 100)
        scene.event(title, start, length)
        starts.append(shift(start, -minutes))
        start = shift(start, length + minutes + scene.rng.randrange(0, 90, 15))
    return Draft(
        scene,
        {"date": day, "minutes": minutes, "name": name},
        (EVENTS, CREATE),
        partial(calendar.travel, str(day), minutes, name),
        expect=[created(name, start, minutes) for start in starts],
        forbid=[{"modified": {}}],
        facts=[starts[0][11:]],
    )


def weekly(scene: Scene) -> Draft | None:
    """An event on two weekdays for two weeks, but for the date on which another is in the way."""
    first = scene.monday()
    last = first + timedelta(days=13)
    chosen = tuple(sorted(scene.rng.sample(range(len(WEEKDAYS)), 2)))
    days = [first + timedelta(days=week * 7 + day) for week in (0, 1) for day in chosen]
    time, minutes, name = scene.time(9, 20), scene.minutes(30, 90), scene.label()
    taken = scene.rng.choice(days)
    scene.clear(taken)
    (title,) = scene.activities(1)
    scene.event(title, shift(at(taken, time), scene.rng.randrange(-30, minutes, 5)), 60)
    kept = [day for day in days if day != taken]
    if not all(scene.free(at(day, time), minutes) for day in kept):
        return None
    return Draft(
        scene,
        {
            "weekday": WEEKDAYS[chosen[0]],
            "another": WEEKDAYS[chosen[1]],
            "start": first,
            "end": last,
            "time": time,
            "minutes": minutes,
            "name": name,
        },
        (EVENTS, CREATE),
        partial(calendar.weekly, chosen, str(first), str(last), time, minutes, name),
        expect=[created(name, at(day, time), minutes) for day in kept],
        forbid=[{"modified": {}}, {"deleted": {}}],
        facts=[str(taken)],
    )


def spread_work(scene: Scene) -> Draft:
    """Two hours on each of some days, anywhere between two times of day; the sum is told."""
    first, number = scene.day(1), scene.rng.randint(3, 4)
    last = first + timedelta(days=number - 1)
    scene.clear(first, last)
    course, opens, closes = scene.course(), scene.rng.choice(("08:30", "09:00", "10:00")), "20:00"
    for offset, title in enumerate(scene.activities(number)):
        day = first + timedelta(days=offset)
        scene.event(title, at(day, scene.time(9, 13)), scene.minutes(60, 240))
    name = f"Paper {course.course}"
    due = at(last + timedelta(days=1), "12:00")
    scene.item(course, f"{scene.topic()} Paper", "ASGN", due, 120)
    rule = {
        "title": name,
        "after": str(first),
        "before": str(last + timedelta(days=1)),
        "between": [opens, closes],
        "total_minutes": 120 * number,
        "max_minutes_a_day": 120,
    }
    return Draft(
        scene,
        {
            "course": course.course,
            "start": first,
            "end": last,
            "hours": 2 * number,
            "name": name,
            "opens": opens,
            "closes": closes,
        },
        (EVENTS, GAPS, CREATE),
        partial(calendar.paper_in_parts, str(first), str(last), name, 120, opens, closes),
        expect=[{"created": rule}],
        forbid=[{"modified": {}}, {"deleted": {}}],
        facts=[[f"{2 * number} hours", str(2 * number)]],
    )
