"""`canvas chat` in a real terminal: what a person sees, types and interrupts."""

import io
import os
import re
import signal
import sys
import time

import pexpect
import pytest
from rich.console import Console
from rich.text import Text

from canvas.chat.terminal import Tail
from tests.chat.script import GYM, PARTY

NOTHING = sorted([GYM, PARTY])
STEERING = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[@-_])")
QUESTION = r"\[y\]es, \[n\]o(, \[a\]ll additions)?\? "
HELD = ("CANVAS_BASE_URL", "CANVAS_TOKEN", "CALDAV_URL", "CANVAS_ICS", "OPENAI_API_KEY", "TZ")


@pytest.fixture
def person(endpoint, calendar, tmp_path):
    """Starts the program in a terminal of a width; it is ended at the end of the test."""
    started = []

    def start(width=80):
        options = ["--endpoint", endpoint, "--calendar", str(calendar), "--demo", "7"]
        kept = {key: value for key, value in os.environ.items() if key not in HELD}
        child = pexpect.spawn(
            sys.executable,
            ["-m", "canvas", "chat", *options],
            env=kept | {"TERM": "xterm", "INPUTRC": os.devnull},
            dimensions=(30, width),
            encoding="utf-8",
            timeout=30,
            # A shell's background jobs ignore Ctrl-C, and what they start would, too.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        started.append(child)
        child.expect("you> ")
        return child

    yield start
    for child in started:
        child.close(force=True)


def test_of_a_long_text_the_end_is_shown_while_it_is_written():
    console = Console(width=20, height=6, force_terminal=True, file=io.StringIO())
    console.print(Tail(Text("\n".join(f"line {number}" for number in range(20)))))
    shown = console.file.getvalue().split("\n")
    assert [line.strip() for line in shown if line] == [f"line {n}" for n in range(16, 20)]


def left(child):
    """Let the program end; its exit status."""
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


def test_only_a_yes_to_the_question_writes(person, held):
    child = person()
    child.sendline("read")
    child.expect(r"calendar\.create_event")
    child.expect("Added it.")
    child.expect("1 proposal; nothing is done yet")
    child.expect(QUESTION)
    assert held() == NOTHING
    for no_answer in ("perhaps", "", "ye"):
        child.sendline(no_answer)
        child.expect(QUESTION)
    assert held() == NOTHING
    child.sendline("y")
    child.expect("1 done")
    child.expect("you> ")
    assert len(held()) == 3
    child.sendline("/quit")
    assert left(child) == 0


def test_a_person_who_says_all_is_still_asked_about_a_deletion(person, held):
    child = person()
    child.sendline("delete")
    child.expect(QUESTION)
    child.sendline("a")
    child.expect(QUESTION)
    child.sendline("n")
    child.expect("1 declined")
    assert held() == NOTHING


def test_ctrl_c_at_a_question_declines_and_at_the_prompt_ends_nothing(person, held):
    child = person()
    child.sendline("both")
    child.expect(QUESTION)
    child.sendintr()
    child.expect("2 declined")
    child.expect("you> ")
    child.send("half a thought")
    child.expect("thought")
    # Readline misses a Ctrl-C that comes while it is still busy with the last character.
    time.sleep(0.5)
    child.sendintr()
    child.expect("Ctrl-D or /quit leaves")
    child.expect("you> ")
    assert held() == NOTHING
    child.sendeof()
    assert left(child) == 0
    assert "Traceback" not in child.before


def test_ctrl_c_stops_a_model_that_takes_long(person, script, held):
    script.delay = 3
    child = person()
    child.sendline("read")
    child.expect("thinking")
    child.sendintr()
    child.expect("Stopped. Nothing was changed.")
    child.expect("you> ")
    script.delay = 0
    child.sendline("hello")
    child.expect("Hello.")
    assert held() == NOTHING


def test_the_end_of_input_at_a_question_declines(person, held):
    child = person()
    child.sendline("read")
    child.expect(QUESTION)
    child.sendeof()
    child.expect("1 declined")
    assert held() == NOTHING


@pytest.mark.parametrize("width", [40, 120])
def test_no_line_is_wider_than_the_terminal(person, width):
    child = person(width)
    shown = child.before
    child.sendline("all")
    for _ in range(4):
        child.expect(QUESTION)
        shown += child.before
        child.sendline("n")
    child.expect("you> ")
    shown += child.before
    child.sendline("/help")
    child.expect("you> ")
    lines = [STEERING.sub("", line) for line in (shown + child.before).splitlines()]
    too_wide = [line for line in lines if len(line.rpartition("\r")[2]) > width]
    assert too_wide == []
    assert any("4 proposals" in line for line in lines)


def test_text_of_the_model_cannot_clear_the_screen(person):
    child = person()
    child.sendline("trap")
    child.expect("you> ")
    assert "\x1b[2J" not in child.before
    assert "\x1b]0;" not in child.before
    assert "[b]Hi" in STEERING.sub("", child.before)
