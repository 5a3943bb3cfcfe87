"""Oracle: for each intent the plan that serves it, as a generator over tool calls.

A plan yields (tool name, arguments), is sent the result as a dict, and returns the answer. Every
argument comes from the slots of the request or from a result, every fact of the answer from a
result.
"""

import json
from collections.abc import Callable, Generator

from canvas.agent import CallRecord, Transcript, call_message, result_message
from canvas.answers import describe, due, missing
from canvas.calls import CALLS, event
from canvas.tools import Toolbox

Call = tuple[str, dict]
Plan = Generator[Call, dict, str]
GREETING = "Hello! I look up courses and deadlines, plan study time and keep your calendar."
REFUSAL = "Sorry, I can only help with courses, study plans and your calendar."
WHICH_COURSE = "Which course do you mean?"
WHEN = "On which date, at what time and for how many minutes?"


def plan(intent: str, slots: dict) -> Plan:
    """The plan of an intent for these slots. Raises KeyError on an unknown intent."""
    if intent in REPLIES:
        return _reply(REPLIES[intent])
    if intent in CALLS:
        name, arguments = CALLS[intent]
        return _single(name, arguments(slots))
    return PLANS[intent](**slots)


def follow(plan: Plan, toolbox: Toolbox) -> Transcript:
    """Run a plan against a world. The transcript's messages start behind the user's."""
    transcript, result = Transcript(stopped="answer"), None
    while True:
        try:
            name, arguments = plan.send(result)
        except StopIteration as done:
            return finish(transcript, done.value)
        result = take(transcript, toolbox, name, arguments)


def take(transcript: Transcript, toolbox: Toolbox, name: str, arguments: dict) -> dict:
    """Make one call, enter it into the transcript, and return its result."""
    text = toolbox.call(name, arguments)
    transcript.calls.append(CallRecord(name, arguments, text, ran=True))
    transcript.messages += [call_message([(name, arguments)]), result_message(name, text)]
    return json.loads(text)


def finish(transcript: Transcript, answer: str) -> Transcript:
    """Enter the answer."""
    transcript.answer = answer
    transcript.messages.append({"role": "assistant", "content": answer})
    return transcript


def _reply(text: str) -> Plan:
    return text
    yield


def _single(name: str, arguments: dict) -> Plan:
    result = yield name, arguments
    return describe(name, arguments, result)


def _due_date(course: str, title: str) -> Plan:
    found = yield from _item(course, title)
    return due(found) if found else missing(title)


def _book_free_block(title: str, date: str, minutes: int) -> Plan:
    wanted = {"date": date, "minutes": minutes}
    found = yield "calendar.find_free_blocks", wanted
    if not found.get("free"):
        return describe("calendar.find_free_blocks", wanted, found)
    start = found["free"][0]["start"]
    return (yield from _single("calendar.create_event", event(title, start, minutes)))


def _delete_titled(title: str, date: str) -> Plan:
    found = yield from _event_on(title, date)
    if not found:
        return missing(title)
    return (yield from _single("calendar.delete_event", {"event": found["event"]}))


def _move_titled(title: str, date: str, time: str) -> Plan:
    found = yield from _event_on(title, date)
    if not found:
        return missing(title)
    arguments = {"event": found["event"], "start": f"{date}T{time}"}
    return (yield from _single("calendar.modify_event", arguments))


def _schedule_for_due(course: str, title: str, time: str, minutes: int) -> Plan:
    found = yield from _item(course, title)
    if not found or not found["due"]:
        return missing(title)
    start = f"{_day(found)}T{time}"
    return (yield from _single("calendar.create_event", event(title, start, minutes)))


def _space_for_exam(course: str, title: str, sessions: int) -> Plan:
    found = yield from _item(course, title)
    if not found or not found["due"]:
        return missing(title)
    arguments = {"exam_date": _day(found), "sessions": sessions}
    return (yield from _single("study.spaced_schedule", arguments))


def _bracket_for_exam(course: str, title: str, days: int) -> Plan:
    found = yield from _item(course, title)
    if not found or not found["due"]:
        return missing(title)
    return (yield from _single("study.exam_bracket", {"exam_date": _day(found), "days": days}))


def _block_for_title(course: str, title: str) -> Plan:
    found = yield from _item(course, title)
    if not found:
        return missing(title)
    arguments = {"type": found["type"], "points": found["points"]}
    return (yield from _single("study.recommend_block_size", arguments))


def _prioritise_todo(days: int) -> Plan:
    found = yield "canvas.get_todo", {"days": days}
    if not found.get("todo"):
        return describe("canvas.get_todo", {"days": days}, found)
    titles = [item["title"] for item in found["todo"]]
    return (yield from _single("reranker.priority_hint", {"items": titles}))


def _course_and_grade(course: str) -> Plan:
    return (yield from _both("canvas.get_course", "canvas.get_grades", {"course": course}))


def _grade_and_work(course: str) -> Plan:
    return (yield from _both("canvas.get_grades", "canvas.get_assignments", {"course": course}))


def _both(first: str, second: str, arguments: dict) -> Plan:
    answer = yield from _single(first, arguments)
    return f"{answer} {(yield from _single(second, arguments))}"


def _item(course: str, title: str) -> Generator[Call, dict, dict | None]:
    result = yield "canvas.get_assignments", {"course": course}
    return next((i for i in result.get("assignments", ()) if i["title"] == title), None)


def _event_on(title: str, date: str) -> Generator[Call, dict, dict | None]:
    result = yield "calendar.list_events", {"start": date, "end": date}
    return next((e for e in result.get("events", ()) if e["title"] == title), None)


def _day(item: dict) -> str:
    return item["due"].partition("T")[0]


PLANS: dict[str, Callable[..., Plan]] = {
    "due_date": _due_date,
    "book_free_block": _book_free_block,
    "delete_titled": _delete_titled,
    "move_titled": _move_titled,
    "schedule_for_due": _schedule_for_due,
    "space_for_exam": _space_for_exam,
    "bracket_for_exam": _bracket_for_exam,
    "block_for_title": _block_for_title,
    "prioritise_todo": _prioritise_todo,
    "course_and_grade": _course_and_grade,
    "grade_and_work": _grade_and_work,
}
REPLIES = {
    "greeting": GREETING,
    "out_of_scope": REFUSAL,
    "ask_course": WHICH_COURSE,
    "ask_when": WHEN,
}
