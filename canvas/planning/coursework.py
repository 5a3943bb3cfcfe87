"""Coursework: plans that read deadlines, grades and announcements and act on them."""

from collections import Counter
from datetime import date, timedelta

from canvas.backends.scripted import Plan
from canvas.planning.steps import (
    WEEKDAYS,
    about,
    create,
    day_of,
    later,
    listed,
    span,
)

ITEMS = "canvas.list_planner_items"


def first_things_first(days: int, start: str) -> Plan:
    """The most urgent item, in a block of the length that fits it."""
    todo = (yield "canvas.get_todo", {"days": days})["todo"]
    hint = yield "reranker.priority_hint", {"items": [item["title"] for item in todo]}
    course = next(item["course"] for item in todo if item["title"] == hint["first"])
    items = (yield about("canvas.get_assignments", course))["assignments"]
    item = next(item for item in items if item["title"] == hint["first"])
    size = yield (
        "study.recommend_block_size",
        {"type": item["type"], "points": item["points"]},
    )
    yield create(item["title"], start, size["minutes"])
    return f"{item['title']} first, as {hint['reason']}: {size['minutes']} minutes."


def weaker_course(first: str, second: str, label: str, start: str, minutes: int) -> Plan:
    """Time for the course with the lower percentage."""
    grades = yield [about("canvas.get_grades", course) for course in (first, second)]
    weaker = min(grades, key=lambda grade: grade["score"])["course"]
    yield create(f"{label} {weaker}", start, minutes)
    shown = (f"{grade['score']} in {grade['course']}" for grade in grades)
    return f"You have {' and '.join(shown)}; {weaker} gets {minutes} minutes."


def grade_gate(course: str, limit: float, title: str, start: str, minutes: int) -> Plan:
    """Time for a course only where its percentage is below a limit."""
    grade = yield about("canvas.get_grades", course)
    if grade["score"] >= limit:
        return f"You have {grade['score']} in {course}, so I entered nothing."
    yield create(title, start, minutes)
    return f"You have {grade['score']} in {course}, so I entered {title}."


def announced_review(course: str, word: str, title: str, minutes: int) -> Plan:
    """Date, time and room read from the announcement with `word` in its message."""
    found = yield about("canvas.list_announcements", course)
    message = next(n["message"] for n in found["announcements"] if word in n["message"])
    words = message.replace(".", " ").split()
    day, clock = words[words.index("on") + 1], words[words.index("at") + 1]
    yield create(title, f"{day}T{clock}", minutes)
    return f"It is in Room {words[words.index('Room') + 1]}."


def office_hours(course: str, monday: str, title: str, minutes: int) -> Plan:
    """The weekday of a syllabus turned into a date of the week that begins on `monday`."""
    syllabus, found = yield [
        about("canvas.get_syllabus", course),
        about("canvas.get_course", course),
    ]
    weekday, hours = syllabus["office_hours"].split()
    day = date.fromisoformat(monday) + timedelta(days=WEEKDAYS.index(weekday))
    yield create(title, f"{day}T{hours.partition('-')[0]}", minutes)
    return f"You will meet {found['instructor']} on {day}."


def make_up_work(course: str, start: str, minutes: int) -> Plan:
    """Missing work back to back, most points first."""
    found = yield about("canvas.get_assignments", course)
    missing = [item for item in found["assignments"] if item["status"] == "MISSING"]
    missing.sort(key=lambda item: -item["points"])
    yield [
        create(item["title"], later(start, minutes=minutes * place), minutes)
        for place, item in enumerate(missing)
    ]
    return f"In this order: {listed(item['title'] for item in missing)}."


def days_at_a_glance(first: str, last: str) -> Plan:
    """Deadlines and appointments told, nothing entered."""
    due, events = yield [span(ITEMS, first, last), span("calendar.list_events", first, last)]
    lines = [f"{item['title']} is due {item['due']}" for item in due["items"]]
    lines += [f"{event['title']} starts {event['start']}" for event in events["events"]]
    return ". ".join(lines)


def last_checks(first: str, last: str, label: str, time: str, minutes: int) -> Plan:
    """A short event on the due day of each item."""
    items = (yield span(ITEMS, first, last))["items"]
    yield [
        create(f"{label} {item['title']}", f"{day_of(item['due'])}T{time}", minutes)
        for item in items
    ]
    return f"I entered {len(items)}."


def workload(first: str, last: str) -> Plan:
    """The course with most items due."""
    items = (yield span(ITEMS, first, last))["items"]
    ((course, number),) = Counter(item["course"] for item in items).most_common(1)
    return f"{course} has the most: {number}."
