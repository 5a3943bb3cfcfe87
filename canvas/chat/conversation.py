"""One conversation: the student's words go in masked, what the agent proposes waits for a yes."""

import json
from dataclasses import dataclass
from typing import Any

import click

from canvas import clock, io
from canvas.agent import CallRecord, CanvasAgent, Observer, Transcript
from canvas.live import LiveWorld
from canvas.toolcall import ToolCall
from canvas.tools.base import ToolError
from canvas.world import Event

Proposal = dict[str, Any]

REFUSALS = (ToolError, click.ClickException, OSError)
"""What a model, a calendar or Canvas may raise when it cannot be used; each says why in words."""


@dataclass(frozen=True)
class Done:
    """A proposal that was carried out: how to take it back, and what is to be said of it."""

    inverse: Proposal
    before: Event | None
    result: dict | None


class Conversation:
    """A student's talk with one agent about one world.

    The model sees the last `remember` exchanges. Every proposal is decided by `accept` or `decline`
    and the model is told in the result of the call that made it. `agreed` holds the events that
    were added or changed, by id, as they are now.
    """

    def __init__(self, agent: CanvasAgent, remember: int = 20):
        self._agent, self._remember = agent, remember
        self.world: LiveWorld = agent.tools.world
        self.agreed: dict[str, Event] = {}
        self._exchanges: list[list[dict]] = []
        self._results: list[tuple[Proposal, dict]] = []
        self._done: list[Done] = []

    @property
    def pending(self) -> list[Proposal]:
        """What is proposed and not decided, oldest first."""
        return list(self.world.proposals)

    @property
    def remembers(self) -> bool:
        """Whether the model sees anything that was said before."""
        return bool(self._exchanges)

    def ask(self, text: str, observer: Observer) -> Transcript:
        """Answer the student. What ends early leaves nothing pending and is not remembered."""
        history = [message for exchange in self._exchanges for message in exchange]
        ledger = _Ledger(self.world, observer)
        try:
            transcript = self._agent.run(self.world.mask(text), history, ledger)
        except BaseException:
            self.drop()
            raise
        if transcript.stopped == "error":
            self.drop()
            return transcript
        exchange = transcript.messages[1 + len(history) :]
        self._exchanges = [*self._exchanges, exchange][-self._remember :]
        results = [message for message in exchange if message["role"] == "tool"]
        self._results = [(proposal, results[number]) for number, proposal in ledger.made]
        return transcript

    def accept(self, proposal: Proposal) -> None:
        """Do it for real. An error of the calendar declines the proposal and is raised."""
        id_ = proposal["event"]
        before, prior = self.world.event(id_), self.agreed.get(id_)
        try:
            event = self.world.apply(proposal)
        except REFUSALS:
            self.decline(proposal)
            raise
        self._done.append(Done(_inverse(proposal, before), prior, self._result(proposal)))
        _tell(self._result(proposal), "accepted")
        self._agree(id_, event)

    @property
    def way_back(self) -> Proposal | None:
        """What would take back the last thing that was agreed to."""
        return self._done[-1].inverse if self._done else None

    def undo(self) -> None:
        """Take that back. A deleted event comes back with its title and times only."""
        done = self._done[-1]
        proposal = self._propose(done.inverse)
        try:
            self.world.apply(proposal)
        except REFUSALS:
            self.world.discard(proposal)
            raise
        self._done.pop()
        _tell(done.result, "taken back")
        self._agree(proposal["event"], done.before)

    def decline(self, proposal: Proposal) -> None:
        """Forget it."""
        self.world.discard(proposal)
        _tell(self._result(proposal), "declined")

    def drop(self) -> None:
        """Decline everything that is pending."""
        for proposal in self.pending:
            self.decline(proposal)

    def forget(self) -> None:
        """Start a new conversation about the same world."""
        self.drop()
        self._exchanges = []

    def _propose(self, proposal: Proposal) -> Proposal:
        if proposal["action"] == "create":
            start = clock.parse_time(proposal["start"], self.world.now.tzinfo)
            self.world.add_event(proposal["title"], start, proposal["minutes"])
        else:
            self.world.propose(proposal)
        return self.world.proposals[-1]

    def _agree(self, id_: str, event: Event | None) -> None:
        self.agreed.pop(id_, None)
        if event:
            self.agreed[event.event] = event

    def _result(self, proposal: Proposal) -> dict | None:
        return next((message for made, message in self._results if made is proposal), None)


def _inverse(proposal: Proposal, before: Event) -> Proposal:
    """What takes the proposal back, from the event as it is (or, when new, will be)."""
    event = before.to_dict()
    if proposal["action"] == "create":
        return {"action": "delete", "event": event["event"]}
    return {"action": {"modify": "modify", "delete": "create"}[proposal["action"]], **event}


def _tell(result: dict | None, decision: str) -> None:
    """Enter into the message of a call's result what the student decided."""
    if result:
        result["content"] = io.dumps({**json.loads(result["content"]), "student": decision})


class _Ledger(Observer):
    """Passes everything on, and notes which call of the run made which proposal."""

    def __init__(self, world: LiveWorld, observer: Observer):
        self._world, self._observer = world, observer
        self._calls, self._known = 0, len(world.proposals)
        self.made: list[tuple[int, Proposal]] = []

    def asking(self) -> None:
        self._observer.asking()

    def writing(self, piece: str) -> None:
        self._observer.writing(piece)

    def said(self, text: str) -> None:
        self._observer.said(text)

    def calling(self, call: ToolCall) -> None:
        self._observer.calling(call)

    def called(self, record: CallRecord) -> None:
        new = self._world.proposals[self._known :]
        self.made += [(self._calls, proposal) for proposal in new]
        self._calls, self._known = self._calls + 1, len(self._world.proposals)
        self._observer.called(record)
