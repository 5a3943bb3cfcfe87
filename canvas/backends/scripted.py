"""A backend without a model: it plays a plan's calls and answer, as an oracle or a fixture does."""

import json
from collections.abc import Callable, Generator

from canvas.backends.base import Backend, Reply
from canvas.toolcall import ToolCall, render_call

Call = tuple[str, dict]
Plan = Generator[Call | list[Call], dict | list[dict], str]
"""Yields a call (or the calls of one turn), is sent the result (or results), returns the answer."""


class ScriptedBackend(Backend):
    """Plays the plan that `choose` gives for a user's text.

    It keeps no state: at every turn the plan is started anew and sent the results that the history
    holds, so one backend serves many conversations in any order.
    """

    def __init__(self, choose: Callable[[str], Plan]):
        self._choose = choose

    def chat(self, messages: list[dict], tools: list[dict], **sampling) -> Reply:
        """The plan's next turn. Token counts are 0."""
        plan = self._choose(next(m["content"] for m in messages if m["role"] == "user"))
        results = iter([json.loads(m["content"]) for m in messages if m["role"] == "tool"])
        try:
            step = next(plan)
            for message in messages:
                if message.get("tool_calls"):
                    found = [next(results) for _ in message["tool_calls"]]
                    step = plan.send(found if isinstance(step, list) else found[0])
        except StopIteration as done:
            return Reply(content=done.value, raw=done.value)
        calls = step if isinstance(step, list) else [step]
        return Reply(
            content="",
            calls=[ToolCall(name, arguments) for name, arguments in calls],
            raw="".join(render_call(name, arguments) for name, arguments in calls),
        )
