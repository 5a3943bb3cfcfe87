"""Calendar: plans that fit events into days and propose changes to what stands there."""

from itertools import pairwise

from canvas.backends.scripted import Plan
from canvas.planning.steps import create, day_of, days, gaps, later, listed, span, time_of

EVENTS = "calendar.list_events"


def ill_in_bed(first: str, last: str, word: str, shift: int) -> Plan:
    """Events whose titles start with `word` proposed some days later, the rest left alone."""
    events = (yield span(EVENTS, first, last))["events"]
    moved = [
        {"event": event["event"], "start": later(event["start"], days=shift)}
        for event in events
        if event["title"].startswith(word)
    ]
    yield [("calendar.modify_event", change) for change in moved]
    return f"I suggest moving them to {listed(change['start'] for change in moved)}."


def first_gap(day: str, minutes: int, title: str) -> Plan:
    """The first gap of a full day that is long enough."""
    free = (yield gaps(day, minutes))["free"]
    yield create(title, free[0]["start"], minutes)
    return f"It begins at {time_of(free[0]['start'])}."


def next_gap(title: str, wanted: str, minutes: int) -> Plan:
    """A refused time, then the next gap."""
    day = wanted[:10]
    yield create(title, wanted, minutes)
    events, found = yield [span(EVENTS, day, day), gaps(day, minutes)]
    blocking = [event for event in events["events"] if event["start"] <= wanted][-1]
    start = next(gap["start"] for gap in found["free"] if gap["start"] > wanted)
    yield create(title, start, minutes)
    return f"{blocking['title']} was in the way; it begins at {time_of(start)}."


def untangle(day: str, start: str) -> Plan:
    """Of two events that overlap the later proposed for another time."""
    events = (yield span(EVENTS, day, day))["events"]
    second = next(
        second
        for first, second in pairwise(events)
        if second["start"] < later(first["start"], minutes=first["minutes"])
    )
    yield "calendar.modify_event", {"event": second["event"], "start": start}
    return f"I propose to move {second['title']}."


def free_evening(day: str, time: str) -> Plan:
    """Deletion proposed for what starts at a time of day or later."""
    events = (yield span(EVENTS, day, day))["events"]
    evening = [event for event in events if time_of(event["start"]) >= time]
    yield [("calendar.delete_event", {"event": event["event"]}) for event in evening]
    return f"These would go: {listed(event['title'] for event in evening)}."


def shorten(word: str, first: str, last: str, minutes: int) -> Plan:
    """Another length proposed for every event with `word` in its title."""
    events = (yield span(EVENTS, first, last))["events"]
    found = [event for event in events if word in event["title"]]
    yield [
        ("calendar.modify_event", {"event": event["event"], "minutes": minutes}) for event in found
    ]
    return f"I propose it for {len(found)}: {listed(event['title'] for event in found)}."


def travel(day: str, minutes: int, title: str) -> Plan:
    """An event that ends where each event of a day begins."""
    events = (yield span(EVENTS, day, day))["events"]
    starts = [later(event["start"], minutes=-minutes) for event in events]
    yield [create(title, start, minutes) for start in starts]
    return f"You set out at {listed(map(time_of, starts))}."


def weekly(
    weekdays: tuple[int, int], first: str, last: str, time: str, minutes: int, title: str
) -> Plan:
    """An event on two weekdays (Monday is 0) of a span, but for dates on which it would clash."""
    events = (yield span(EVENTS, first, last))["events"]
    starts = [f"{day}T{time}" for day in days(first, last) if day.weekday() in weekdays]
    clashing = [
        start
        for start in starts
        if any(
            event["start"] < later(start, minutes=minutes)
            and start < later(event["start"], minutes=event["minutes"])
            for event in events
        )
    ]
    yield [create(title, start, minutes) for start in starts if start not in clashing]
    return f"I left out {listed(map(day_of, clashing))}."


def paper_in_parts(
    first: str, last: str, title: str, minutes: int, opens: str, closes: str
) -> Plan:
    """A block in the first gap of each day that has one between two times of day."""
    found = yield [gaps(str(day), minutes) for day in days(first, last)]
    starts = [_within(gap["free"], minutes, opens, closes) for gap in found]
    placed = [start for start in starts if start]
    yield [create(title, start, minutes) for start in placed]
    return f"I entered {len(placed) * minutes / 60:g} hours."


def _within(free: list[dict], minutes: int, opens: str, closes: str) -> str | None:
    """The earliest start that leaves `minutes` within a gap, between two times of day."""
    for gap in free:
        day = gap["start"][:10]
        start = max(gap["start"], f"{day}T{opens}")
        if later(start, minutes=minutes) <= min(gap["end"], f"{day}T{closes}"):
            return start
    return None
