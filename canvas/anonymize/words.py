"""Words of a text with what the recognisers of names ask about them."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from canvas.wordlists import words

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_CAPITALISED = re.compile(
    r"(?<![^\W\d_])(?<![^\W\d_]['\u2019-])[A-Z\u00c0-\u00d6\u00d8-\u00de\u0100-\u017f]"
    r"[^\W\d_]*(?:['\u2019-][^\W\d_]+)*"
)
NAME_GAP = re.compile(
    r"[^\S\n]{1,2}|\.[^\S\n]?|[^\S\n](?:[A-Z]\.?[^\S\n]|(?:[a-z]{1,3}[^\S\n]){1,2})"
)
_NEXT_CAPITAL = re.compile(r"[.\s]{1,2}(?:[a-z]{1,3} ){0,2}[^\W\d_a-z]")
_SENTENCE = re.compile(r"(?:^|[.!?:;\n\u2022*>|(\[{\u201c\"][\s\u201c\"'(*_>-]*|[-\u2013\u2014] )$")
_BEFORE = re.compile(r"([^\W\d_]+)[.:,]?[^\S\n]{1,2}$")
_LAST = 40


class Word(NamedTuple):
    """One word without its possessive ending; offsets are those of the bare word."""

    start: int
    end: int
    text: str
    possessive: bool

    @property
    def lower(self) -> str:
        """Lower case, straight apostrophe."""
        return self.text.lower().replace("\u2019", "'")

    @property
    def parts(self) -> list[str]:
        """Lower-case parts between hyphens."""
        return self.lower.split("-")

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital."""
        return self.text[0].isupper()


def scan(text: str) -> Iterator[Word]:
    """Every word of a text."""
    for match in _WORD.finditer(text):
        yield _bare(text, match)


def capitalised_runs(text: str, is_dull: Callable[[str], bool]) -> Iterator[list[Word]]:
    """Capitalised words that follow each other, with initials and particles between them.

    A run of which every word is dull is left out.
    """
    run: list[Word] = []
    lively = False
    for match in _CAPITALISED.finditer(text):
        dull = is_dull(match[0])
        if dull and not run and not _NEXT_CAPITAL.match(text, match.end()):
            continue
        word = _bare(text, match)
        if not word.capital:
            continue
        if run and not _adjacent(text, run[-1], word):
            if lively:
                yield run
            run, lively = [], False
        run.append(word)
        lively = lively or not dull
    if lively:
        yield run


def _bare(text: str, match: re.Match) -> Word:
    start, end, found = match.start(), match.end(), match[0]
    if len(found) > 2 and found[-1] in "sS" and found[-2] in "'\u2019":
        return Word(start, end - 2, found[:-2], True)
    return Word(start, end, found, found[-1] == "s" and text[end : end + 1] in ("'", "\u2019"))


def _adjacent(text: str, left: Word, right: Word) -> bool:
    if left.possessive:
        return False
    gap = text[left.end : right.start]
    if gap == " ":
        return True
    if len(gap) > 9 or not NAME_GAP.fullmatch(gap):
        return False
    gap = gap.strip()
    if gap.startswith("."):
        return len(left.text) == 1 or left.lower in words("honorifics")
    return not gap or gap[0].isupper() or words("particles").issuperset(gap.split())


def starts_sentence(text: str, start: int) -> bool:
    """Whether a word at `start` would have a capital whatever it is."""
    return _SENTENCE.search(text, max(0, start - _LAST), start) is not None or start == 0


def before(text: str, start: int) -> str:
    """The word before `start` in lower case; empty where something else stands there."""
    found = _BEFORE.search(text, max(0, start - _LAST), start)
    return found[1].lower() if found else ""


def after(text: str, end: int) -> str:
    """The word after `end`, possessive ending skipped, in lower case; empty where there is none."""
    found = re.compile(r"(?:['\u2019]s?)?[^\S\n]{1,2}([^\W\d_]+)").match(text, end)
    return found[1].lower() if found else ""


def cued(text: str, start: int) -> bool:
    """Whether a word such as `with` or `Dr.` right before announces a name."""
    return before(text, start) in words("title_cues")
