"""What every tool module shares: declarations, the error a model can read, checked arguments."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from jsonschema import Draft202012Validator

from canvas import clock
from canvas.world import Course, Event, WorldView
from canvas.world.state import day_bounds

MAX_DAYS = 366
MAX_MINUTES = 720
MAX_TITLE = 120
STRING = {"type": "string"}
INTEGER = {"type": "integer"}
NUMBER = {"type": "number"}


class ToolError(Exception):
    """A call that cannot be done: its text goes back to the model as {"error": text}."""


@dataclass(frozen=True)
class Tool:
    """A declaration {name, description, parameters}, its validator, closed to further arguments,
    and the function run(world, **arguments)."""

    declaration: dict[str, Any]
    validator: Draft202012Validator
    run: Callable[..., dict[str, Any]]


def tool(
    run: Callable[..., dict[str, Any]],
    name: str,
    description: str,
    properties: dict[str, dict] | None = None,
    optional: tuple[str, ...] = (),
) -> Tool:
    """A tool whose `properties` are all required but the `optional` ones."""
    properties = properties or {}
    parameters = {
        "type": "object",
        "properties": properties,
        "required": [key for key in properties if key not in optional],
    }
    declaration = {"name": name, "description": description, "parameters": parameters}
    closed = Draft202012Validator({**parameters, "additionalProperties": False})
    return Tool(declaration, closed, run)


def described(schema: dict, description: str) -> dict:
    """The schema of an argument that needs a description of its own."""
    return {**schema, "description": description}


def known_course(world: WorldView, token: str) -> Course:
    """Raises ToolError, with the known tokens, on any other token."""
    course = world.course(token)
    if course is None:
        raise ToolError(f"unknown course; known: {_some([c.course for c in world.courses])}")
    return course


def known_event(world: WorldView, token: str) -> Event:
    """Raises ToolError, with the known ids, on any other id."""
    event = world.event(token)
    if event is None:
        raise ToolError(f"unknown event; known: {_some([e.event for e in world.events])}")
    return event


def day(argument: str, text: str) -> date:
    """Raises ToolError on text that is no date like 2026-03-04."""
    try:
        return clock.parse_date(text)
    except ValueError as error:
        raise ToolError(f"{argument} {error}") from None


def moment(world: WorldView, argument: str, text: str) -> datetime:
    """A time, local to the world; raises ToolError on text that is none like 2026-03-04T14:00."""
    try:
        return clock.parse_time(text, world.now.tzinfo)
    except ValueError as error:
        raise ToolError(f"{argument} {error}") from None


def days_of(start: str, end: str) -> tuple[date, date]:
    """An inclusive range of dates; raises ToolError if it is reversed or longer than a year."""
    first, last = day("start", start), day("end", end)
    if last < first:
        raise ToolError("end must not be before start")
    if (last - first).days > MAX_DAYS:
        raise ToolError(f"start and end must be at most {MAX_DAYS} days apart")
    return first, last


def bounds(world: WorldView, first: date, last: date) -> tuple[datetime, datetime]:
    """The world's midnights at the start of `first` and after `last`."""
    return day_bounds(first, last, world.now.tzinfo)


def between(argument: str, value: float, lowest: int, highest: int) -> None:
    """Raises ToolError unless lowest <= value <= highest."""
    if not lowest <= value <= highest:
        raise ToolError(f"{argument} must be from {lowest} to {highest}")


def title_of(text: str) -> str:
    """A title with its spaces trimmed; raises ToolError if it is empty or long."""
    title = " ".join(text.split())
    if not 1 <= len(title) <= MAX_TITLE:
        raise ToolError(f"title must have 1 to {MAX_TITLE} characters")
    return title


def days_ahead(world: WorldView, exam_date: str, needed: int) -> tuple[date, int]:
    """An exam's date and how many days away it is; raises ToolError if fewer than `needed`."""
    exam = day("exam_date", exam_date)
    left = (exam - world.today).days
    if left < needed:
        days = "1 day" if needed == 1 else f"{needed} days"
        raise ToolError(f"exam_date must be at least {days} after {world.today}")
    return exam, left


def shown_due(due: datetime | None) -> str | None:
    """A due time as text, None where there is none."""
    return None if due is None else clock.show(due)


def _some(names: list[str], most: int = 12) -> str:
    shown = ", ".join(names[:most]) or "none"
    return shown if len(names) <= most else f"{shown}, … ({len(names)} in all)"
