"""Names nobody told us of: words weighed by dictionary and context."""

import re
from bisect import bisect
from collections.abc import Iterator
from itertools import pairwise
from operator import itemgetter

from canvas.anonymize import hints, lexicon
from canvas.anonymize.lowercase import find_lower
from canvas.anonymize.people import canonical
from canvas.anonymize.runs import Run
from canvas.anonymize.words import (
    Reading,
    Word,
    runs,
    scan,
    starts_sentence,
)
from canvas.spans import Span
from canvas.wordlists import words

_QUOTED = re.compile(r"\"[^\"\n]{1,160}\"|\u201c[^\u201d\n]{1,160}\u201d|`[^`\n]{1,160}`")
_MARK = re.compile(r"[\"\u201c`]")
_FOREIGN_WORDS = 2
_JOINT = re.compile(r"(?:,? and |, | & |/| \+ )")
_LIST = re.compile(r"(?: [A-Z]\b\.?)?(?:,? and |, )")


def find(text: str, kind: str) -> Iterator[Span]:
    """Spans of PERSON and PLACE. Titles, and what a prose text quotes, need stricter evidence."""
    found = list(scan(text))
    if not found:
        return
    quoted = (
        [match.span() for match in _QUOTED.finditer(text)]
        if kind == "prose" and _MARK.search(text)
        else []
    )
    foreign = kind == "prose" and _is_foreign(text)
    decided = []
    for run in runs(found, text):
        strict = kind == "title" or foreign or _within(quoted, run[0])
        decided.append(Run(text, run, strict))
    yield from _join(text, decided)
    for run in decided:
        yield from run.spans()
    if kind == "prose" and not foreign:
        lower = [word for word in found if not _within(quoted, word)]
        yield from find_lower(text, lower)


def _within(ranges: list[tuple[int, int]], word: Word) -> bool:
    """Whether a word begins in one of the sorted ranges."""
    index = bisect(ranges, word.start, key=itemgetter(0)) - 1
    return index >= 0 and word.start < ranges[index][1]


def _is_foreign(text: str) -> bool:
    """Whether a text is in a language whose nouns or small words would be taken for names."""
    return len(hints.of(text).words & words("foreign")) > _FOREIGN_WORDS


def _fits_surname(reading: Reading) -> bool:
    if reading.lower in words("vocabulary"):
        return False
    return not reading.word or lexicon.is_surely_surname(reading.lower)


def _join(text: str, decided: list[Run]) -> Iterator[Span]:
    """Spans of `Surname, Given`; what stands beside a name, as in `Ana and Rose`, is named too."""
    for left, right in pairwise(decided):
        start, end = left.run[-1].end, right.run[0].start
        if end - start > 6 or not _JOINT.fullmatch(text, start, end):
            continue
        if text[start:end] == ", " and _last_first(text, left, right):
            start, end = left.run[0].start, right.run[0].end
            yield Span(start, end, "PERSON", canonical(text[start:end]))
        elif left.named[-1]:
            right.join(0)
        elif right.named[0]:
            left.join(-1)


def _last_first(text: str, left: Run, right: Run) -> bool:
    """Whether two runs are `Surname, Given`, the one or the other for sure."""
    last, first, start = left.run[-1].is_, right.run[0].is_, left.run[0].start
    if last.lower in words("closings") or last.possessive:
        return False
    if len(left.run) > 1 and (left.run[0].is_.given or len(left.run) > 2):
        return False
    if len(right.run) > 1 and len(right.run[1].text) > 1:
        return False
    if not starts_sentence(text, start) or _LIST.match(text, right.run[0].end):
        return False
    opening = not left.strict or not start
    if first.given and (last.surname or not last.word or (opening and _fits_surname(last))):
        return True
    return last.surname and not (first.word or last.place or first.upper)
