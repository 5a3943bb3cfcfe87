"""Opening: everything a dialogue needs, from the options of the command line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from canvas.agent import CanvasAgent
from canvas.chat import export
from canvas.chat.conversation import Conversation
from canvas.chat.dialogue import Dialogue
from canvas.chat.model import open_model
from canvas.chat.student import open_student
from canvas.chat.terminal import Terminal
from canvas.tools import Toolbox


@contextmanager
def opened(
    *,
    model: str | None,
    endpoint: str | None,
    calendar: str | None,
    demo: int | None,
    ics: Path | None,
    yes: bool,
    context: int,
    max_tokens: int,
    threads: int,
    remember: int | None,
) -> Iterator[Dialogue]:
    """A dialogue that has said whom and what it is about. Raises BadInput, before anything is read
    or loaded where that is possible."""
    if ics:
        export.check(ics)
    with open_student(calendar, demo, os.environ) as student:
        terminal = Terminal(student.world.unmask)
        for line in student.about:
            terminal.say(line, "dim")
        with terminal.loading():
            found = open_model(model, endpoint, context=context, threads=threads)
        with found.backend:
            terminal.say(f"Model: {found.name}", "dim")
            agent = CanvasAgent(found.backend, Toolbox(student.world), max_tokens=max_tokens)
            conversation = Conversation(agent, remember or found.remember)
            yield Dialogue(conversation, terminal, ics, yes)
