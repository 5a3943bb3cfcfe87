"""Deadlines: requests about what is due, and when to work on it."""

from datetime import timedelta
from functools import partial

from canvas import clock
from canvas.families.draft import Draft, created, others
from canvas.families.scene import Scene, at
from canvas.planning import coursework
from canvas.tools import reranker, study
from canvas.world import Assignment, Course

CREATE, ITEMS = "calendar.create_event", "canvas.list_planner_items"
NUMBERS = ("none", "one", "two", "three", "four", "five", "six")
FORMS = {"ASGN": "Worksheet", "QUIZ": "Quiz", "DISC": "Discussion"}


def deadlines(scene: Scene) -> Draft | None:
    """A short event on the due day of each item between two dates; their number is told."""
    number = scene.rng.randint(2, 3)
    first = scene.day(scene.rng.randint(2, 8))
    last = first + timedelta(days=scene.rng.randint(number, 5))
    scene.undo(first, last)
    label, time, minutes = scene.label(), scene.time(7, 10), scene.minutes(15, 40)
    days = sorted(scene.rng.sample(range((last - first).days + 1), number))
    items = [_due(scene, at(first + timedelta(days=offset), "23:59")) for offset in days]
    _due(scene, at(last + timedelta(days=1), "12:00"))
    starts = [at(item.due.date(), time) for item in items]
    if not all(scene.free(start, minutes) for start in starts):
        return None
    return Draft(
        scene,
        {"start": first, "end": last, "label": label, "time": time, "minutes": minutes},
        (ITEMS, CREATE),
        partial(coursework.last_checks, str(first), str(last), label, time, minutes),
        expect=[
            created(f"{label} {item.title}", start, minutes)
            for item, start in zip(items, starts, strict=True)
        ],
        facts=[[str(number), NUMBERS[number]]],
    )


def missing_work(scene: Scene) -> Draft | None:
    """Each missing item of a course back to back, most points first."""
    course, day = scene.course(), scene.day(scene.rng.randint(1, 6))
    scene.clear(day)
    scene.world.assignments = [i for i in scene.world.assignments if i.course != course.course]
    minutes, time = scene.minutes(30, 60), scene.time(9, 16)
    points = scene.rng.sample(range(10, 95, 5), scene.rng.randint(2, 3))
    missing = [
        _due(scene, at(scene.day(-place - 2), "23:59"), course, float(worth), "MISSING")
        for place, worth in enumerate(points)
    ]
    handed_in = _due(scene, at(scene.day(-6), "23:59"), course, 99.0, "GRADED")
    coming = _due(scene, at(scene.day(9), "23:59"), course, 98.0)
    missing.sort(key=lambda item: -item.points)
    start = clock.parse_time(at(day, time))
    return Draft(
        scene,
        {"course": course.course, "date": day, "time": time, "minutes": minutes},
        ("canvas.get_assignments", CREATE),
        partial(coursework.make_up_work, course.course, at(day, time), minutes),
        expect=[
            created(item.title, clock.show(clock.plus(start, minutes * place)), minutes)
            for place, item in enumerate(missing)
        ],
        facts=[item.title for item in missing],
        unsaid=[handed_in.title, coming.title],
    )


def priority(scene: Scene) -> Draft | None:
    """The most urgent item of the next days, in a block of the length that fits it, tomorrow."""
    days, time = scene.rng.randint(3, 6), scene.time(9, 20)
    scene.undo(scene.world.today, scene.day(days))
    kinds = scene.rng.sample((("ASGN", 60.0), ("QUIZ", 20.0), ("DISC", 8.0), ("ASGN", 25.0)), 3)
    items = [
        _due(scene, at(scene.day(day), "22:00"), points=points, kind=kind)
        for day, (kind, points) in enumerate(kinds, 1)
        if day <= days
    ]
    first = reranker.priority_hint(scene.world, [item.title for item in items])["first"]
    item = scene.world.assignment(first)
    minutes = study.recommend_block_size(scene.world, item.type, item.points)["minutes"]
    start = at(scene.day(1), time)
    if not scene.free(start, minutes):
        return None
    return Draft(
        scene,
        {"days": days, "time": time},
        (
            "canvas.get_todo",
            "reranker.priority_hint",
            "canvas.get_assignments",
            "study.recommend_block_size",
            CREATE,
        ),
        partial(coursework.first_things_first, days, start),
        expect=[created(first, start, minutes)],
        facts=[first],
    )


def overview(scene: Scene) -> Draft | None:
    """Deadlines and appointments of some days told, nothing entered."""
    first = scene.day(scene.rng.randint(1, 4))
    last = first + timedelta(days=2)
    scene.undo(first, last)
    scene.clear(first, last + timedelta(days=1))
    items = [_due(scene, at(day, "22:30")) for day in (first, last)]
    inside, outside = scene.activities(2)
    event = scene.event(inside, at(first + timedelta(days=1), scene.time()), scene.minutes())
    scene.event(outside, at(last + timedelta(days=1), scene.time()), scene.minutes())
    told = [item.title for item in items]
    titles = (item.title for item in scene.world.assignments if item not in items)
    return Draft(
        scene,
        {"start": first, "end": last},
        (ITEMS, "calendar.list_events"),
        partial(coursework.days_at_a_glance, str(first), str(last)),
        facts=[*told, str(first), str(last), inside, f"{event.start:%H:%M}"],
        unsaid=[outside, *others(titles, told)],
    )


def workload(scene: Scene) -> Draft | None:
    """The course with most items due between two dates, and their number."""
    found = scene.courses(2)
    if not found:
        return None
    first = scene.day(scene.rng.randint(2, 6))
    last = first + timedelta(days=scene.rng.randint(4, 8))
    scene.undo(first, last)
    number = scene.rng.randint(3, 4)
    for course, count in zip(found, (number, number - scene.rng.randint(1, 2)), strict=True):
        for _ in range(count):
            day = first + timedelta(days=scene.rng.randint(0, (last - first).days))
            _due(scene, at(day, scene.time(9, 22)), course)
    most = found[0].course
    return Draft(
        scene,
        {"start": first, "end": last},
        (ITEMS, "canvas.list_courses"),
        partial(coursework.workload, str(first), str(last)),
        facts=[most, [str(number), NUMBERS[number]]],
        unsaid=[course.course for course in scene.world.courses if course.course != most],
    )


def _due(
    scene: Scene,
    due: str,
    course: Course | None = None,
    points: float = 20.0,
    status: str = "OPEN",
    kind: str = "ASGN",
) -> Assignment:
    """A new item of a topic of its own, by default of any course."""
    title = f"{scene.topic()} {FORMS[kind]}"
    return scene.item(course or scene.course(), title, kind, due, points, status)
