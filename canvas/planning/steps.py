"""Steps: calls and dates that the plans share."""

import json
from collections.abc import Iterable
from datetime import date, datetime, timedelta

from canvas.backends.scripted import Call, Plan
from canvas.faults import FAILURE

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_FAILED = json.loads(FAILURE)


def create(title: str, start: str, minutes: int) -> Call:
    """A call that adds an event."""
    return "calendar.create_event", {"title": title, "start": start, "minutes": minutes}


def gaps(day: str, minutes: int) -> Call:
    """A call that looks for free time."""
    return "calendar.find_free_blocks", {"date": day, "minutes": minutes}


def span(name: str, first: str, last: str) -> Call:
    """A call of a tool that takes the first and the last date."""
    return name, {"start": first, "end": last}


def about(name: str, course: str) -> Call:
    """A call of a tool that takes a course."""
    return name, {"course": course}


def day_of(moment: str) -> date:
    """The date of a time as text."""
    return datetime.fromisoformat(moment).date()


def time_of(moment: str) -> str:
    """The time of day of a time as text."""
    return moment.partition("T")[2]


def later(moment: str, **units: int) -> str:
    """A time as text, moved by days, hours or minutes."""
    return f"{datetime.fromisoformat(moment) + timedelta(**units):%Y-%m-%dT%H:%M}"


def days(first: str, last: str) -> list[date]:
    """Every date from the first to the last."""
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    return [start + timedelta(days=offset) for offset in range((end - start).days + 1)]


def listed(values: Iterable[object]) -> str:
    """Values with commas between."""
    return ", ".join(map(str, values))


def patient(plan: Plan) -> Plan:
    """The plan with each call made again for as long as its service fails."""
    results = None
    while True:
        try:
            step = plan.send(results)
        except StopIteration as done:
            return done.value
        calls = step if isinstance(step, list) else [step]
        found = list((yield calls))
        while failed := [place for place, result in enumerate(found) if result == _FAILED]:
            for place, result in zip(failed, (yield [calls[p] for p in failed]), strict=True):
                found[place] = result
        results = found if isinstance(step, list) else found[0]
