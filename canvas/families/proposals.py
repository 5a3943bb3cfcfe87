"""Proposals: requests to move, shorten or drop what stands in the calendar."""

from datetime import timedelta
from functools import partial

from canvas import clock
from canvas.families.draft import Draft, deleted, modified
from canvas.families.scene import Scene, at, shift
from canvas.planning import calendar

EVENTS, MODIFY = "calendar.list_events", "calendar.modify_event"
DELETE = "calendar.delete_event"


def illness(scene: Scene) -> Draft | None:
    """Study sessions of two days proposed some days later, at the same hour; the rest stays."""
    first, last, days = scene.day(1), scene.day(2), scene.rng.randint(3, 6)
    for day in (first, last):
        scene.clear(day)
        scene.clear(day + timedelta(days=days))
    other, outside = scene.activities(2)
    moved = [
        scene.event(f"Study {scene.topic()}", at(day, scene.time(9, 12)), scene.minutes(40, 120))
        for day in (first, last)
    ]
    scene.event(other, at(last, scene.time(16, 20)), scene.minutes())
    scene.event(outside, at(first, scene.time(16, 20)), scene.minutes())
    later = last + timedelta(days=1)
    scene.clear(later)
    scene.event(f"Study {scene.topic()}", at(later, scene.time(9, 12)), scene.minutes())
    starts = [shift(clock.show(event.start), days * 24 * 60) for event in moved]
    if not all(
        scene.free(start, event.minutes, event.event)
        for start, event in zip(starts, moved, strict=True)
    ):
        return None
    return Draft(
        scene,
        {"start": first, "end": last, "days": days},
        (EVENTS, MODIFY),
        partial(calendar.ill_in_bed, str(first), str(last), "Study", days),
        expect=[
            modified(event.event, start=start) for event, start in zip(moved, starts, strict=True)
        ],
        forbid=[{"deleted": {}}, {"created": {}}],
        facts=[start[:10] for start in starts],
    )


def overlap(scene: Scene) -> Draft | None:
    """Of two events that overlap the later is proposed for another time, and told."""
    day = scene.day(scene.rng.randint(1, 6))
    scene.clear(day)
    first, second, third = scene.activities(3)
    start, length = at(day, scene.time(9, 13)), scene.minutes(60, 120)
    scene.event(first, start, length)
    later = scene.event(second, shift(start, scene.rng.randrange(15, length, 5)), scene.minutes())
    scene.event(third, at(day, "19:00"), 60)
    moved = at(scene.day(scene.rng.randint(7, 12)), scene.time())
    if not scene.free(moved, later.minutes, later.event):
        return None
    return Draft(
        scene,
        {"date": day, "newdate": moved[:10], "time": moved[11:]},
        (EVENTS, MODIFY),
        partial(calendar.untangle, str(day), moved),
        expect=[modified(later.event, start=moved)],
        forbid=[{"deleted": {}}, {"created": {}}],
        facts=[second],
        unsaid=[third],
    )


def cancel(scene: Scene) -> Draft:
    """Deletion proposed for what starts at a time of day or later, and told."""
    day, hour = scene.day(scene.rng.randint(1, 8)), scene.rng.randint(16, 18)
    scene.clear(day)
    scene.clear(day + timedelta(days=1))
    early, outside, *late = scene.activities(scene.rng.randint(4, 5))
    scene.event(early, at(day, f"{hour - 3}:30"), scene.minutes(60, 120))
    scene.event(outside, at(day + timedelta(days=1), f"{hour}:30"), 45)
    start, gone = at(day, f"{hour}:00"), []
    for title in late:
        gone.append(scene.event(title, start, 60))
        start = shift(start, 60 + scene.rng.randrange(0, 45, 15))
    return Draft(
        scene,
        {"date": day, "time": f"{hour}:00"},
        (EVENTS, DELETE),
        partial(calendar.free_evening, str(day), f"{hour}:00"),
        expect=[deleted(event.event) for event in gone],
        forbid=[{"modified": {}}],
        facts=late,
        unsaid=[early, outside],
    )


def shorten(scene: Scene) -> Draft:
    """Another length proposed for every event of one name within some days, and no other."""
    first, last = scene.day(1), scene.day(scene.rng.randint(4, 6))
    scene.clear(first, last + timedelta(days=1))
    (title, other), minutes = scene.activities(2), scene.minutes(20, 40)
    days = [first, last] + [scene.day(3)] * scene.rng.randint(0, 1)
    found = [scene.event(title, at(day, scene.time(9, 13)), scene.minutes(60, 120)) for day in days]
    scene.event(other, at(last, scene.time(16, 20)), 60)
    scene.event(title, at(last + timedelta(days=1), scene.time()), 60)
    word = title.split()[0]
    return Draft(
        scene,
        {"word": word, "start": first, "end": last, "minutes": minutes},
        (EVENTS, MODIFY),
        partial(calendar.shorten, word, str(first), str(last), minutes),
        expect=[modified(event.event, minutes=minutes) for event in found],
        forbid=[{"deleted": {}}, {"created": {}}],
        facts=[[str(len(found)), ("two", "three")[len(found) - 2]]],
        unsaid=[other],
    )
