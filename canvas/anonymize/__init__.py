"""Masking of texts: identifiers everywhere, names by one policy in titles, another in prose."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from canvas.anonymize import addresses, contacts, hints, names, numbers, places
from canvas.anonymize.ner import Recogniser
from canvas.anonymize.people import People, canonical
from canvas.anonymize.words import is_lively
from canvas.courses import Courses
from canvas.registry import SAMPLE_KEY, TOKEN, Registry
from canvas.spans import Span, merge, replace, visible

__all__ = ["Anonymizer", "Courses", "People", "anonymize_text"]
_KINDS = ("prose", "title")
# Digits, handles, hosts and hidden addresses.
_TRACE = re.compile(r"[\d@]|\.\w|://|[(\[{<] ?at", re.I)
_THREE = re.compile(r"\d{3}")
COURSE_TOKEN = re.compile(r"@COURSE\d{8}(?!\d)")


class Anonymizer:
    """Masks texts under one key with what is known of one corpus.

    `foreign` takes other people's short tokens (`@COURSE1`) for identifiers; `ner` finds more names
    in prose. `counts` has the masked places by kind, repeated texts counted each time.
    """

    def __init__(
        self,
        registry: Registry,
        courses: Courses | None = None,
        people: People | None = None,
        *,
        foreign: bool = False,
        ner: Recogniser | None = None,
    ):
        self.registry, self.foreign, self.ner = registry, foreign, ner
        self.courses = courses or Courses()
        self.people = people or People()
        self.counts: Counter[str] = Counter()
        self._done: dict[tuple[str, str], tuple[str, Counter[str] | None]] = {}

    def text(self, text: str, kind: str = "prose") -> str:
        """The text with everything personal as tokens; kind `prose` or `title`. Idempotent."""
        if kind not in _KINDS:
            raise ValueError(f"kind must be one of {_KINDS}, not {kind!r}")
        return self._mask(text, kind)

    def ranges(self, text: str, kind: str = "prose") -> list[tuple[int, int]]:
        """The places (start, end) that are personal, as the first round of masking sees them."""
        return [span[:2] for span in merge(self._spans(text, kind))]

    def identifiers(self, text: str) -> str:
        """The text with identifiers, contacts and addresses as tokens; names stay."""
        return self._mask(text, "")

    def token(self, kind: str, value: str) -> str:
        """The token of a field's whole value; one that is a token already stays."""
        if TOKEN.fullmatch(value):
            return value
        self.counts[kind] += 1
        return self.registry.token(kind, value)

    def person(self, name: str | None) -> str | None:
        """The token of a person's full name; None of none."""
        return self.token("PERSON", canonical(name) or name) if name else None

    def course(self, code: str, name: str = "") -> str:
        """The token of a course by its fields: the same as of its code in any text."""
        for text in (code, name):
            if known := COURSE_TOKEN.search(text):
                return known[0]
        return self.token("COURSE", self.courses.value(code, name))

    def _mask(self, text: str, kind: str) -> str:
        # No recogniser looks beyond a line, and lines repeat.
        return "\n".join([self._line(line, kind) for line in text.split("\n")])

    def _line(self, line: str, kind: str) -> str:
        if (kind, line) not in self._done:
            masked = self._fixed_point(line, kind)
            found = None
            if masked != line:
                found = _kinds(masked) - _kinds(line) if "@" in line else _kinds(masked)
            self._done[kind, line] = masked, found
        masked, found = self._done[kind, line]
        if found:
            self.counts.update(found)
        return masked

    def _fixed_point(self, line: str, kind: str) -> str:
        # Each round leaves less that is no token, so this ends.
        while True:
            shown = visible(line)
            line = replace(shown, self._spans(shown, kind), self.registry)
            if line == shown:
                return line

    def _spans(self, text: str, kind: str) -> Iterator[Span]:
        seen = hints.of(text)
        if self._is_dull(seen):
            return
        if self.foreign or self.courses.literals or _THREE.search(seen.bare):
            yield from self.courses.find(text, foreign=self.foreign)
        yield from self.people.find_logins(text)
        if _TRACE.search(seen.bare):
            yield from contacts.find(text)
        yield from numbers.find(text)
        if seen.digits or ", " in text:
            yield from addresses.find(text)
        if kind:
            yield from self.people.find(text, kind)
            yield from names.find(text, kind)
        yield from places.find(text, kind)
        if kind == "prose" and self.ner:
            yield from self.ner(text)

    def _is_dull(self, seen: hints.Hints) -> bool:
        """Whether no recogniser can find anything in a line."""
        return not (
            _TRACE.search(seen.bare)
            or self.foreign
            or self.courses.literals
            or self.ner
            or numbers.is_announced(seen)
            or self.people.may_be_in(seen)
            or is_lively(seen)
        )


def _kinds(text: str) -> Counter[str]:
    if "@" not in text:
        return Counter()
    return Counter(token.rstrip("0123456789")[1:] for token in TOKEN.findall(text))


@cache
def _default() -> Anonymizer:
    return Anonymizer(Registry.load(SAMPLE_KEY))


def anonymize_text(text: str, kind: str = "prose") -> str:
    """The text masked under the sample's key by the rules alone; kind `prose` or `title`."""
    return _default().text(text, kind)
