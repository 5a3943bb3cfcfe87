"""Facts are found whatever their spelling, and not found where only a part of them stands."""

import pytest

from canvas.facts import asks, contains, normalise, states

STATED = [
    ("You got 87.50%.", "87.5"),
    ("You got 87.5 (B+).", "87.50"),
    ("1,200 points", "1200"),
    ("1200 points", "1,200"),
    ("90min of work", "90"),
    ("3-5 hours", "5"),
    ("due March 4th, 2 pm", "2026-03-04T14:00"),
    ("due 2026-03-04T14:00:00-05:00", "2026-03-04T14:00"),
    ("due 2026-03-04 14:00", "2026-03-04T14:00"),
    ("from 14:00-15:30", "14:00"),
    ("from 14:00-15:30", "15:30"),
    ("at 9:30 a.m.", "09:30"),
    ("at 12 pm", "12:00"),
    ("at 12:15 AM", "00:15"),
    ("on 3/4/2026", "2026-03-04"),
    ("on 03/04", "2026-03-04"),
    ("on the 4th of March", "2026-03-04"),
    ("on Sept 9", "2026-09-09"),
    ("on 4 MAR", "2026-03-04"),
    ("**Graph  Search\nLab**", "graph search lab"),
    ("Newton\N{RIGHT SINGLE QUOTATION MARK}s Law", "Newton's law"),
    ("It is for COURSE7.", "@COURSE7"),
    ("Your grade: B+.", "B+"),
    ("minus \N{MINUS SIGN}5 points", "-5"),
    ("6 hours", "6.0 hours"),
]
NOT_STATED = [
    ("You got 87.", "8"),
    ("You got 8.75.", "8"),
    ("For @COURSE87.", "87"),
    ("For @COURSE87.", "@COURSE8"),
    ("E41 goes", "E4"),
    ("2026-03-08", "8"),
    ("at 08:00", "8"),
    ("Your grade: B+.", "B"),
    ("Your grade: B.", "B+"),
    ("-5 points", "5"),
    ("at 9:30 p.m.", "09:30"),
    ("on March 14", "2026-03-04"),
    ("on March 4", "2026-03-14"),
    ("on 2026-04-03", "2026-03-04"),
    ("on 2026-03-04 at 15:00", "2026-03-04T14:00"),
    ("Graph Lab Search", "Graph Search Lab"),
    ("Labor Day", "Lab"),
    ("anything", "..."),
    ("", "8"),
]


@pytest.mark.parametrize(("answer", "fact"), STATED)
def test_states(answer, fact):
    assert states(answer, fact)


@pytest.mark.parametrize(("answer", "fact"), NOT_STATED)
def test_does_not_state(answer, fact):
    assert not states(answer, fact)


def test_normalise_is_idempotent():
    for answer, fact in STATED + NOT_STATED:
        for text in (answer, fact):
            assert normalise(normalise(text)) == normalise(text)


def test_contains_needs_words():
    assert not contains("some text", " ")


@pytest.mark.parametrize(
    "answer",
    ["Which course?", "Please tell me the date.", "Let me know which one.", "When? I forgot."],
)
def test_a_question_is_put(answer):
    assert asks(answer)


@pytest.mark.parametrize("answer", ["Done.", "I do not know which course.", "Ask me again.", ""])
def test_no_question_is_put(answer):
    assert not asks(answer)
