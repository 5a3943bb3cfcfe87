"""Names in lower case, as in chats: `hey priya`, `my name is priya raman`."""

import re
from collections.abc import Iterator

from canvas.anonymize import lexicon
from canvas.anonymize.words import WORD, Word, before, read
from canvas.spans import Span
from canvas.wordlists import words

_NAMING = r"\bmy name is|\bname's"
_INTRODUCED = re.compile(rf"(?:{_NAMING}|\bthis is|\bcall me|\bi am|\bi'm|\bim) $", re.I)
_ADDRESSED = re.compile(
    rf"(?:{_NAMING}|\bhey|\bhi|\bdear|\bprof|\bprofessor|\bdr\.?|\bthanks|\bthank you|\bthx|\bask"
    r"|\bcc) $",
    re.I,
)
_SHORTEST = 4


def find_lower(text: str, found: list[Word]) -> Iterator[Span]:
    """Spans of PERSON that begin with a given name, or behind a cue, in lower case."""
    reached = 0
    for word in found:
        if word.is_.capital or word.start < reached or not _begins(text, word):
            continue
        reached = _surname_end(text, word)
        yield Span(word.start, reached, "PERSON", text[word.start : reached])


def _begins(text: str, word: Word) -> bool:
    if word.is_.word or word.lower in words("particles") or _glued(text, word):
        return False
    start = max(0, word.start - 16)
    if not word.is_.given:
        if len(word.text) > 3 and _surname_follows(text, word.end):
            return True
        return len(word.text) > 2 and bool(_ADDRESSED.search(text, start, word.start))
    if before(text, word.start) in words("name_cues") | words("weak_name_cues"):
        return True
    if _INTRODUCED.search(text, start, word.start):
        return True
    sure = lexicon.is_census_given(word.lower) or len(word.text) > _SHORTEST
    return sure and len(word.text) >= _SHORTEST


def _surname_follows(text: str, end: int) -> bool:
    following = WORD.match(text, end + 1)
    if not following or text[end] != " ":
        return False
    return following[0].islower() and read(following[0]).surname


def _glued(text: str, word: Word) -> bool:
    """Whether it is part of an identifier, a path or an address."""
    around = text[word.start - 1 : word.start] + text[word.end : word.end + 1]
    beyond = text[word.end : word.end + 2]
    return (
        any(c in "@/\\_#=<>$~&" or c.isdigit() for c in around)
        or (len(beyond) == 2 and beyond[0] in ".:(" and not beyond[1].isspace())
        or text[word.start - 1 : word.start] == "."
    )


def _surname_end(text: str, word: Word) -> int:
    """Where the name ends that begins with a word: up to two more words that may be of it."""
    end = last = word.end
    for match in WORD.finditer(text, end + 1, end + 60):
        following = match[0]
        if text[last : match.start()] != " " or not following[0].islower():
            break
        reading, last = read(following), match.end()
        if following in words("particles"):
            continue
        named = reading.strong or not reading.word
        plain = lexicon.is_census_surname(reading.lower) and not lexicon.is_common(reading.lower)
        if not named and not plain:
            break
        end = match.start() + len(reading.text)
        if reading.possessive:
            break
    return end
