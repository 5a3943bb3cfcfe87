"""The dialogue: read a line, answer it or do its command, until the student leaves."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import click

from canvas import clock
from canvas.agent import Transcript
from canvas.chat import export, words
from canvas.chat.consent import carry_out, decide
from canvas.chat.conversation import REFUSALS, Conversation, Proposal
from canvas.chat.terminal import Terminal
from canvas.chat.week import created, first_day
from canvas.world import Event

HELP = """\
  /week [DATE]    the seven days from DATE (2026-03-04, +1 for next week) or from today
  /export FILE    write the events you agreed to as an .ics file
  /undo           take back the last change you agreed to
  /new            start a new conversation; Canvas and calendar are read anew
  /help           this list
  /quit           leave, as Ctrl-D does; Ctrl-C stops the model
Everything else is said to the agent. What it wants to add, change or delete it proposes,
and nothing is done before you say yes."""

_ENDINGS = {
    "empty": "The model gave no answer. Say it in other words.",
    "cut": "The answer was cut. --max-tokens allows longer ones.",
    "max_turns": "The model took too many steps. Ask for less at once.",
}


class Dialogue:
    """One student at one terminal. With `ics`, every agreement is written to that file at once."""

    def __init__(
        self,
        conversation: Conversation,
        terminal: Terminal,
        ics: Path | None = None,
        yes: bool = False,
    ):
        self._conversation, self._terminal = conversation, terminal
        self._world = conversation.world
        self._ics, self._yes = ics, yes
        self._commands = {
            "/week": self._week,
            "/export": self._export,
            "/undo": self._undo,
            "/new": self._new,
            "/help": self._help,
        }

    def run(self) -> None:
        """Go on until /quit or the end of input."""
        while True:
            try:
                line = self._terminal.read()
            except EOFError:
                self._terminal.say("")
                return
            except KeyboardInterrupt:
                self._terminal.say("\nCtrl-D or /quit leaves.", "dim")
                continue
            if line.casefold() in ("/quit", "/exit", "/q"):
                return
            if line:
                self._take(line)

    def _take(self, line: str) -> None:
        """Do one line; what goes wrong is said in one line and ends nothing."""
        try:
            if line.startswith("/"):
                self._command(line)
            else:
                self.answer(line)
        except KeyboardInterrupt:
            self._terminal.say("\nStopped. Nothing was changed.", "yellow")
        except REFUSALS as error:
            self._terminal.problem(str(error))
        finally:
            self._conversation.drop()

    def answer(self, line: str) -> None:
        """Say one line to the agent, show what comes of it, ask about what it proposes."""
        self._show(line)
        if self._conversation.pending:
            self._decide()

    def plan(self, request: str) -> bool:
        """Answer one request without asking back; whether there was an answer.

        What is proposed is printed. Additions are exported, and with `yes` made; nothing else is.
        """
        answered = self._show(request).stopped == "answer"
        proposals = self._conversation.pending
        self._announce()
        for proposal in proposals:
            self._say_proposal(proposal)
        additions = [proposal for proposal in proposals if proposal["action"] == "create"]
        planned = [created(proposal, self._world) for proposal in additions]
        if self._yes:
            done = [carry_out(self._conversation, self._terminal, p) for p in additions]
            planned = [event for event, fine in zip(planned, done, strict=True) if fine]
            self._terminal.say(f"{len(planned)} added", "dim", indent=2)
        if self._ics and planned:
            self._save(self._ics, planned)
        if self._conversation.pending:
            done = "Changes and deletions were" if self._yes else "This was"
            self._terminal.say(f"{done} not carried out: `canvas chat` asks about each.", "dim")
        self._conversation.drop()
        return answered

    def _show(self, line: str) -> Transcript:
        transcript = self._ask(line)
        if transcript.answer:
            self._terminal.answer(transcript.answer)
        if transcript.stopped == "error":
            reason = transcript.turns[-1].content
            self._terminal.problem(f"{reason}. To do: ask for less; --context makes more room.")
        elif transcript.stopped in _ENDINGS:
            self._terminal.problem(_ENDINGS[transcript.stopped])
        return transcript

    def _ask(self, line: str) -> Transcript:
        transcript = self._tried(line)
        if transcript.stopped == "error" and self._conversation.remembers:
            self._terminal.say("The conversation no longer fits; it starts afresh.", "yellow")
            self._conversation.forget()
            transcript = self._tried(line)
        return transcript

    def _tried(self, line: str) -> Transcript:
        with self._terminal.working() as progress:
            return self._conversation.ask(line, progress)

    def _announce(self) -> None:
        count = len(self._conversation.pending)
        if count > 1:
            self._show_week(first_day(self._world))
        if count:
            proposals = "1 proposal" if count == 1 else f"{count} proposals"
            self._terminal.say(f"{proposals}; nothing is done yet:")

    def _decide(self) -> None:
        self._announce()
        tally = decide(self._conversation, self._terminal, yes=self._yes)
        self._terminal.say(str(tally), "dim", indent=2)
        if self._ics and tally.done:
            self._save(self._ics, self._conversation.agreed.values())

    def _save(self, path: Path, events: Iterable[Event]) -> None:
        named = [replace(event, title=self._terminal.unmask(event.title)) for event in events]
        count = export.write(path, named)
        events = "1 event" if count == 1 else f"{count} events"
        self._terminal.say(f"{events} written to {path}", "dim", indent=2)

    def _say_proposal(self, proposal: Proposal, mark: str = "?") -> None:
        text = words.proposal(proposal, self._world, self._terminal.unmask)
        self._terminal.say(f"{mark} {text}", indent=2)

    def _command(self, line: str) -> None:
        name, _, argument = line.partition(" ")
        known = self._commands.get(name.casefold())
        if known is None:
            raise click.UsageError(f"{name} is no command; /help lists them.")
        known(argument.strip())

    def _week(self, argument: str) -> None:
        self._show_week(day_of(argument, self._world.today))

    def _show_week(self, first: date) -> None:
        self._terminal.week(self._world, first, self._conversation.agreed)

    def _export(self, argument: str) -> None:
        if not argument:
            raise click.UsageError("Name the file: /export plan.ics")
        if not self._conversation.agreed:
            raise click.UsageError("Nothing was agreed to yet that could be written.")
        self._save(Path(argument).expanduser(), self._conversation.agreed.values())

    def _undo(self, _: str) -> None:
        proposal = self._conversation.way_back
        if proposal is None:
            raise click.UsageError("Nothing was agreed to that could be taken back.")
        self._say_proposal(proposal, "taking it back:")
        self._conversation.undo()
        if self._ics:
            self._save(self._ics, self._conversation.agreed.values())

    def _new(self, _: str) -> None:
        self._conversation.forget()
        self._world.refresh()
        self._terminal.say("A new conversation; Canvas and calendar are read anew.", "dim", 2)

    def _help(self, _: str) -> None:
        self._terminal.say(HELP)


def day_of(text: str, today: date) -> date:
    """The day that `/week` starts with: a date, or weeks from today as `+1`.

    Raises UsageError on anything else.
    """
    if not text:
        return today
    try:
        if text[0] in "+-":
            return today + timedelta(weeks=int(text))
        return clock.parse_date(text)
    except (ValueError, OverflowError):
        raise click.UsageError(f"{text!r} is no date like 2026-03-04 or +1.") from None
