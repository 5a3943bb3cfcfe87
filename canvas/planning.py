"""Plans that pass the scenarios of data/scenarios/planning.yaml, one for each, under its id.

They prove that the scenarios can be passed with the tools alone: what they enter comes from the
prompt, which each of them serves literally, or from a result.
"""

from collections.abc import Callable
from datetime import date, datetime, timedelta

from canvas.backends.scripted import Call, Plan

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def semester_plan() -> Plan:
    """A weekly layout, and an hour in the evening of each of its weeks' first days."""
    layout = yield "study.semester_schedule", {"course": "@COURSE12", "hours": 6}
    weeks = layout["weeks"]
    yield [_create("Deep Work @COURSE12", f"{week['start']}T18:00", 60) for week in weeks]
    return "; ".join(f"from {week['start']}: {week['focus']}" for week in weeks)


def cepeda_spacing() -> Plan:
    """Spaced sessions at a fixed time of day."""
    spaced = yield "study.spaced_schedule", {"exam_date": "2026-04-02", "sessions": 4}
    days = spaced["sessions"]
    yield [_create("Recall @COURSE31", f"{day}T17:00", 45) for day in days]
    return f"Four sessions: {', '.join(days)}."


def exam_week() -> Plan:
    """The earliest free block on the eve of each exam."""
    span = {"start": "2026-04-14", "end": "2026-04-16"}
    exams = (yield "canvas.list_planner_items", span)["items"]
    eves = [str(_day(exam["due"]) - timedelta(days=1)) for exam in exams]
    gaps = yield [_gaps(eve, 90) for eve in eves]
    yield [
        _create(f"Final Review {exam['course']}", found["free"][0]["start"], 90)
        for exam, found in zip(exams, gaps, strict=True)
    ]
    return f"You write {exams[0]['title']} first."


def ill_in_bed() -> Plan:
    """Study sessions of two days proposed three days later, the rest left alone."""
    span = {"start": "2026-03-09", "end": "2026-03-10"}
    events = (yield "calendar.list_events", span)["events"]
    moved = [
        {"event": e["event"], "start": _later(e["start"], days=3)}
        for e in events
        if e["title"].startswith("Study")
    ]
    yield [("calendar.modify_event", change) for change in moved]
    return f"I suggest moving them to {' and '.join(change['start'] for change in moved)}."


def exam_bracket() -> Plan:
    """A bracket, with long blocks up to the light review and a short one on it."""
    found = yield "study.exam_bracket", {"exam_date": "2026-05-13", "days": 4}
    first, review = (date.fromisoformat(found[key]) for key in ("start", "light_review"))
    days = [first + timedelta(days=offset) for offset in range((review - first).days)]
    yield [
        *(_create("Exam Block", f"{day}T09:00", 120) for day in days),
        _create("Light Review", f"{review}T09:00", 40),
    ]
    return f"It starts on {first}, the light review is on {review}."


def busy_thursday() -> Plan:
    """The first gap of a full day that is long enough."""
    free = (yield _gaps("2026-03-05", 45))["free"]
    yield _create("Essay Draft", free[0]["start"], 45)
    return f"It begins at {_time(free[0]['start'])}."


def paper_in_parts() -> Plan:
    """Two hours in the first gap of each day that has one between 09:00 and 20:00."""
    days = [f"2026-03-0{day}" for day in (2, 3, 4, 5)]
    gaps = yield [_gaps(day, 120) for day in days]
    starts = [start for found in gaps if (start := _first_start(found["free"], 120))]
    yield [_create("Paper @COURSE17", start, 120) for start in starts]
    return f"I entered {2 * len(starts)} hours."


def first_things_first() -> Plan:
    """The most urgent item, in a block of the length that fits it."""
    todo = (yield "canvas.get_todo", {"days": 5})["todo"]
    hint = yield "reranker.priority_hint", {"items": [item["title"] for item in todo]}
    course = next(item["course"] for item in todo if item["title"] == hint["first"])
    items = (yield "canvas.get_assignments", {"course": course})["assignments"]
    item = next(item for item in items if item["title"] == hint["first"])
    size = yield (
        "study.recommend_block_size",
        {"type": item["type"], "points": item["points"]},
    )
    yield _create(item["title"], "2026-03-17T16:00", size["minutes"])
    return f"{item['title']} first, as {hint['reason']}: {size['minutes']} minutes tomorrow."


def weaker_course() -> Plan:
    """Two hours for the course with the lower percentage."""
    grades = yield [("canvas.get_grades", {"course": f"@COURSE{n}"}) for n in (2, 9)]
    weaker = min(grades, key=lambda grade: grade["score"])["course"]
    yield _create(f"Catch Up {weaker}", "2026-03-21T10:00", 120)
    shown = (f"{grade['score']} in {grade['course']}" for grade in grades)
    return f"You have {' and '.join(shown)}; {weaker} gets two hours."


def announced_review() -> Plan:
    """Date, time and room read from an announcement."""
    found = yield "canvas.list_announcements", {"course": "@COURSE14"}
    message = next(n["message"] for n in found["announcements"] if "review" in n["message"])
    words = message.rstrip(".").split()
    day, clock = words[words.index("on") + 1], words[words.index("at") + 1]
    yield _create("Review Session", f"{day}T{clock}", 75)
    return f"It is in Room {words[words.index('Room') + 1]}."


def office_hours() -> Plan:
    """The weekday of a syllabus turned into next week's date."""
    syllabus, course = yield [
        ("canvas.get_syllabus", {"course": "@COURSE6"}),
        ("canvas.get_course", {"course": "@COURSE6"}),
    ]
    weekday, hours = syllabus["office_hours"].split()
    day = date(2026, 3, 9) + timedelta(days=WEEKDAYS.index(weekday))
    yield _create("Office Hours", f"{day}T{hours.partition('-')[0]}", 30)
    return f"You will meet {course['instructor']} on {day}."


def free_evening() -> Plan:
    """Deletion proposed for what starts in the evening."""
    span = {"start": "2026-03-20", "end": "2026-03-20"}
    events = (yield "calendar.list_events", span)["events"]
    evening = [event for event in events if _time(event["start"]) >= "17:00"]
    yield [("calendar.delete_event", {"event": event["event"]}) for event in evening]
    return f"These would go: {', '.join(event['title'] for event in evening)}."


def make_up_work() -> Plan:
    """Missing work back to back, most points first."""
    found = yield "canvas.get_assignments", {"course": "@COURSE10"}
    missing = [item for item in found["assignments"] if item["status"] == "MISSING"]
    missing.sort(key=lambda item: -item["points"])
    yield [
        _create(item["title"], _later("2026-03-07T09:00", minutes=50 * place), 50)
        for place, item in enumerate(missing)
    ]
    return f"In this order: {', '.join(item['title'] for item in missing)}."


def days_at_a_glance() -> Plan:
    """Deadlines and appointments told, nothing entered."""
    span = {"start": "2026-03-09", "end": "2026-03-11"}
    due, events = yield [("canvas.list_planner_items", span), ("calendar.list_events", span)]
    lines = [f"{item['title']} is due {item['due']}" for item in due["items"]]
    lines += [f"{event['title']} starts {event['start']}" for event in events["events"]]
    return ". ".join(lines)


def group_call() -> Plan:
    """A refused time, then the next gap."""
    wanted = "2026-03-12T14:00"
    yield _create("Group Call", wanted, 60)
    events, gaps = yield [
        ("calendar.list_events", {"start": "2026-03-12", "end": "2026-03-12"}),
        _gaps("2026-03-12", 60),
    ]
    blocking = [event for event in events["events"] if event["start"] <= wanted][-1]
    start = next(gap["start"] for gap in gaps["free"] if gap["start"] > wanted)
    yield _create("Group Call", start, 60)
    return f"{blocking['title']} was in the way; the call begins at {_time(start)}."


def last_checks() -> Plan:
    """A short event on the due day of each item."""
    span = {"start": "2026-03-23", "end": "2026-03-25"}
    items = (yield "canvas.list_planner_items", span)["items"]
    yield [
        _create(f"Last Check {item['title']}", f"{_day(item['due'])}T08:30", 25) for item in items
    ]
    return f"I entered {len(items)}."


PLANS: dict[str, Callable[[], Plan]] = {
    plan.__name__.replace("_", "-"): plan
    for plan in (
        semester_plan,
        cepeda_spacing,
        exam_week,
        ill_in_bed,
        exam_bracket,
        busy_thursday,
        paper_in_parts,
        first_things_first,
        weaker_course,
        announced_review,
        office_hours,
        free_evening,
        make_up_work,
        days_at_a_glance,
        group_call,
        last_checks,
    )
}


def _create(title: str, start: str, minutes: int) -> Call:
    return "calendar.create_event", {"title": title, "start": start, "minutes": minutes}


def _gaps(day: str, minutes: int) -> Call:
    return "calendar.find_free_blocks", {"date": day, "minutes": minutes}


def _day(moment: str) -> date:
    return datetime.fromisoformat(moment).date()


def _time(moment: str) -> str:
    return moment.partition("T")[2]


def _later(moment: str, **span: int) -> str:
    return f"{datetime.fromisoformat(moment) + timedelta(**span):%Y-%m-%dT%H:%M}"


def _first_start(gaps: list[dict], minutes: int) -> str | None:
    """The earliest start at or after 09:00 that leaves `minutes` within a gap, before 20:00."""
    for gap in gaps:
        start = max(gap["start"], f"{gap['start'][:10]}T09:00")
        if _later(start, minutes=minutes) <= min(gap["end"], f"{gap['start'][:10]}T20:00"):
            return start
    return None
