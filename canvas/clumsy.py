"""Clumsy planner: the oracle with one slip, run truly against the world.

What it leaves is a session that went wrong at one known message, for methods that learn from
undesirable examples.
"""

import random
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from canvas.agent import Transcript
from canvas.answers import NOTHING, describe
from canvas.oracle import Call, Plan, finish, take
from canvas.tools import DECLARATIONS, Toolbox
from canvas.tools.base import MAX_MINUTES
from canvas.world import World
from canvas.world.facts import TYPES

Slip = tuple[str, Call | None]
DONE = "Done."


def blunder(
    plan: Plan, toolbox: Toolbox, place: int, rng: random.Random
) -> tuple[Transcript, str, int] | None:
    """Follow a plan but for a slip at call `place` (0 is the first).

    Returns the transcript, the kind of slip and the place of its message in the transcript; None
    where the plan has no such call or the call offers no slip.
    """
    transcript, call = Transcript(stopped="answer"), _first(plan)
    last: tuple[str, dict, dict] | None = None
    for _ in range(place):
        if call is None:
            return None
        last = (*call, take(transcript, toolbox, *call))
        call = _next(plan, last[2])
    options = list(slips(call, toolbox)) if call else list(inventions(toolbox))
    if not options:
        return None
    kind, slipped = rng.choice(options)
    where = len(transcript.messages)
    if slipped is None:
        return finish(transcript, describe(*last) if last else DONE), kind, where
    result = take(transcript, toolbox, *slipped)
    if not call or slipped[0] != call[0]:
        return finish(transcript, describe(*slipped, result)), kind, where
    return _go_on(plan, toolbox, transcript, result), kind, where


def slips(call: Call, toolbox: Toolbox) -> Iterator[Slip]:
    """Wrong versions of a call: (kind, call), with None for leaving it out."""
    name, arguments = call
    for key, value in arguments.items():
        for kind, wrong in _wrong(key, value, toolbox.world):
            yield kind, (name, {**arguments, key: wrong})
    for other in toolbox.names:
        if other != name and _required(other) == set(arguments):
            yield "wrong_tool", (other, dict(arguments))
    yield "missing_call", None


def inventions(toolbox: Toolbox) -> Iterator[Slip]:
    """Calls where none was asked for: about the first course, with arguments made up."""
    token = toolbox.world.courses[0].course
    for name in toolbox.names:
        if _required(name) == {"course"}:
            yield "needless_call", (name, {"course": token})
        if not _required(name):
            yield "needless_call", (name, {})


def _first(plan: Plan) -> Call | None:
    return _next(plan, None)


def _next(plan: Plan, result: dict | None) -> Call | None:
    try:
        return plan.send(result)
    except StopIteration:
        return None


def _go_on(plan: Plan, toolbox: Toolbox, transcript: Transcript, result: dict) -> Transcript:
    """The rest of the plan, as it follows from the wrong result."""
    while True:
        try:
            call = plan.send(result)
        except StopIteration as done:
            return finish(transcript, done.value or NOTHING)
        result = take(transcript, toolbox, *call)


def _wrong(key: str, value: object, world: World) -> Iterator[tuple[str, object]]:
    """Wrong values of one argument, each with its kind."""
    if key == "course":
        yield from (("wrong_course", c.course) for c in world.courses if c.course != value)
    elif key == "event":
        yield from (("wrong_event", e.event) for e in world.events if e.event != value)
    elif key == "type":
        yield from (("wrong_value", kind) for kind in TYPES if kind != value)
    elif key in ("date", "exam_date", "start", "end"):
        yield from (("wrong_date", _shifted(value, days)) for days in (-1, 1))
    elif key == "title":
        yield "wrong_title", value.rpartition(" ")[0] or f"{value} 2"
    elif key == "items":
        yield "wrong_value", value[1:]
    elif isinstance(value, int | float):
        step = 10 if key in ("minutes", "points") else 1
        yield from (("wrong_value", v) for v in (value - step, value + step) if 0 < v < MAX_MINUTES)


def _shifted(text: str, days: int) -> str:
    """A date or time some days off, in the same form."""
    kind = datetime if "T" in text else date
    return (kind.fromisoformat(text) + timedelta(days=days)).isoformat()[: len(text)]


def _required(name: str) -> set[str]:
    return set(DECLARATIONS[name]["parameters"]["required"])
