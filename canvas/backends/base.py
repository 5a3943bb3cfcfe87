"""What a backend is: one method that answers a chat, one that answers many, one that streams."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from canvas.toolcall import ToolCall

Request = tuple[list[dict], list[dict]]
"""Messages and tool declarations of one model turn."""

Conversation = Generator[Request, "Reply", Any]
"""A loop that yields requests, is sent the replies, and returns what came of it."""


@dataclass(frozen=True)
class Reply:
    """One model turn.

    `content` is the visible text without thinking and calls, `calls` the tool calls in the order
    of the text (a cut or malformed one has `.complete` False, a mended one names its `.repairs`),
    `raw` the generated text with its markers (a server may leave out the end marker; where it read
    the calls itself, their JSON), `finish` why generation ended: `stop` (an end token), `length`
    (the token limit) or `error` (the prompt did not fit, or a server broke the turn off; `content`
    says so). `thinking` is the text of thoughts. Token counts are 0 where a server does not tell.
    """

    content: str
    calls: list[ToolCall] = field(default_factory=list)
    raw: str = ""
    finish: Literal["stop", "length", "error"] = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    thinking: str = ""


class Backend:
    """A model that answers chats. Sampling keys: temperature=0.0, seed=0, max_tokens=256.

    Whatever the backend, one conversation becomes the same prompt tokens, `canvas.template`
    rendered; temperature 0 is greedy, else tokens are drawn from the plain softmax; a prompt that
    leaves no room for a reply gets one with finish `error`. What makes every request fail (no such
    file, no such server) raises BadInput. Backends built with `lenient=True` mend calls.
    """

    def chat(self, messages: list[dict], tools: list[dict], **sampling) -> Reply:
        """The next model turn after `messages`, with `tools` declared."""
        raise NotImplementedError(f"{type(self).__name__} does not define chat")

    def chat_many(self, requests: Sequence[Request], **sampling) -> list[Reply]:
        """Replies in the order of `requests`; backends that can batch override this."""
        return [self.chat(messages, tools, **sampling) for messages, tools in requests]

    def converse(self, conversations: Sequence[Conversation], **sampling) -> list[Any]:
        """What the conversations return, in order.

        One batch a round, of the next turns of all that have not ended; backends that need not
        wait for the slowest override this. A conversation may go on in any thread.
        """
        results: list[Any] = [None] * len(conversations)
        sent: dict[int, Reply | None] = dict.fromkeys(range(len(conversations)))
        while sent:
            requests = {}
            for number, reply in sent.items():
                try:
                    requests[number] = conversations[number].send(reply)
                except StopIteration as end:
                    results[number] = end.value
            replies = self.chat_many(list(requests.values()), **sampling) if requests else []
            sent = dict(zip(requests, replies, strict=True))
        return results

    def stream(self, messages: list[dict], tools: list[dict], **sampling) -> Iterator[str | Reply]:
        """Pieces of the visible text as it is made, and last the Reply that `chat` would give.

        Backends that cannot stream give the whole text at once.
        """
        reply = self.chat(messages, tools, **sampling)
        if reply.content and reply.finish != "error":
            yield reply.content
        yield reply

    def close(self) -> None:
        """Let go of connections and the like; the backend is of no use afterwards."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        self.close()
