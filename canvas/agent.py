"""The agent loop: ask the model, run its tool calls, hand the results back, until it answers."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from canvas import io
from canvas.backends.base import Backend, Reply, Request
from canvas.toolcall import ToolCall
from canvas.toolcall.grammar import CALL_OPEN, RESPONSE_OPEN

UNREADABLE = io.dumps({"error": "the call was cut or malformed and was not run; send it again"})


def system_prompt(now: datetime) -> str:
    """The system turn: short, as every prompt pays for it; the clock is its only fact."""
    return f"You plan study time with tools. Now: {now:%Y-%m-%dT%H:%M} {now:%a}."


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

    `stopped` says why: `answer`, `empty` (a turn without text or calls), `cut` (the token limit
    fell into the answer, or no call of the turn could be read), `max_turns` or `error` (the
    backend gave up). `turns` holds the replies as they came.
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


class CanvasAgent:
    """A model with tools.

    `tools` offers `.declarations`, `.call(name, arguments)` -> JSON text, and `.world.now`.
    """

    def __init__(self, backend: Backend | None, tools, max_turns: int = 8, **sampling):
        self.backend, self.tools, self.max_turns = backend, tools, max_turns
        self.sampling = sampling

    def run(self, text: str) -> Transcript:
        """Answer one request of the user, running at most `max_turns` model turns."""
        return run_many([self], [text], self.backend, **self.sampling)[0]

    def conversation(self, text: str) -> Generator[Request, Reply, Transcript]:
        """The loop itself: yields what to ask, is sent the reply, returns the transcript."""
        transcript = Transcript(messages=self._opening(text))
        for _ in range(self.max_turns):
            reply = yield list(transcript.messages), self.tools.declarations
            transcript.turns.append(reply)
            transcript.stopped = self._take(reply, transcript)
            if transcript.stopped:
                return transcript
        transcript.stopped = "max_turns"
        return transcript

    def _opening(self, text: str) -> list[dict]:
        return [
            {"role": "system", "content": system_prompt(self.tools.world.now)},
            {"role": "user", "content": text},
        ]

    def _take(self, reply: Reply, transcript: Transcript) -> str:
        """Enter one reply into the transcript; returns why the loop ends, or "" to go on."""
        if reply.finish == "error":
            return "error"
        if reply.content.strip():
            # Text beside calls gets a message of its own: the chat template misplaces it otherwise.
            transcript.messages.append({"role": "assistant", "content": reply.content})
        if reply.calls:
            return self._run_calls(reply, transcript)
        transcript.answer = reply.content.strip()
        if reply.finish == "length" or has_marker(reply):
            return "cut"
        return "answer" if transcript.answer else "empty"

    def _run_calls(self, reply: Reply, transcript: Transcript) -> str:
        if reply.finish == "length" and not any(call.complete for call in reply.calls):
            return "cut"
        calls = [call for call in reply.calls if call.name]
        if not calls:
            return "cut"
        records = [self._run_call(call) for call in calls]
        first = len(transcript.calls) + 1
        transcript.calls += records
        transcript.messages.append(call_message([(r.name, r.arguments) for r in records], first))
        transcript.messages += [
            result_message(record.name, record.result, number)
            for number, record in enumerate(records, first)
        ]
        return ""

    def _run_call(self, call: ToolCall) -> CallRecord:
        if not call.complete:
            return CallRecord(call.name, {}, UNREADABLE, ran=False)
        return CallRecord(
            call.name, call.arguments, self.tools.call(call.name, call.arguments), ran=True
        )


def run_many(
    agents: Sequence[CanvasAgent], texts: Sequence[str], backend: Backend, **sampling
) -> list[Transcript]:
    """Run the agents in lockstep: one batch a round, of the next turns of all that are not done."""
    loops = [agent.conversation(text) for agent, text in zip(agents, texts, strict=True)]
    transcripts: list[Transcript | None] = [None] * len(loops)
    pending = {index: next(loop) for index, loop in enumerate(loops)}
    while pending:
        replies = backend.chat_many(list(pending.values()), **sampling)
        asked, pending = list(pending), {}
        for index, reply in zip(asked, replies, strict=True):
            try:
                pending[index] = loops[index].send(reply)
            except StopIteration as done:
                transcripts[index] = done.value
    return transcripts
