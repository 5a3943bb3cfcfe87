"""Names nobody told us of: capitalised words weighed by dictionary and context."""

import re
from collections.abc import Iterator
from functools import lru_cache

from canvas.anonymize import lexicon
from canvas.anonymize.people import canonical
from canvas.anonymize.words import Word, after, before, capitalised_runs, cued, starts_sentence
from canvas.spans import Span
from canvas.wordlists import words

_MEETING_DAYS = re.compile(r" (?:MWF|MW|WF|MF|TR|TTh|TuTh|T/Th)\b")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_NAME_CAMEL = re.compile(r"(?:Mc|Mac|De|Di|La|Le|Van|Fitz|O'|D')[A-Z][a-z]+")
_QUOTED = re.compile(r"\"[^\"\n]{1,160}\"|\u201c[^\u201d\n]{1,160}\u201d|`[^`\n]{1,160}`")


def find(text: str, kind: str) -> Iterator[Span]:
    """Spans of PERSON and PLACE. Titles, and what a prose text quotes, need stricter evidence."""
    quoted = [match.span() for match in _QUOTED.finditer(text)] if kind == "prose" else []
    for run in capitalised_runs(text, _is_dull):
        strict = kind == "title" or any(a <= run[0].start < b for a, b in quoted)
        yield from Run(text, run, strict).spans()


class Run:
    """Neighbouring capitalised words; which of them are names is decided together."""

    def __init__(self, text: str, run: list[Word], strict: bool):
        self.text, self.run, self.strict = text, run, strict
        self.lower = [word.lower for word in run]
        self.named = [False] * len(run)

    def spans(self) -> Iterator[Span]:
        """PERSON spans of neighbouring names, PLACE spans of the rest."""
        places = list(self._places())
        for index in range(len(self.run)):
            if not any(first <= index < last for first, last in places):
                self.named[index] = self._is_name(index)
        self._extend()
        for first, last in places:
            if not any(self.named[first:last]):
                value = " ".join(self.lower[first:last])
                yield Span(self.run[first].start, self.run[last - 1].end, "PLACE", value)
        yield from self._people()

    def _people(self) -> Iterator[Span]:
        first = None
        for index, named in enumerate([*self.named, False]):
            if named and first is None:
                first = index
            elif not named and first is not None:
                start, end = self.run[first].start, self.run[index - 1].end
                yield Span(start, end, "PERSON", canonical(self.text[start:end]))
                first = None

    def _is_name(self, index: int) -> bool:
        word = self.run[index]
        if not self._may_be_name(word) or self._eponym(index):
            return False
        if index + 1 < len(self.run) and self._eponym(index + 1) and len(word.text) < 4:
            return False
        if self._announced(index):
            return self._fits(self.lower[index]) or not _is_word(word)
        if self.strict:
            return self._stands_alone(index)
        return not _is_word(word)

    def _may_be_name(self, word: Word) -> bool:
        """Neither an initial, nor an acronym, nor a product such as RStudio."""
        bare = word.text
        if len(bare) < 2 or bare.lower() in words("honorifics"):
            return False
        if bare.isupper():
            return len(bare) > 3 and _is_strong(word) and len(self.run) > 1
        return (
            not _CAMEL.search(bare) or _NAME_CAMEL.search(bare.replace("\u2019", "'")) is not None
        )

    def _announced(self, index: int) -> bool:
        """Behind a title such as Dr., or a cue such as Interview with."""
        if index and self.lower[index - 1] in words("honorifics"):
            return not self.run[index - 1].possessive
        start = self.run[index].start
        previous = before(self.text, start)
        if previous in words("honorifics"):
            return True
        return self.strict and cued(self.text, start)

    def _stands_alone(self, index: int) -> bool:
        """Whether a title's word is a name for itself, not by what follows it."""
        word, lower = self.run[index], self.lower[index]
        given = _is_given(word)
        surname = lexicon.is_census_surname(lower) and not lexicon.is_census_given(lower)
        if given and not surname and not lexicon.is_place(lower):
            return True
        following = self.text[word.end : word.end + 8]
        if _MEETING_DAYS.match(following) and self._fits(lower):
            return True
        if not _is_strong(word):
            return False
        if word.possessive:
            return given or after(self.text, word.end) in words("owned")
        enclosed = self.text[word.start - 1 : word.start] == "(" and following.startswith(")")
        follows_initial = index > 0 and len(self.run[index - 1].text) == 1
        return enclosed or (follows_initial and not lexicon.is_given(lower))

    def _fits(self, lower: str) -> bool:
        if lower in words("vocabulary"):
            return False
        return lexicon.may_be_given(lower) or lexicon.may_be_surname(lower)

    def _eponym(self, index: int) -> bool:
        """Kruskal's Algorithm, Newton's method, a Hilbert space: names of things."""
        word, lower = self.run[index], self.lower[index]
        noun = after(self.text, word.end)
        listed = all(part in words("eponyms") for part in word.parts)
        previous = self.run[index - 1] if index else None
        if previous and (len(previous.text) == 1 or (_is_given(previous) and not self.strict)):
            return False
        if listed and not self._titled(index):
            return True
        if lower in words("common_eponyms") and noun in words("eponym_nouns"):
            return not self._titled(index)
        return noun in words("laws") and not lexicon.is_given(lower)

    def _titled(self, index: int) -> bool:
        start = self.run[index].start
        previous = self.lower[index - 1] if index else before(self.text, start)
        return previous in words("honorifics")

    def _extend(self) -> None:
        """Names spread to neighbours that could be the rest of a name."""
        last = len(self.run) - 1
        for index in range(1, last + 1):
            left, right = self.lower[index - 1], self.lower[index]
            both = _is_given(self.run[index - 1]) or self._announced(index - 1)
            if self.named[index - 1] and both and self._may_follow(index):
                self.named[index] = True
            elif not self.strict and last == 1 and self._plain_pair(left, right):
                self.named[0] = self.named[1] = True
        for index in range(last, 0, -1):
            lower = self.lower[index - 1]
            fits = len(lower) == 1 or (_fits_given(lower) and not self._eponym(index - 1))
            if self.named[index] and fits:
                self.named[index - 1] = True

    def _may_follow(self, index: int) -> bool:
        word = self.run[index]
        if len(word.text) == 1:
            return index == len(self.run) - 1 or self.named[index + 1]
        if word.text.isupper() or self.lower[index] in words("vocabulary"):
            return self.named[index]
        return lexicon.may_be_surname(self.lower[index]) or not _is_word(word)

    def _plain_pair(self, left: str, right: str) -> bool:
        """Ordinary words that are a given name and a surname, as Grace Hill, in mid-sentence."""
        if starts_sentence(self.text, self.run[0].start):
            return False
        return (
            lexicon.is_census_given(left)
            and lexicon.is_census_surname(right)
            and not {left, right} & (words("vocabulary") | words("eponym_nouns"))
        )

    def _places(self) -> Iterator[tuple[int, int]]:
        """(first, end) of place names; a title takes none on the word of the dictionary."""
        if self.strict:
            return
        first = 0
        while first < len(self.run):
            length = next(
                (n for n in range(min(4, len(self.run) - first), 0, -1) if self._place(first, n)), 0
            )
            if length:
                yield first, first + length
            first += length or 1

    def _place(self, first: int, length: int) -> bool:
        chosen = self.run[first : first + length]
        if not lexicon.is_place(self.text[chosen[0].start : chosen[-1].end].lower()):
            return False
        word = chosen[0]
        if length > 1:
            return True
        if word.text.isupper() or word.possessive:
            return False
        doubtful = _is_strong(word) or word.lower in words("eponyms")
        return not doubtful or before(self.text, word.start) in words("place_cues")


@lru_cache(maxsize=100_000)
def _is_dull(found: str) -> bool:
    """Whether a capitalised word is no part of any name or place and announces none."""
    lower = found.lower().replace("\u2019", "'").removesuffix("'s")
    parts = lower.split("-")
    return lower not in words("honorifics") and all(
        lexicon.is_word(part)
        and not lexicon.may_be_given(part)
        and not lexicon.may_be_surname(part)
        and not lexicon.is_place(part)
        and not lexicon.begins_place(part)
        for part in parts
    )


def _is_word(word: Word) -> bool:
    return all(lexicon.is_word(part) for part in word.parts)


def _is_given(word: Word) -> bool:
    return any(lexicon.is_given(part) for part in word.parts)


def _is_strong(word: Word) -> bool:
    return any(lexicon.is_given(part) or lexicon.is_surname(part) for part in word.parts)


def _fits_given(lower: str) -> bool:
    return lexicon.may_be_given(lower) and lower not in words("vocabulary")
