"""Hints: what a line has, found once, so that recognisers with nothing to find need not look."""

import re
from functools import lru_cache
from typing import NamedTuple

from canvas.registry import TOKEN

LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")


class Hints(NamedTuple):
    """Of a line without its tokens: the text, its runs of letters in lower case, any digits."""

    bare: str
    words: frozenset[str]
    digits: bool


@lru_cache(maxsize=256)
def of(text: str) -> Hints:
    """Hints of a line."""
    bare = TOKEN.sub(" ", text) if "@" in text else text
    return Hints(bare, frozenset(LETTERS.findall(bare.lower())), bool(_DIGIT.search(bare)))


def pieces(text: str) -> list[str]:
    """Runs of letters of a text in lower case, as hints have them."""
    return LETTERS.findall(text.lower())
