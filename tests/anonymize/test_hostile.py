"""Hostile text: masked, never a crash, in time that grows as the text does."""

import base64
import time

import pytest

from canvas.anonymize import Anonymizer
from canvas.registry import TOKEN, Registry

KEY = b"a key for tests only"
SMALL, LARGE, SLACK = 10_000, 40_000, 2.5
UNITS = [
    "A", "a", "Ab ", "A.B.", "1 ", "Aa-", "'", "Dr. ", "@", "\u200b", "aGVsbG8=", "<a>", "((",
    "[at]", "(at) ", "hey priya ", "Ana, Rose ", "Smith and ", "San Lake ", "University of ",
    "12 Main ", "Via Roma ", "a.b@", "1-", "+1 ", "fe80:", "4111 ", "DE89 ", "Section ", "CS ",
    "\u0130", "x_", ", VA", "\u00e9", "Q. ", '"A" ', "MARIA ", "New York ", "box 1 ", "w.", "://",
    "der ", '{"a":',
]  # fmt: skip


def seconds(unit: str, size: int) -> float:
    """Time for a line of this unit, the best of two."""
    text, best = unit * (size // len(unit)), float("inf")
    for _ in range(2):
        mask = Anonymizer(Registry(KEY))
        start = time.process_time()
        mask.text(text)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("unit", UNITS)
def test_time_is_linear(unit):
    small = max(seconds(unit, SMALL), 0.02)
    assert seconds(unit, LARGE) < LARGE / SMALL * small * SLACK


def test_ten_megabytes_are_masked():
    line = (
        "Ask Priya Raman (p.raman@example.edu) about CS 3704, or wait until the lecture is over.\n"
    )
    masked = Anonymizer(Registry(KEY)).text(line * (10_000_000 // len(line)))
    assert not {"Priya", "Raman", "example", "3704"} & set(TOKEN.sub(" ", masked).split())


@pytest.mark.parametrize(
    "text",
    [
        "p.ra\u200bman@exam\u00adple.edu", "\u202ep.raman@example.edu\u202c",
        "\u2066Priya\u2069 Raman", '<a href="mailto:p.raman@example.edu">Priya Raman</a>',
        "**Priya Raman**", "_Priya Raman_", "[Priya Raman](https://x.example.edu/~praman)",
        "> Priya Raman wrote:", "| Priya Raman | x |", "<p>Priya&nbsp;Raman</p>",
        "`p.raman@example.edu`", "Pri\u200bya Raman", "\uff30riya Raman", "P\u200driya Raman",
    ],
)  # fmt: skip
def test_marks_and_markup_hide_nothing(text):
    masked = Anonymizer(Registry(KEY)).text(f"Ask {text} about it")
    left = TOKEN.sub(" ", masked).lower()
    assert not [part for part in ("priya", "raman", "example") if part in left]


def test_base64_blob_is_masked_as_text():
    blob = base64.b64encode(bytes(range(256)) * 400).decode()
    mask = Anonymizer(Registry(KEY))
    once = mask.text(f"data:image/png;base64,{blob}")
    assert mask.text(once) == once


@pytest.mark.parametrize(
    "text", ["\x00", "\ud800", "\U0010ffff", "a\u0300" * 50, "\r\n\x0b\x0c\u2028", ""]
)
def test_odd_characters_are_no_crash(text):
    mask = Anonymizer(Registry(KEY))
    assert mask.text(mask.text(text)) == mask.text(text)
