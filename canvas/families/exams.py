"""Exams: requests to lay study out over the days and weeks before a date."""

from datetime import date, timedelta
from functools import partial

from canvas.families.draft import Draft, created
from canvas.families.scene import Scene, at
from canvas.planning import exams
from canvas.tools import study
from canvas.tools.base import ToolError

CREATE = "calendar.create_event"


def semester_plan(scene: Scene) -> Draft | None:
    """An event on the first day of every week of a layout; the foci are told."""
    course, hours = scene.course().course, scene.rng.randint(3, 9)
    title, time, minutes = f"{scene.label()} {course}", scene.time(16, 21), scene.minutes(30, 75)
    try:
        weeks = study.semester_schedule(scene.world, course, hours)["weeks"]
    except ToolError:
        return None
    starts = [at(week["start"], time) for week in weeks]
    if not 2 <= len(weeks) <= 5 or not all(scene.free(start, minutes) for start in starts):
        return None
    return Draft(
        scene,
        {"course": course, "hours": hours, "name": title, "time": time, "minutes": minutes},
        ("study.semester_schedule", CREATE),
        partial(exams.semester_plan, course, hours, title, time, minutes),
        expect=[created(title, start, minutes) for start in starts],
        facts=list(dict.fromkeys(week["focus"] for week in weeks)),
    )


def cepeda_spacing(scene: Scene) -> Draft | None:
    """Spaced sessions before an exam on a date; their dates are told."""
    found = _sessions(scene, scene.day(scene.rng.randint(12, 45)))
    if not found:
        return None
    slots, expect, days = found
    plan = (str(slots["exam"]), slots["sessions"], slots["name"], slots["time"], slots["minutes"])
    return Draft(
        scene,
        slots,
        ("study.spaced_schedule", CREATE),
        partial(exams.cepeda_spacing, *plan),
        expect=expect,
        facts=days,
    )


def spaced_exam(scene: Scene) -> Draft | None:
    """The same where only the title of the exam is told."""
    course = scene.course()
    exam = scene.day(scene.rng.randint(9, 28))
    found = _sessions(scene, exam)
    if not found:
        return None
    slots, expect, days = found
    title = _exam(scene, course, exam)
    del slots["exam"]
    slots |= {"course": course.course, "title": title}
    keys = ("course", "title", "sessions", "name", "time", "minutes")
    return Draft(
        scene,
        slots,
        ("canvas.get_assignments", "study.spaced_schedule", CREATE),
        partial(exams.spaced_exam, *(slots[key] for key in keys)),
        expect=expect,
        facts=[*days, str(exam)],
    )


def several_exams(scene: Scene) -> Draft | None:
    """The earliest free block on the eve of each of some exams; the first exam is told."""
    number = scene.rng.randint(2, 3)
    courses = scene.courses(number)
    if not courses:
        return None
    first = scene.day(scene.rng.randint(5, 15))
    last = first + timedelta(days=scene.rng.randint(number, 6))
    days = sorted(scene.rng.sample(range((last - first).days + 1), number))
    scene.undo(first, last)
    titles = [
        _exam(scene, course, first + timedelta(days=offset))
        for course, offset in zip(courses, days, strict=True)
    ]
    homework = at(first + timedelta(days=days[0]), "07:30")
    scene.item(scene.course(), f"{scene.topic()} Worksheet", "ASGN", homework, 15)
    label, minutes = scene.label(), scene.minutes(45, 120)
    eves = [first + timedelta(days=offset - 1) for offset in days]
    for eve in eves:
        _occupy(scene, eve)
    return Draft(
        scene,
        {"start": first, "end": last, "minutes": minutes, "label": label},
        ("canvas.list_planner_items", "calendar.find_free_blocks", CREATE),
        partial(exams.exam_week, str(first), str(last), "Exam", label, minutes),
        expect=[
            created(f"{label} {course.course}", at(eve, _opening(scene, eve)), minutes)
            for course, eve in zip(courses, eves, strict=True)
        ],
        facts=[[titles[0], courses[0].course]],
        unsaid=titles[1:],
    )


def exam_bracket(scene: Scene) -> Draft | None:
    """Blocks on every day of a bracket and a short one on its light review; both dates are told."""
    length = scene.rng.randint(3, 5)
    exam = scene.day(scene.rng.randint(length + 1, 21))
    days = [exam - timedelta(days=before) for before in range(length, 0, -1)]
    time, title, light = scene.time(8, 19), scene.label(), "Light Review"
    minutes, short = scene.minutes(75, 150), scene.minutes(20, 45)
    starts = [at(day, time) for day in days]
    if not all(scene.free(start, minutes) for start in starts):
        return None
    blocks = [created(title, start, minutes) for start in starts[:-1]]
    return Draft(
        scene,
        {
            "exam": exam,
            "days": length,
            "time": time,
            "name": title,
            "minutes": minutes,
            "light": light,
            "short": short,
        },
        ("study.exam_bracket", CREATE),
        partial(exams.exam_bracket, str(exam), length, time, (title, minutes), (light, short)),
        expect=[*blocks, created(light, starts[-1], short)],
        facts=[str(days[0]), str(days[-1])],
    )


def _sessions(scene: Scene, exam: date) -> tuple[dict, list[dict], list[str]] | None:
    """Slots, rules and dates of spaced sessions before `exam`, or None where they do not fit."""
    sessions, left = scene.rng.randint(3, 5), (exam - scene.world.today).days
    name, time, minutes = scene.label(), scene.time(15, 21), scene.minutes(20, 60)
    days = [scene.day(offset) for offset in study.session_offsets(left, sessions)]
    starts = [at(day, time) for day in days]
    if not all(scene.free(start, minutes) for start in starts):
        return None
    slots = {
        "exam": exam,
        "sessions": sessions,
        "name": name,
        "time": time,
        "minutes": minutes,
    }
    return slots, [created(name, start, minutes) for start in starts], list(map(str, days))


def _exam(scene: Scene, course, day: date) -> str:
    title = f"{scene.topic()} Exam"
    scene.item(course, title, "EXAM", at(day, scene.time(9, 17)), scene.rng.randrange(50, 205, 5))
    return title


def _occupy(scene: Scene, day: date) -> None:
    """An event from 08:00 on that day and nothing else before the afternoon."""
    scene.clear(day)
    if scene.rng.random() < 0.8:
        (title,) = scene.activities(1)
        scene.event(title, at(day, "08:00"), scene.minutes(45, 180))


def _opening(scene: Scene, day: date) -> str:
    """When the first free time of an occupied day begins."""
    events = [event for event in scene.world.events if event.start.date() == day]
    return f"{events[0].end:%H:%M}" if events else "08:00"
