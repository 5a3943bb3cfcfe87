"""Reranker tool: which of some assignments to do first, by the urgency rule."""

from canvas.tools.base import ToolError, tool
from canvas.urgency import Urgency, urgency
from canvas.world import Assignment, WorldView

MAX_ITEMS = 20


def priority_hint(world: WorldView, items: list[str]) -> dict:
    """The most urgent of the titles and why; a tie goes to the title that sorts first."""
    if not 1 <= len(items) <= MAX_ITEMS:
        raise ToolError(f"items must have 1 to {MAX_ITEMS} titles")
    known = [_known(world, place, title) for place, title in enumerate(items, 1)]
    found = {item.title: _urgency(world, item) for item in known}
    first = max(sorted(found), key=lambda title: found[title].score)
    return {"first": first, "reason": found[first].reason}


def _urgency(world: WorldView, item: Assignment) -> Urgency:
    return urgency(item.due, item.points, item.status, item.type, world.now)


def _known(world: WorldView, place: int, title: str) -> Assignment:
    item = world.assignment(title)
    if item is None:
        raise ToolError(f"item {place} is no known title; canvas.get_assignments lists them")
    return item


TOOLS = (
    tool(
        priority_hint,
        "reranker.priority_hint",
        "Which of these assignment titles to do first.",
        {"items": {"type": "array", "items": {"type": "string"}}},
    ),
)
