"""Consent: every proposal is put to the student; only what gets a yes is done."""

from dataclasses import dataclass

from canvas.chat import words
from canvas.chat.conversation import REFUSALS, Conversation, Proposal
from canvas.chat.terminal import Terminal

_ANSWERS = {"y": "y", "yes": "y", "n": "n", "no": "n", "a": "a", "all": "a"}
_CHOICES = {True: "[y]es, [n]o, [a]ll additions? ", False: "[y]es, [n]o? "}


@dataclass
class Tally:
    """How many proposals were done, declined, and failed."""

    done: int = 0
    declined: int = 0
    failed: int = 0

    def __str__(self) -> str:
        counts = ((self.done, "done"), (self.declined, "declined"), (self.failed, "failed"))
        return ", ".join(f"{count} {what}" for count, what in counts if count)


def decide(conversation: Conversation, terminal: Terminal, *, yes: bool = False) -> Tally:
    """Ask about each pending proposal in turn and do what was agreed to.

    `yes`, and the answer `a` to one addition, agree to all further additions; a change or a
    deletion is always asked about. The end of input declines what is left, and so does Ctrl-C.
    """
    tally = Tally()
    try:
        for proposal in conversation.pending:
            text = words.proposal(proposal, conversation.world, terminal.unmask)
            terminal.say(f"? {text}", "bold", indent=2)
            adds = proposal["action"] == "create"
            answer = "y" if adds and yes else _answer(terminal, adds)
            yes = yes or answer == "a"
            if answer == "n":
                conversation.decline(proposal)
                tally.declined += 1
            elif carry_out(conversation, terminal, proposal):
                tally.done += 1
            else:
                tally.failed += 1
    except (EOFError, KeyboardInterrupt):
        terminal.say("")
    tally.declined += len(conversation.pending)
    conversation.drop()
    return tally


def _answer(terminal: Terminal, adds: bool) -> str:
    """`y`, `n` or `a`, for which a person is asked until it is one.

    From a pipe anything else is the next thing said, and raises EOFError: there is no answer.
    """
    while True:
        line = terminal.read(f"    {_CHOICES[adds]}")
        answer = _ANSWERS.get(line.casefold(), "")
        if answer and (adds or answer != "a"):
            return answer
        if not terminal.asks_a_person:
            terminal.unread(line)
            raise EOFError


def carry_out(conversation: Conversation, terminal: Terminal, proposal: Proposal) -> bool:
    """Do what was agreed to; False, and said why, where the calendar refuses."""
    try:
        conversation.accept(proposal)
    except REFUSALS as error:
        terminal.problem(f"not done: {error}")
        return False
    return True
