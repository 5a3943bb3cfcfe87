"""Calls: the one call that serves an intent of kind single, from the slots of its request."""

from collections.abc import Callable

from canvas.intents.draws import KINDS


def event(title: str, start: str, minutes: int) -> dict:
    """Arguments of calendar.create_event."""
    return {"title": title, "start": start, "minutes": minutes}


def _course(slots: dict) -> dict:
    return {"course": slots["course"]}


def _span(slots: dict) -> dict:
    return {"start": slots["start"], "end": slots["end"]}


def _start(slots: dict) -> str:
    return f"{slots['date']}T{slots['time']}"


# Tool, and arguments from slots, by intent.
CALLS: dict[str, tuple[str, Callable[[dict], dict]]] = {
    "list_courses": ("canvas.list_courses", lambda slots: {}),
    "get_course": ("canvas.get_course", _course),
    "get_assignments": ("canvas.get_assignments", _course),
    "get_syllabus": ("canvas.get_syllabus", _course),
    "get_todo": ("canvas.get_todo", lambda slots: {"days": slots["days"]}),
    "get_grades": ("canvas.get_grades", _course),
    "list_announcements": ("canvas.list_announcements", _course),
    "list_planner_items": ("canvas.list_planner_items", _span),
    "list_events": ("calendar.list_events", _span),
    "list_events_day": (
        "calendar.list_events",
        lambda slots: {"start": slots["date"], "end": slots["date"]},
    ),
    "find_free_blocks": (
        "calendar.find_free_blocks",
        lambda slots: {"date": slots["date"], "minutes": slots["minutes"]},
    ),
    "create_event": (
        "calendar.create_event",
        lambda slots: event(slots["title"], _start(slots), slots["minutes"]),
    ),
    "move_event": (
        "calendar.modify_event",
        lambda slots: {"event": slots["event"], "start": _start(slots)},
    ),
    "resize_event": (
        "calendar.modify_event",
        lambda slots: {"event": slots["event"], "minutes": slots["minutes"]},
    ),
    "rename_event": (
        "calendar.modify_event",
        lambda slots: {"event": slots["event"], "title": slots["title"]},
    ),
    "delete_event": ("calendar.delete_event", lambda slots: {"event": slots["event"]}),
    "spaced_schedule": (
        "study.spaced_schedule",
        lambda slots: {"exam_date": slots["date"], "sessions": slots["sessions"]},
    ),
    "semester_schedule": (
        "study.semester_schedule",
        lambda slots: {"course": slots["course"], "hours": slots["hours"]},
    ),
    "recommend_block_size": (
        "study.recommend_block_size",
        lambda slots: {"type": KINDS[slots["kind"]], "points": slots["points"]},
    ),
    "exam_bracket": (
        "study.exam_bracket",
        lambda slots: {"exam_date": slots["date"], "days": slots["days"]},
    ),
    "priority_hint": (
        "reranker.priority_hint",
        lambda slots: {"items": [slots["title"], slots["other"]]},
    ),
}
