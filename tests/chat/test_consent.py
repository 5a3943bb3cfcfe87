"""Nothing is done to a calendar without a yes to it."""

import io
import sys

import pytest

from canvas.agent import Observer
from canvas.chat.consent import decide
from canvas.chat.terminal import Terminal
from tests.chat.script import GYM, PARTY

READ = ("Read Organic Chemistry", "2026-03-04T10:00", 60)
WRITE = ("Write", "2026-03-05T10:00", 90)
MOVED = ("Gym", "2026-03-03T19:00", 60)
NOTHING = sorted([GYM, PARTY])


@pytest.fixture
def answers(conversation, monkeypatch, capsys):
    """Decide on what a request brings with the given lines as standard input."""

    def run(request, *lines, yes=False, meanwhile=lambda: None):
        text = "".join(f"{line}\n" for line in lines)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        terminal = Terminal(conversation.world.unmask)
        conversation.ask(request, Observer())
        meanwhile()
        tally = decide(conversation, terminal, yes=yes)
        assert conversation.pending == []
        captured = capsys.readouterr()
        return tally, terminal, captured.out + captured.err

    return run


@pytest.mark.parametrize("lines", [("n",) * 4, ("no",) * 4, (), ("",), ("maybe",), ("yess",)])
def test_without_a_yes_nothing_is_written(answers, calendar, lines):
    before = calendar.read_bytes()
    tally, *_ = answers("all", *lines)
    assert calendar.read_bytes() == before
    assert (tally.done, tally.declined) == (0, 4)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("ynnn", [READ, *NOTHING]),
        ("nynn", [MOVED, PARTY]),
        ("nnyn", [GYM]),
        ("nnny", [*NOTHING, WRITE]),
        ("yyyy", [READ, MOVED, WRITE]),
        ("Yn", [READ, *NOTHING]),
        ("ann", [READ, *NOTHING, WRITE]),
        ("any", [READ, GYM, WRITE]),
        # `a` is no answer to a change: from a pipe that is a no.
        ("na", NOTHING),
    ],
)
def test_each_answer_is_to_one_proposal(answers, held, lines, expected):
    answers("all", *lines)
    assert held() == sorted(expected)


def test_yes_adds_and_does_nothing_else(answers, held):
    tally, *_ = answers("all", yes=True)
    assert held() == sorted([*NOTHING, READ])
    assert tally.done == 1


def test_yes_still_asks_about_changes_and_deletions(answers, held):
    _, _, out = answers("all", "n", "n", yes=True)
    assert held() == sorted([*NOTHING, READ, WRITE])
    assert out.count("[y]es, [n]o?") == 2
    assert "[a]ll" not in out


@pytest.mark.parametrize("request_", ["move", "delete"])
def test_yes_alone_neither_changes_nor_deletes(answers, calendar, request_):
    before = calendar.read_bytes()
    answers(request_, yes=True)
    assert calendar.read_bytes() == before


def test_what_is_asked_names_what_would_be_done(answers):
    _, _, out = answers("all", *"nnnn")
    asked = [line.strip() for line in out.splitlines() if line.strip().startswith("? ")]
    assert " ".join(asked).startswith('? add "Read Organic Chemistry", Wed 4 Mar 2026, 10:00 to')
    flat = " ".join(out.split())
    assert '? change "Gym", Tue 3 Mar 2026, 18:00 to 19:00 to "Gym", Tue 3 Mar 2026, 19:00' in flat
    assert '? delete "Party", Sat 7 Mar 2026, 20:00 to 22:00' in flat


def test_from_a_pipe_what_is_no_answer_is_the_next_thing_said(answers):
    _, terminal, _ = answers("read", "hello there")
    assert terminal.read() == "hello there"


def test_what_the_calendar_refuses_is_said_and_the_rest_goes_on(answers, calendar, held):
    def meanwhile():
        calendar.write_bytes(calendar.read_bytes().replace(b"SUMMARY:Party", b"SUMMARY:Ball"))

    tally, _, said = answers("all", *"yyyy", meanwhile=meanwhile)
    assert "not done: 'Party' was changed" in said
    assert (tally.done, tally.failed) == (3, 1)
    assert held() == sorted([READ, MOVED, ("Ball", *PARTY[1:]), WRITE])


def test_the_end_of_input_declines_the_rest(answers, held):
    tally, *_ = answers("both", "y")
    assert held() == sorted([*NOTHING, READ])
    assert (tally.done, tally.declined) == (1, 1)
    assert str(tally) == "1 done, 1 declined"
