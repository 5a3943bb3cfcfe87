"""Exams: plans that lay study out over the days and weeks before a date."""

from datetime import timedelta

from canvas.backends.scripted import Plan
from canvas.planning.steps import about, create, day_of, days, gaps, listed, span


def semester_plan(course: str, hours: float, title: str, time: str, minutes: int) -> Plan:
    """A weekly layout, and an event on the first day of each of its weeks."""
    layout = yield "study.semester_schedule", {"course": course, "hours": hours}
    weeks = layout["weeks"]
    yield [create(title, f"{week['start']}T{time}", minutes) for week in weeks]
    return "; ".join(f"from {week['start']}: {week['focus']}" for week in weeks)


def cepeda_spacing(exam: str, sessions: int, title: str, time: str, minutes: int) -> Plan:
    """Spaced sessions at a fixed time of day."""
    spaced = yield "study.spaced_schedule", {"exam_date": exam, "sessions": sessions}
    yield [create(title, f"{day}T{time}", minutes) for day in spaced["sessions"]]
    return f"The sessions: {listed(spaced['sessions'])}."


def spaced_exam(course: str, exam: str, sessions: int, title: str, time: str, minutes: int) -> Plan:
    """Spaced sessions before an exam whose date the course's list tells."""
    items = (yield about("canvas.get_assignments", course))["assignments"]
    due = next(item["due"] for item in items if item["title"] == exam)
    told = yield from cepeda_spacing(str(day_of(due)), sessions, title, time, minutes)
    return f"{exam} is on {day_of(due)}. {told}"


def exam_week(first: str, last: str, word: str, label: str, minutes: int) -> Plan:
    """The earliest free block on the eve of each exam; an exam has `word` in its title."""
    items = (yield span("canvas.list_planner_items", first, last))["items"]
    exams = [item for item in items if word in item["title"]]
    eves = [str(day_of(exam["due"]) - timedelta(days=1)) for exam in exams]
    found = yield [gaps(eve, minutes) for eve in eves]
    yield [
        create(f"{label} {exam['course']}", free["free"][0]["start"], minutes)
        for exam, free in zip(exams, found, strict=True)
    ]
    return f"You write {exams[0]['title']} first."


def exam_bracket(
    exam: str, length: int, time: str, block: tuple[str, int], review: tuple[str, int]
) -> Plan:
    """A bracket, with blocks (title, minutes) up to the light review and another one on it."""
    found = yield "study.exam_bracket", {"exam_date": exam, "days": length}
    first, eve = found["start"], found["light_review"]
    yield [
        *(create(block[0], f"{day}T{time}", block[1]) for day in days(first, eve)[:-1]),
        create(review[0], f"{eve}T{time}", review[1]),
    ]
    return f"It starts on {first}, the light review is on {eve}."
