"""Text from outside reaches a terminal without anything that steers it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas.chat.plain import one_line, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("Übung № 3 — наука 数学 👩‍🔬", "Übung № 3 — наука 数学 👩‍🔬"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[Hcleared", "cleared"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://a.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;aGk=\x07x", "x"),
        ("\x1bPq#0;2;0;0;0\x1b\\x", "x"),
        ("\x1bcreset", "reset"),
        ("\x1b(Bx", "x"),
        ("\x1b[", ""),
        ("\x1b]0;never ends\nnext line", "\nnext line"),
        ("a\rb", "a\nb"),
        ("a\r\nb", "a\nb"),
        ("a\tb", "a b"),
        ("a\bb\x00c\x7fd", "abcd"),
        ("eve\u202egpj.exe", "evegpj.exe"),
        ("soft\u00adhyphen\u200b\ufeff", "softhyphen"),
        ("\ud800x", "x"),
        ("a\u2028b\x85c", "a\nb\nc"),
        ("[bold]no markup[/bold] :smile:", "[bold]no markup[/bold] :smile:"),
    ],
)
def test_examples(text, shown):
    assert plain(text) == shown


@given(st.text(st.characters(codec=None), max_size=200))
def test_nothing_that_steers_is_left(text):
    shown = plain(text)
    steering = [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co")]
    assert set(steering) <= {"\n", "\u200c", "\u200d"}
    assert plain(shown) == shown


@given(st.text(max_size=200), st.integers(1, 50))
def test_one_line_fits(text, width):
    line = one_line(text, width)
    assert len(line) <= width
    assert "\n" not in line
    assert one_line(line, width) == line


def test_a_cut_line_says_so():
    assert one_line("one two  three", 8) == "one two…"
    assert one_line(" one\n two ", 8) == "one two"
