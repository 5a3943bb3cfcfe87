"""What a backend is: one method that answers a chat, and one that answers many at once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from canvas.toolcall import ToolCall

Request = tuple[list[dict], list[dict]]
"""Messages and tool declarations of one model turn."""


@dataclass(frozen=True)
class Reply:
    """One model turn.

    `content` is the visible text without thinking and calls, `calls` the tool calls in the order
    of the text (a cut or malformed one has `.complete` False), `raw` the generated text with its
    markers, `finish` why generation ended: `stop` (an end token), `length` (the token limit) or
    `error` (the backend could not answer, `content` says why).
    """

    content: str
    calls: list[ToolCall] = field(default_factory=list)
    raw: str = ""
    finish: Literal["stop", "length", "error"] = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Backend:
    """A model that answers chats. Sampling keys: temperature=0.0, seed=0, max_tokens=256."""

    def chat(self, messages: list[dict], tools: list[dict], **sampling) -> Reply:
        """The next model turn after `messages`, with `tools` declared."""
        raise NotImplementedError(f"{type(self).__name__} does not define chat")

    def chat_many(self, requests: Sequence[Request], **sampling) -> list[Reply]:
        """Replies in the order of `requests`; backends that can batch override this."""
        return [self.chat(messages, tools, **sampling) for messages, tools in requests]
