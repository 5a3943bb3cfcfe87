"""Faults: a toolbox whose services fail at times, to see what an agent makes of it."""

from collections.abc import Iterable, Mapping
from typing import Any

from canvas import io
from canvas.tools import Toolbox
from canvas.world import World

FAILURE = io.dumps({"error": "the service is temporarily unavailable; try again"})


class FaultyToolbox(Toolbox):
    """A toolbox in which the first calls of some tools fail, whatever their arguments.

    `faults` gives each such tool the number of calls that fail, infinity for all of them.
    """

    def __init__(self, world: World, names: Iterable[str] | None, faults: Mapping[str, float]):
        super().__init__(world, names)
        self._left = dict(faults)

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """As `Toolbox.call`; a failing call has the result FAILURE."""
        if name in self.names and self._left.get(name, 0) > 0:
            self._left[name] -= 1
            return FAILURE
        return super().call(name, arguments)
