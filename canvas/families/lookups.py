"""Lookups: requests that depend on a grade, an announcement or a syllabus."""

from datetime import timedelta
from functools import partial

from canvas.families.draft import Draft, created
from canvas.families.scene import Scene, at
from canvas.planning import coursework
from canvas.planning.steps import WEEKDAYS
from canvas.world.facts import letter_of

CREATE = "calendar.create_event"
MEETINGS = ("workshop", "excursion", "rehearsal")


def grades(scene: Scene) -> Draft | None:
    """Time for the course with the lower percentage; both are told."""
    found = scene.courses(2)
    minutes, label = scene.minutes(45, 120), scene.label()
    start = at(scene.day(scene.rng.randint(1, 8)), scene.time())
    if found is None or found[0].score == found[1].score or not scene.free(start, minutes):
        return None
    first, second = (course.course for course in found)
    weaker = min(found, key=lambda course: course.score).course
    return Draft(
        scene,
        {
            "course": first,
            "rival": second,
            "label": label,
            "date": start[:10],
            "time": start[11:],
            "minutes": minutes,
        },
        ("canvas.get_grades", CREATE),
        partial(coursework.weaker_course, first, second, label, start, minutes),
        expect=[created(f"{label} {weaker}", start, minutes)],
        facts=[str(course.score) for course in found],
    )


def grade_gate(scene: Scene) -> Draft | None:
    """Time for a course only where its percentage is below a limit; half of them are above."""
    limit, gap = scene.rng.randrange(65, 90, 5), scene.rng.randint(5, 60) / 10
    below = scene.rng.random() < 0.5
    score = round(limit - gap if below else limit + gap, 1)
    course = scene.change(scene.course(), score=score, letter=letter_of(score))
    name, minutes = scene.label(), scene.minutes(30, 90)
    start = at(scene.day(scene.rng.randint(1, 8)), scene.time())
    if not scene.free(start, minutes):
        return None
    slots = {"course": course.course, "limit": limit, "name": name, "minutes": minutes}
    return Draft(
        scene,
        {**slots, "date": start[:10], "time": start[11:]},
        ("canvas.get_grades", CREATE),
        partial(coursework.grade_gate, course.course, limit, name, start, minutes),
        expect=[created(name, start, minutes)] if below else [],
        facts=[str(score)],
    )


def announcement(scene: Scene) -> Draft | None:
    """Date, time and room of what was announced; the room is told."""
    course, minutes = scene.course(), scene.minutes(45, 90)
    day, time = scene.day(scene.rng.randint(2, 10)), scene.time(9, 19)
    room, word = (
        scene.rng.randint(510, 899),
        scene.rng.choice(MEETINGS),
    )
    name = word.capitalize()
    scene.clear(day)
    scene.notice(course, "Next steps", f"We hold a {word} on {day} at {time} in Room {room}.")
    return Draft(
        scene,
        {"course": course.course, "word": word, "minutes": minutes, "name": name},
        ("canvas.list_announcements", CREATE),
        partial(coursework.announced_review, course.course, word, name, minutes),
        expect=[created(name, at(day, time), minutes)],
        facts=[f"Room {room}"],
    )


def office_hours(scene: Scene) -> Draft | None:
    """The first minutes of next week's office hours of a course; the instructor is told."""
    course, monday = scene.course(), scene.monday()
    minutes, name = scene.minutes(15, 40), "Office Hours"
    weekday, hours = course.office_hours.split()
    start = at(monday + timedelta(days=WEEKDAYS.index(weekday)), hours.partition("-")[0])
    if not scene.free(start, minutes):
        return None
    instructors = [c.instructor for c in scene.world.courses if c != course]
    return Draft(
        scene,
        {"course": course.course, "minutes": minutes, "name": name},
        ("canvas.get_syllabus", "canvas.get_course", CREATE),
        partial(coursework.office_hours, course.course, str(monday), name, minutes),
        expect=[created(name, start, minutes)],
        facts=[course.instructor],
        unsaid=instructors,
    )
