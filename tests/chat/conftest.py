"""A student with an .ics file, talking to a scripted agent."""

import pytest

from canvas import clock
from canvas.agent import CanvasAgent
from canvas.chat.conversation import Conversation
from canvas.live import IcsFile, connect
from canvas.tools import Toolbox
from tests.chat.script import GYM, MONDAY, PARTY, Script, coursework, serving


@pytest.fixture
def calendar(tmp_path):
    """The path of the student's calendar, with two events."""
    file = IcsFile(tmp_path / "mine.ics")
    for title, start, minutes in (GYM, PARTY):
        file.add(title, clock.parse_time(start), minutes)
    return file.path


@pytest.fixture
def held(calendar):
    """What the calendar holds now, as sorted (title, local start, minutes)."""

    def read():
        span = clock.parse_time("2026-01-01T00:00"), clock.parse_time("2026-12-31T00:00")
        found = IcsFile(calendar).events_between(*span)
        return sorted(
            (e.title, clock.show(e.start.astimezone(clock.ZONE)), (e.end - e.start).seconds // 60)
            for e in found
        )

    return read


@pytest.fixture
def script():
    return Script()


@pytest.fixture
def conversation(calendar, script):
    now = clock.parse_time(MONDAY)
    world = connect(calendar=calendar, coursework=coursework(), now=now, environ={})
    return Conversation(CanvasAgent(script, Toolbox(world)))


@pytest.fixture
def endpoint(script):
    """The address of the script as a server."""
    with serving(script) as url:
        yield url
