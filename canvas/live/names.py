"""Names: courses, people, contacts and ids as short tokens for a model, and back for the student.

The table is one session's and is shown to nobody but the student. Masked are the student's courses
by any spelling of their codes and by their names, other course codes, the people of the record by
full name or a part of it, e-mail and network addresses, telephone numbers, and long ids.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from canvas.anonymize import contacts, numbers
from canvas.anonymize.people import People, canonical
from canvas.courses import Courses
from canvas.registry import normal
from canvas.spans import Span, merge, visible

TOKEN = re.compile(r"@[A-Z]+[0-9]+")
_IDS = ("CARD", "IBAN", "ID", "SSN")
_EDGES = " \t_-\u2013\u2014:|,/"


class Names:
    """Tokens count up from 1 in each kind, in the order in which things are learned or met."""

    def __init__(self) -> None:
        self._tokens: dict[tuple[str, str], str] = {}
        self._others: dict[str, str] = {}
        self._course_names: dict[str, tuple[str, str]] = {}
        self._codes: dict[str, list[str]] = {}
        self._names: dict[str, list[str]] = {}
        self._words: set[str] = set()
        self._pattern: re.Pattern | None = None
        # Titles are masked again and again; what is learned later may mask more.
        self._masked: dict[tuple[str, str], str] = {}
        self._courses, self._people = Courses(), People()

    @property
    def shown(self) -> dict[str, str]:
        """Human name of every token; of a course its code, with its name if others share that."""
        codes = Counter(code for code, _ in self._course_names.values())
        courses = {
            token: code if codes[code] == 1 else f"{code} {name}"
            for token, (code, name) in self._course_names.items()
        }
        return courses | self._others

    def learn_course(self, key: str, code: str, *names: str, token: str | None = None) -> str:
        """The token of the course with this key, known from now on by its code and its names.

        `token` is one that it has already.
        """
        names = tuple(name for name in names if name) or (code,)
        code = code or names[0]
        token = self._tokens.setdefault(("COURSE", f"key {key}"), token or self._next("COURSE"))
        self._course_names[token] = code, names[0]
        self._courses.learn(code, names[0])
        for text in (code, *names):
            for span in self._courses.find(text):
                if span.kind == "COURSE":
                    _add(self._codes, span.value, token)
        for text in (code, *names, f"{code} {names[0]}"):
            self._alias(text, token)
        return token

    def learn_person(self, name: str) -> str:
        """The token of a person, known from now on by the full name and its parts."""
        self._people.learn(name)
        token = self._token("PERSON", canonical(name) or normal(name), name)
        self._alias(self._others[token], token)
        return token

    def mask(self, text: str, kind: str = "prose") -> str:
        """The text with names as tokens; kind `prose` or `title`. Tokens in it stay as they are."""
        if (text, kind) not in self._masked:
            plain = visible(text)
            self._masked[text, kind] = self._replaced(plain, self._spans(plain, kind))
        return self._masked[text, kind]

    def unmask(self, text: str) -> str:
        """The text with every token of the table as its human name."""
        shown = self.shown
        return TOKEN.sub(lambda match: shown.get(match[0], match[0]), text)

    def title(self, name: str) -> str:
        """A course's name for the model: without codes, sections and ids; "" if nothing is left."""
        found = [*self._courses.find(name), *numbers.find(name)]
        cut = [span for span in found if span.kind in ("COURSE", "SECTION", *_IDS)]
        for span in reversed(merge(cut)):
            name = f"{name[: span.start]} {name[span.end :]}"
        name = re.sub(r"[(\[][\s_-]*[)\]]", "", name)
        name = " ".join(visible(name).split()).strip(_EDGES)
        return self._replaced(name, self._personal(name, "title"))

    def _replaced(self, text: str, spans: Iterable[Span]) -> str:
        """The text with tokens in the places of the spans that touch no token."""
        kept = [match.span() for match in TOKEN.finditer(text)] if "@" in text else []
        free = [s for s in spans if not any(s.start < end and start < s.end for start, end in kept)]
        parts, position, last = [], 0, ""
        for span in merge(free):
            gap, token = text[position : span.start], self._of(span, text[span.start : span.end])
            position = span.end
            # Given name and surname found one by one are one person.
            if token == last and not gap.strip():
                continue
            parts += gap, token
            last = token
        return "".join([*parts, text[position:]])

    def _spans(self, text: str, kind: str) -> Iterator[Span]:
        for match in self._spellings().finditer(text) if self._names else ():
            # A name of one word, such as Writing, is a word too: only as the record writes it.
            if " " in _spelled(match[0]) or match[0] in self._words:
                yield Span(*match.span(), "NAME", _spelled(match[0]))
        yield from self._courses.find(text)
        yield from self._personal(text, kind)

    def _personal(self, text: str, kind: str) -> Iterator[Span]:
        yield from self._people.find(text, kind)
        yield from contacts.find(text)
        yield from (span for span in numbers.find(text) if span.kind in _IDS)

    def _alias(self, text: str, token: str) -> None:
        if token in self._names.get(_spelled(text), ()):
            return
        _add(self._names, _spelled(text), token)
        if len(text.split()) == 1:
            self._words.add(text)
        self._pattern = None
        self._masked.clear()

    def _spellings(self) -> re.Pattern:
        """Any of the names, the longest first."""
        if self._pattern is None:
            longest = sorted(self._names, key=lambda name: (-len(name), name))
            spelled = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest)
            self._pattern = re.compile(rf"(?<!\w)(?:{spelled})(?!\w)", re.I)
        return self._pattern

    def _of(self, span: Span, text: str) -> str:
        known = {"NAME": self._names, "COURSE": self._codes}.get(span.kind, {})
        # Where a lecture and its lab share a code, nobody knows which is meant.
        tokens = known.get(span.value) or [self._token(span.kind, span.value, text)]
        return " or ".join(tokens)

    def _token(self, kind: str, value: str, shown: str) -> str:
        if (kind, value) not in self._tokens:
            self._tokens[kind, value] = self._next(kind)
            self._others[self._tokens[kind, value]] = " ".join(shown.split())
        return self._tokens[kind, value]

    def _next(self, kind: str) -> str:
        taken = [int(t[len(kind) + 1 :]) for (k, _), t in self._tokens.items() if k == kind]
        return f"@{kind}{max(taken, default=0) + 1}"


def _add(table: dict[str, list[str]], key: str, token: str) -> None:
    tokens = table.setdefault(key, [])
    if token not in tokens:
        tokens.append(token)


def _spelled(name: str) -> str:
    return " ".join(name.split()).casefold()
