"""Text that is shown while it is made: never more than the reply will say, and in the end all."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas.backends.turns import read_reply, visible
from canvas.toolcall import parse_reply, render_call

CALL = render_call("a.b", {"x": "y"})
TURNS = [
    "Hello there.",
    "  Hello \n there.  <turn|>",
    "a < b and <b>c</b> <turn|>",
    f"Let me look. {CALL}<|tool_response>",
    f"{CALL}{CALL}",
    f"<|channel>thought\nHm.\n<channel|>Yes.{CALL}And no.<turn|>",
    "Before<turn|>after",
    "<|turn>model\nHi",
    f"Hi.<|tool_response>response:x{{value:1}}<tool_response|>{CALL}",
    "cut <|tool_call>call:a{",
    "",
    " \n",
]


@pytest.mark.parametrize("raw", TURNS)
@given(st.lists(st.integers(0, 10**6)))
def test_pieces_make_up_the_content_however_the_text_is_cut(raw, places):
    edges = [0, *sorted(place % (len(raw) + 1) for place in places), len(raw)]
    pieces = [raw[a:b] for a, b in pairwise(edges)]
    assert "".join(visible(pieces)) == parse_reply(raw).content


@given(st.text())
def test_of_any_text(raw):
    assert "".join(visible(list(raw))) == parse_reply(raw).content


def test_text_is_shown_before_the_turn_ends():
    def pieces():
        yield "Hello "
        yield "there"
        raise AssertionError("not reached")

    shown = visible(pieces())
    assert [next(shown), next(shown)] == ["Hello", " there"]


def test_thinking_and_repairs_are_part_of_the_reply():
    raw = "<|channel>thought\nHm.\n<channel|><|tool_call>a(x=1)<tool_call|>"
    strict, mended = read_reply(raw, "stop", 3, 4), read_reply(raw, "stop", 3, 4, lenient=True)
    assert (strict.thinking, strict.calls[0].complete) == ("Hm.", False)
    assert (mended.thinking, mended.calls[0].complete) == ("Hm.", True)
    assert mended.calls[0].repairs
