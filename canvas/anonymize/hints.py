"""Hints: what a line has, found once, so that recognisers with nothing to find need not look."""

import re
from functools import lru_cache
from typing import NamedTuple

from canvas.registry import TOKEN

LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")


class Hints(NamedTuple):
    """Of a line without its tokens: the text, its runs of letters as spelled and in lower case,
    whether it has digits.
    """

    bare: str
    spellings: frozenset[str]
    words: frozenset[str]
    digits: bool


@lru_cache(maxsize=256)
def of(text: str) -> Hints:
    """Hints of a line."""
    bare = TOKEN.sub(" ", text) if "@" in text else text
    spellings = frozenset(LETTERS.findall(bare))
    words = frozenset(map(str.lower, spellings))
    return Hints(bare, spellings, words, _DIGIT.search(bare) is not None)


def pieces(text: str) -> list[str]:
    """Runs of letters of a text in lower case, as hints have them."""
    return LETTERS.findall(text.lower())
