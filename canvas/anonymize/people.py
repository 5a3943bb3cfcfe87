"""People known from the records themselves: rosters, authors; masked everywhere, in part too."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from canvas.anonymize import hints
from canvas.anonymize.lexicon import is_common, is_word
from canvas.anonymize.words import NAME_GAP, WORD, Word, cued, read, starts_sentence
from canvas.registry import TOKEN, normal
from canvas.spans import Span
from canvas.wordlists import words

_HONORIFIC = re.compile(r"^(?:(?:dr|prof|professor|mr|mrs|ms|mx|miss)\.? )+")
_SUFFIX = re.compile(r",? (?:jr|sr|ii|iii|iv|ph\.?d|m\.?d)\.?$")


class People:
    """Names of a corpus. A part that only one person bears stands for that person."""

    def __init__(self) -> None:
        self._parts: dict[str, set[str]] = defaultdict(set)
        self._logins: set[str] = set()
        self._pieces: set[str] = set()

    def learn(self, name: str) -> None:
        """Know a full name, `Given Surname` or `Surname, Given`; tokens and blanks are no names."""
        if not TOKEN.search(name) and (full := canonical(name)):
            for part in full.split():
                if len(part) > 1 and part not in words("particles"):
                    self._parts[part].add(full)
                    self._pieces.update(hints.pieces(part))

    def learn_login(self, login: str) -> None:
        """Know a login or handle, masked wherever it stands as a word."""
        if len(login) > 2 and not TOKEN.search(login) and not is_word(login.casefold()):
            self._logins.add(login.casefold())
            self._pieces.update(hints.pieces(login))

    def may_be_in(self, seen: hints.Hints) -> bool:
        """Whether a line has a piece of a known name or login."""
        return not seen.words.isdisjoint(self._pieces)

    def find(self, text: str, kind: str) -> Iterator[Span]:
        """Spans of known people, by full name or by a part of it."""
        if self._parts and self.may_be_in(hints.of(text)):
            for run in self._runs(text):
                yield from self._spans(text, run, kind)

    def find_logins(self, text: str) -> Iterator[Span]:
        """Spans of known logins."""
        if self._logins and self.may_be_in(hints.of(text)):
            for match in re.finditer(r"[\w.+-]*\w", text):
                if match[0].casefold() in self._logins:
                    yield Span(*match.span(), "PERSON", match[0].casefold())

    def _runs(self, text: str) -> Iterator[list[Word]]:
        """Neighbouring words that are parts of known names."""
        run: list[Word] = []
        for match in WORD.finditer(text):
            if not self._known(match[0].lower().replace("\u2019", "'")):
                continue
            reading = read(match[0])
            word = Word(match.start(), match.start() + len(reading.text), reading)
            if run and not NAME_GAP.fullmatch(text[run[-1].end : word.start]):
                yield run
                run = []
            run.append(word)
        if run:
            yield run

    def _known(self, lower: str) -> bool:
        lower = lower.removesuffix("'s")
        return lower in self._parts or (
            "-" in lower and any(part in self._parts for part in lower.split("-"))
        )

    def _spans(self, text: str, run: list[Word], kind: str) -> Iterator[Span]:
        parts = [part for word in run for part in self._parts_of(word)]
        owners = set.intersection(*(self._parts[part] for part in parts))
        if len(run) > 1 and not owners:
            for word in run:
                yield from self._spans(text, [word], kind)
        elif len(run) > 1 or self._sure(text, run[0], kind):
            value = owners.pop() if len(owners) == 1 else " ".join(parts)
            yield Span(run[0].start, run[-1].end, "PERSON", value)

    def _parts_of(self, word: Word) -> list[str]:
        if word.lower in self._parts:
            return [word.lower]
        return [part for part in word.is_.parts if part in self._parts]

    def _sure(self, text: str, word: Word, kind: str) -> bool:
        """Whether a lone part means the person: words such as Will or Page need more evidence."""
        part = self._parts_of(word)[0]
        if not is_word(part):
            return word.is_.capital or len(part) > 3
        if not word.is_.capital:
            return False
        if not is_common(part) or cued(text, word.start) or word.is_.possessive:
            return True
        return kind == "prose" and not starts_sentence(text, word.start)


@lru_cache(maxsize=50_000)
def canonical(name: str) -> str:
    """`given surname` in lower case, whatever the order, titles and suffixes of the spelling."""
    if name.isascii() and name.isalpha():
        return name.lower()
    plain = _SUFFIX.sub("", _HONORIFIC.sub("", normal(name)))
    surname, comma, given = plain.partition(",")
    ordered = f"{given} {surname}" if comma else plain
    found = re.findall(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*", ordered)
    return " ".join(found).replace("\u2019", "'")
