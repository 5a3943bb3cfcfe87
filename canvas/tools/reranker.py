"""Reranker tool: which of some assignments to do first, by the urgency rule."""

from canvas.tools.base import ToolError, tool
from canvas.urgency import urgency
from canvas.world import Assignment, World

MAX_ITEMS = 20


def priority_hint(world: World, items: list[str]) -> dict:
    """The most urgent of the titles and why; a tie goes to the title that sorts first."""
    if not 1 <= len(items) <= MAX_ITEMS:
        raise ToolError(f"items must have 1 to {MAX_ITEMS} titles")
    found = {item.title: _urgency(world, item) for item in (_known(world, t) for t in items)}
    first = max(sorted(found), key=lambda title: found[title].score)
    return {"first": first, "reason": found[first].reason}


def _urgency(world: World, item: Assignment):
    return urgency(item.due, item.points, item.status, item.type, world.now)


def _known(world: World, title: str) -> Assignment:
    item = world.assignment(title)
    if item is None:
        raise ToolError("items has an unknown title; canvas.get_assignments lists them")
    return item


TOOLS = (
    tool(
        priority_hint,
        "reranker.priority_hint",
        "Which of these assignment titles to do first.",
        {"items": {"type": "array", "items": {"type": "string"}}},
    ),
)
