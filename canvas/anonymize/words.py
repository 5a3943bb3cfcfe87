"""Words of a text with what the recognisers of names ask about them."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from canvas.anonymize import hints, lexicon
from canvas.wordlists import words

WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_NAME_CAMEL = re.compile(r"(?:Mc|Mac|De|Di|La|Le|Van|Fitz|O'|D')[A-Z][a-z]+")
NAME_GAP = re.compile(
    r"[^\S\n]{1,2}|\.[^\S\n]?|[^\S\n](?:[A-Z]\.?[^\S\n]|(?:[^\W\d_]{1,5}[^\S\n]){1,2})"
)
# What may stand between the end of a sentence and its first word, and what of it begins one.
_OPENING = " \t\n\r\u00a0\u201c\"'(*_>-\u2013\u2014[{"
_OPENERS = frozenset('\n\u201c"(*>[{')
_DASHED = re.compile(r"[-\u2013\u2014] $")
_AFTER = re.compile(r"(?:['\u2019]s?)?[^\S\n]{1,2}([^\W\d_]+)")
_LAST = 40
# Words in a row: longer ones are decided in parts, so that the time stays linear.
_LONGEST = 12


class Reading(NamedTuple):
    """What a spelling means wherever it stands, without its possessive ending."""

    text: str
    lower: str
    possessive: bool
    capital: bool
    upper: bool  # all capitals, more than one
    word: bool  # ordinary English
    given: bool  # a given name and no ordinary word
    surname: bool  # a surname and no ordinary word
    product: bool  # spelled as products are: RStudio
    place: bool
    places: int  # the most words of a place that begins so

    @property
    def parts(self) -> list[str]:
        """Lower-case parts between hyphens."""
        return self.lower.split("-")

    @property
    def strong(self) -> bool:
        """Surely a name."""
        return self.given or self.surname


class Word(NamedTuple):
    """One word of a text; offsets are those of the bare word."""

    start: int
    end: int
    is_: Reading

    @property
    def text(self) -> str:
        """The bare word as it is spelled."""
        return self.is_.text

    @property
    def lower(self) -> str:
        """Lower case, straight apostrophe."""
        return self.is_.lower


def is_lively(seen: hints.Hints) -> bool:
    """Whether a line has a word that `scan` would find."""
    return any(map(_reading, seen.spellings))


def scan(text: str) -> Iterator[Word]:
    """The words of a text that may be, or belong to, the name of somebody or some place."""
    if not is_lively(hints.of(text)):
        return
    for match in WORD.finditer(text):
        if reading := _reading(match[0]):
            start, end = match.span()
            if reading.possessive and len(reading.text) < end - start:
                end -= 2
            elif reading.text[-1] == "s" and text[end : end + 1] in ("'", "\u2019"):
                reading = reading._replace(possessive=True)
            yield Word(start, end, reading)


def runs(found: list[Word], text: str) -> Iterator[list[Word]]:
    """Capitalised words that follow each other, with initials and particles between them."""
    run: list[Word] = []
    for word in found:
        if not word.is_.capital:
            continue
        if run and (len(run) == _LONGEST or not _adjacent(text, run[-1], word)):
            if len(run) > 1 or len(run[0].is_.text) > 1:
                yield run
            run = []
        run.append(word)
    if len(run) > 1 or (run and len(run[0].is_.text) > 1):
        yield run


@lru_cache(maxsize=200_000)
def _reading(found: str) -> Reading | None:
    """What is known of a spelling; None where it cannot be part of a name and announces none."""
    reading = read(found)
    if reading.lower in words("function_words"):
        return None
    if not reading.capital:
        known = reading.strong or not reading.word
        return reading if known and len(reading.text) > 2 else None
    lively = (
        len(reading.text) == 1
        or not reading.word
        or reading.place
        or reading.places
        or reading.lower in words("honorifics")
        or lexicon.is_odd(reading.lower)
        or any(lexicon.may_be_given(part) or lexicon.may_be_surname(part) for part in reading.parts)
    )
    return reading if lively else None


def read(found: str) -> Reading:
    """What is known of a spelling."""
    possessive = len(found) > 2 and found[-1] in "sS" and found[-2] in "'\u2019"
    text = found[:-2] if possessive else found
    lower = text.lower().replace("\u2019", "'")
    parts = lower.split("-")
    bare = text.replace("\u2019", "'")
    return Reading(
        text,
        lower,
        possessive,
        capital=text[0].isupper(),
        upper=len(text) > 1 and text.isupper(),
        word=lower in words("vocabulary")
        or lower in words("coinages")
        or all(lexicon.is_word(part) for part in parts),
        given=any(lexicon.is_given(part) for part in parts)
        or (len(parts) > 1 and all(lexicon.is_census_given(part) for part in parts)),
        surname=any(lexicon.is_surname(part) for part in parts),
        product=bool(_CAMEL.search(text)) and not _NAME_CAMEL.search(bare),
        place=lexicon.is_place(lower),
        places=lexicon.place_length(lower),
    )


def _adjacent(text: str, left: Word, right: Word) -> bool:
    if left.is_.possessive:
        return False
    gap = text[left.end : right.start]
    if gap in (" ", "&nbsp;"):
        return True
    if len(gap) > 13 or not NAME_GAP.fullmatch(gap):
        return False
    gap = gap.strip()
    if gap.startswith("."):
        return len(left.text) == 1 or left.lower in words("honorifics")
    return not gap or gap[0].isupper() or words("particles").issuperset(gap.split())


def starts_sentence(text: str, start: int) -> bool:
    """Whether a word at `start` would have a capital whatever it is."""
    head = text[max(0, start - _LAST) : start]
    bare = head.rstrip(_OPENING)
    if not bare:
        return start <= _LAST
    passed = head[len(bare) :]
    if bare[-1] in ".!?:;\u2022|":
        return True
    return not _OPENERS.isdisjoint(passed) or _DASHED.search(passed) is not None


def before(text: str, start: int) -> str:
    """The word before `start` in lower case; empty where something else stands there."""
    head = text[max(0, start - _LAST) : start]
    bare = head.rstrip(" \t\u00a0")
    if not 0 < len(head) - len(bare) < 3:
        return ""
    if bare[-1:] in (".", ":", ","):
        bare = bare[:-1]
    return hints.LETTERS.findall(bare[-24:])[-1].lower() if bare[-1:].isalpha() else ""


def after(text: str, end: int) -> str:
    """The word after `end`, possessive ending skipped, in lower case; empty where there is none."""
    found = _AFTER.match(text, end)
    return found[1].lower() if found else ""


def cued(text: str, start: int) -> bool:
    """Whether a word such as `with` or `Dr.` right before announces a name."""
    return before(text, start) in words("title_cues")
