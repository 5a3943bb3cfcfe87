"""The 18 tools: their declarations, and a toolbox that runs checked calls against a world."""

import copy
from collections.abc import Iterable
from typing import Any

from canvas import io
from canvas.tools import calendar, canvas, reranker, study
from canvas.tools.arguments import check
from canvas.tools.base import Tool, ToolError
from canvas.world import WorldView

TOOLS: dict[str, Tool] = {
    tool.declaration["name"]: tool
    for module in (canvas, calendar, study, reranker)
    for tool in module.TOOLS
}
# Name to {"name", "description", "parameters": JSON schema}.
DECLARATIONS: dict[str, dict[str, Any]] = {name: t.declaration for name, t in TOOLS.items()}


def declarations(names: Iterable[str]) -> list[dict[str, Any]]:
    """OpenAI-style declarations, the caller's own to change, in the order of `names`.

    Raises ValueError on a name that is unknown or given twice.
    """
    names = list(names)
    unknown = [name for name in names if name not in DECLARATIONS]
    if unknown:
        raise ValueError(f"unknown tool {unknown[0]!r}; known: {', '.join(DECLARATIONS)}")
    if len(set(names)) < len(names):
        raise ValueError(f"a tool is named twice in {', '.join(names)}")
    return [{"type": "function", "function": copy.deepcopy(DECLARATIONS[n])} for n in names]


class Toolbox:
    """The declared tools of one world: all 18, or those in `names`."""

    def __init__(self, world: WorldView, names: Iterable[str] | None = None):
        """Raises ValueError on a name that is unknown or given twice."""
        self.world = world
        self.names = tuple(DECLARATIONS if names is None else names)
        self.declarations = declarations(self.names)

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """Run one call; JSON text of the result, or of {"error": reason} for a call that is wrong.

        Never raises for what a model can send; an exception out of here is a bug of a tool.
        """
        try:
            if not isinstance(name, str) or name not in self.names:
                raise ToolError(f"unknown tool; known: {', '.join(self.names)}")
            result = TOOLS[name].run(self.world, **check(TOOLS[name], arguments))
        except ToolError as error:
            result = {"error": str(error)}
        return io.dumps(result)
