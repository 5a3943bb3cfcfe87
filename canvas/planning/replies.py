"""Replies: plans that change nothing, because they must not, cannot, or need to ask first."""

from canvas.backends.scripted import Plan
from canvas.planning.steps import about, create, listed, span


def say(text: str) -> Plan:
    """An answer without a call."""
    return text
    yield


def which_event(day: str, word: str) -> Plan:
    """A question where several events of a day have `word` in their titles."""
    events = (yield span("calendar.list_events", day, day))["events"]
    found = [event for event in events if word in event["title"]]
    shown = listed(f"{event['title']} at {event['start'][11:]}" for event in found)
    return f"Which one do you mean: {shown}?"


def unknown_course(course: str) -> Plan:
    """What a course that does not exist leads to."""
    found = yield about("canvas.get_assignments", course)
    return f"I found no course {course}: {found['error']}."


def unless_taken(title: str, start: str, minutes: int) -> Plan:
    """One try; a refusal is only told."""
    found = yield create(title, start, minutes)
    if "error" in found:
        return f"I left everything as it is: {found['error']}."
    return f"{found['title']} begins at {found['start']}."


def no_grade(course: str, tries: int) -> Plan:
    """Tries to read a grade, and tells that it did not work."""
    for _ in range(tries):
        found = yield about("canvas.get_grades", course)
    return f"I could not read your grade in {course}: {found['error']}. Nothing was entered."
