"""The agent loop: ask the model, run its tool calls, hand the results back, until it answers."""

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from canvas import io
from canvas.backends.base import Backend, Reply, Request
from canvas.toolcall import ToolCall
from canvas.toolcall.grammar import CALL_OPEN, RESPONSE_OPEN

UNREADABLE = io.dumps({"error": "the call was cut or malformed and was not run; send it again"})
_MARKER = re.compile(r'<(?=\|?["\w]+\|?>)')


def system_prompt(now: datetime) -> str:
    """The system turn: short, as every prompt pays for it; the clock is its only fact."""
    return f"You plan study time with tools. Now: {now:%Y-%m-%dT%H:%M} {now:%a}."


def inert(text: str) -> str:
    """The text with a space in each `<…>` that a tokeniser could take for a marker of the chat.

    What a student pastes or Canvas reports must not open a turn, a call or a result.
    """
    return _MARKER.sub("< ", text) if "<" in text else text


def call_message(calls: Sequence[tuple[str, dict]], first: int | None = None) -> dict:
    """The assistant message of one turn's calls, as (name, arguments) pairs in order.

    Their ids count up from `first`. Without ids the chat template shows every result of the turn
    under the name of its last call, so only a single call may go without.
    """
    if first is None and len(calls) > 1:
        raise ValueError("several calls in one message need ids")
    ids = [{} if first is None else {"id": _call_id(first + place)} for place in range(len(calls))]
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {**id_, "type": "function", "function": {"name": name, "arguments": arguments}}
            for id_, (name, arguments) in zip(ids, calls, strict=True)
        ],
    }


def result_message(name: str, result: str, number: int | None = None) -> dict:
    """The message that hands the result (JSON text) of a call, by its number, to the model."""
    id_ = {} if number is None else {"tool_call_id": _call_id(number)}
    return {"role": "tool", "name": name, **id_, "content": result}


def _call_id(number: int) -> str:
    return f"call_{number}"


@dataclass(frozen=True)
class CallRecord:
    """One call of the model: what it asked for, what came back (JSON text), whether it was run."""

    name: str
    arguments: dict
    result: str
    ran: bool


@dataclass
class Transcript:
    """One run of the agent.

    `messages` is the whole conversation, what came before this run included; `calls` and `turns`
    are of this run, the turns as they came. `stopped` says why it ended: `answer`, `empty` (a turn
    without text or calls), `cut` (the token limit fell into the answer, or no call of the turn
    could be read), `max_turns` or `error` (the backend gave up; its last turn says why).
    """

    answer: str = ""
    calls: list[CallRecord] = field(default_factory=list)
    stopped: str = ""
    messages: list[dict] = field(default_factory=list)
    turns: list[Reply] = field(default_factory=list)

    @property
    def marked_turns(self) -> int:
        """Turns that carry a call marker of the model's own, readable or not."""
        return sum(has_marker(reply) for reply in self.turns)

    @property
    def parsed_turns(self) -> int:
        """Marked turns with at least one call and every call complete."""
        return sum(has_marker(reply) and all_parsed(reply) for reply in self.turns)


def has_marker(reply: Reply) -> bool:
    """Whether the turn tries to call: a parsed call, or a marker before any echoed response."""
    return bool(reply.calls) or CALL_OPEN in reply.raw.partition(RESPONSE_OPEN)[0]


def all_parsed(reply: Reply) -> bool:
    """Whether every call of the turn was read completely, and there is one."""
    return bool(reply.calls) and all(call.complete for call in reply.calls)


class Observer:
    """Told what happens while the agent runs. These methods do nothing; override what is wanted."""

    def asking(self) -> None:
        """The model is about to be asked for its next turn."""

    def writing(self, piece: str) -> None:
        """A piece of the turn's visible text has come."""

    def said(self, text: str) -> None:
        """The model said something beside its calls."""

    def calling(self, call: ToolCall) -> None:
        """A call is about to be run."""

    def called(self, record: CallRecord) -> None:
        """A call was run, or refused as unreadable."""


_NOBODY = Observer()


class CanvasAgent:
    """A model with tools.

    `tools` offers `.declarations`, `.call(name, arguments)` -> JSON text, and `.world.now`.
    """

    def __init__(self, backend: Backend | None, tools, max_turns: int = 8, **sampling):
        self.backend, self.tools, self.max_turns = backend, tools, max_turns
        self.sampling = sampling

    def run(
        self, text: str, history: Sequence[dict] | None = None, observer: Observer = _NOBODY
    ) -> Transcript:
        """Answer one request of the user, running at most `max_turns` model turns.

        `history` is the `messages` of an earlier transcript: the conversation that this goes on.
        """
        loop = self.conversation(text, history, observer)
        request = next(loop)
        while True:
            reply = self._ask(request, observer)
            try:
                request = loop.send(reply)
            except StopIteration as done:
                return done.value

    def conversation(
        self, text: str, history: Sequence[dict] | None = None, observer: Observer = _NOBODY
    ) -> Generator[Request, Reply, Transcript]:
        """The loop itself: yields what to ask, is sent the reply, returns the transcript."""
        transcript = Transcript(messages=self._opening(text, history or ()))
        for _ in range(self.max_turns):
            observer.asking()
            reply = yield list(transcript.messages), self.tools.declarations
            transcript.turns.append(reply)
            transcript.stopped = self._take(reply, transcript, observer)
            if transcript.stopped:
                return transcript
        transcript.stopped = "max_turns"
        return transcript

    def _ask(self, request: Request, observer: Observer) -> Reply:
        for part in self.backend.stream(*request, **self.sampling):
            if isinstance(part, Reply):
                return part
            observer.writing(part)
        raise RuntimeError(f"{type(self.backend).__name__} ended a stream without a reply")

    def _opening(self, text: str, history: Sequence[dict]) -> list[dict]:
        """The system turn with the clock as it is now, what was said before, the request."""
        return [
            {"role": "system", "content": system_prompt(self.tools.world.now)},
            *(message for message in history if message["role"] != "system"),
            {"role": "user", "content": inert(text)},
        ]

    def _take(self, reply: Reply, transcript: Transcript, observer: Observer) -> str:
        """Enter one reply into the transcript; returns why the loop ends, or "" to go on."""
        if reply.finish == "error":
            return "error"
        if reply.content.strip():
            # Text beside calls gets a message of its own: the chat template misplaces it otherwise.
            transcript.messages.append({"role": "assistant", "content": reply.content})
        if reply.calls:
            return self._run_calls(reply, transcript, observer)
        transcript.answer = reply.content.strip()
        if reply.finish == "length" or has_marker(reply):
            return "cut"
        return "answer" if transcript.answer else "empty"

    def _run_calls(self, reply: Reply, transcript: Transcript, observer: Observer) -> str:
        if reply.finish == "length" and not any(call.complete for call in reply.calls):
            return "cut"
        calls = [call for call in reply.calls if call.name]
        if not calls:
            return "cut"
        if reply.content.strip():
            observer.said(reply.content.strip())
        first = sum(message["role"] == "tool" for message in transcript.messages) + 1
        records = [self._run_call(call, observer) for call in calls]
        transcript.calls += records
        transcript.messages.append(call_message([(r.name, r.arguments) for r in records], first))
        transcript.messages += [
            result_message(record.name, record.result, number)
            for number, record in enumerate(records, first)
        ]
        return ""

    def _run_call(self, call: ToolCall, observer: Observer) -> CallRecord:
        if call.complete:
            observer.calling(call)
            result = inert(self.tools.call(call.name, call.arguments))
            record = CallRecord(call.name, call.arguments, result, ran=True)
        else:
            record = CallRecord(call.name, {}, UNREADABLE, ran=False)
        observer.called(record)
        return record


def run_many(
    agents: Sequence[CanvasAgent], texts: Sequence[str], backend: Backend, **sampling
) -> list[Transcript]:
    """The agents' transcripts in order; the backend decides which of them go on together."""
    loops = [agent.conversation(text) for agent, text in zip(agents, texts, strict=True)]
    return backend.converse(loops, **sampling)
