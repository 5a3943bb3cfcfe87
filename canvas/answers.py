"""Answers: what the oracle says about a result, one short fixed template for each tool.

Values stand in the answer exactly as in the result, titles between the same double quotes, so that
stating them is copying.
"""

from collections.abc import Iterable

NOTHING = "Nothing found."
UNDATED = "without a date"


def describe(name: str, arguments: dict, result: dict) -> str:
    """The answer to one call of tool `name`. Raises KeyError on a tool without a template."""
    if "error" in result:
        return f"That did not work: {result['error']}."
    return TEMPLATES[name](arguments, result)


def missing(title: str) -> str:
    """The answer where a result does not hold the title that was asked for."""
    return f'I could not find "{title}".'


def due(item: dict) -> str:
    """When one item is due."""
    return f'"{item["title"]}" is due {item["due"] or UNDATED}.'


def _list_courses(arguments: dict, result: dict) -> str:
    return _sentence("Your courses", (f"{c['course']} {c['name']}" for c in result["courses"]))


def _get_course(arguments: dict, result: dict) -> str:
    return (
        f"{result['course']} is {result['name']} with {result['instructor']}, "
        f"{result['room']}, {result['term']}."
    )


def _get_assignments(arguments: dict, result: dict) -> str:
    items = (f'"{item["title"]}" due {_when(item)}' for item in result["assignments"])
    return _sentence(arguments["course"], items)


def _get_syllabus(arguments: dict, result: dict) -> str:
    return (
        f"{result['course']}: {result['late_policy']}; office hours {result['office_hours']}; "
        f"textbook {result['textbook']}."
    )


def _get_todo(arguments: dict, result: dict) -> str:
    return _sentence("Due", map(_dated, result["todo"]))


def _get_grades(arguments: dict, result: dict) -> str:
    return f"You have {result['score']} ({result['letter']}) in {result['course']}."


def _list_announcements(arguments: dict, result: dict) -> str:
    notices = (f'"{n["title"]}": {n["message"]}' for n in result["announcements"])
    return " ".join((f"{arguments['course']}:", *notices)) if result["announcements"] else NOTHING


def _list_planner_items(arguments: dict, result: dict) -> str:
    return _sentence("Due", map(_dated, result["items"]))


def _list_events(arguments: dict, result: dict) -> str:
    return _sentence(
        "Events", (f'{e["event"]} "{e["title"]}" {e["start"]}' for e in result["events"])
    )


def _find_free_blocks(arguments: dict, result: dict) -> str:
    return _sentence("Free", (f"{_time(b['start'])} to {_time(b['end'])}" for b in result["free"]))


def _create_event(arguments: dict, result: dict) -> str:
    return f"Added {result['event']}: {result['start']}, {result['minutes']} minutes."


def _modify_event(arguments: dict, result: dict) -> str:
    shown = {"start": "{}", "minutes": "{} minutes", "title": '"{}"'}
    changes = [form.format(result[key]) for key, form in shown.items() if key in arguments]
    return f"Proposed for {result['event']}: {', '.join(changes)}."


def _delete_event(arguments: dict, result: dict) -> str:
    return f'Proposed: delete {result["event"]} "{result["title"]}".'


def _spaced_schedule(arguments: dict, result: dict) -> str:
    return _sentence("Study on", result["sessions"], colon="", comma=", ")


def _semester_schedule(arguments: dict, result: dict) -> str:
    weeks = (f'{w["start"]} {w["hours"]} hours "{w["focus"]}"' for w in result["weeks"])
    return _sentence(result["course"], weeks)


def _recommend_block_size(arguments: dict, result: dict) -> str:
    blocks = "1 block" if result["blocks"] == 1 else f"{result['blocks']} blocks"
    return f"Plan {blocks} of {result['minutes']} minutes."


def _exam_bracket(arguments: dict, result: dict) -> str:
    return f"Start {result['start']}, light review {result['light_review']}, exam {result['exam']}."


def _priority_hint(arguments: dict, result: dict) -> str:
    return f'First "{result["first"]}": {result["reason"]}.'


def _dated(item: dict) -> str:
    return f'"{item["title"]}" {item["course"]} {_when(item)}'


def _time(moment: str) -> str:
    return moment.partition("T")[2]


def _when(item: dict) -> str:
    """The date that something is due; a list leaves the time of day out."""
    return item["due"].partition("T")[0] if item["due"] else UNDATED


def _sentence(head: str, parts: Iterable[str], colon: str = ":", comma: str = "; ") -> str:
    parts = list(parts)
    return f"{head}{colon} {comma.join(parts)}." if parts else NOTHING


TEMPLATES = {
    "canvas.list_courses": _list_courses,
    "canvas.get_course": _get_course,
    "canvas.get_assignments": _get_assignments,
    "canvas.get_syllabus": _get_syllabus,
    "canvas.get_todo": _get_todo,
    "canvas.get_grades": _get_grades,
    "canvas.list_announcements": _list_announcements,
    "canvas.list_planner_items": _list_planner_items,
    "calendar.list_events": _list_events,
    "calendar.find_free_blocks": _find_free_blocks,
    "calendar.create_event": _create_event,
    "calendar.modify_event": _modify_event,
    "calendar.delete_event": _delete_event,
    "study.spaced_schedule": _spaced_schedule,
    "study.semester_schedule": _semester_schedule,
    "study.recommend_block_size": _recommend_block_size,
    "study.exam_bracket": _exam_bracket,
    "reranker.priority_hint": _priority_hint,
}
