"""Course codes: the grammar of their spellings, and the codes, sections and ids a corpus knows."""

import re
from collections.abc import Iterable, Iterator

from canvas.registry import KINDS
from canvas.spans import Span
from canvas.wordlists import words

DEPARTMENTS = words("departments")
_WORDS = words("department_words")
_FUNCTION_WORDS = frozenset(("as", "is", "it", "me", "us"))
_NO_DEPARTMENT = words("no_departments")
_FULL_NAMES = {
    "Accounting": "ACCT", "Anthropology": "ANTH", "Biology": "BIOL", "Chemistry": "CHEM",
    "Economics": "ECON", "Engineering": "ENGR", "English": "ENGL", "Geology": "GEOL",
    "History": "HIST", "Mathematics": "MATH", "Philosophy": "PHIL", "Physics": "PHYS",
    "Psychology": "PSYC", "Sociology": "SOCI", "Statistics": "STAT",
}  # fmt: skip
_SAME = {
    "BIO": "BIOL",
    "PHY": "PHYS",
    "PSY": "PSYC",
    "PSYCH": "PSYC",
    "STATS": "STAT",
    "SOC": "SOCI",
}

DASH = r"\-\u2010-\u2015\u2212\ufe63"
_GAP = rf"(?:[^\S\n]|[_{DASH}]){{0,3}}"
_NUMBER = re.compile(
    r"(?<!\d)\d{3,4}(?!\d|[-/]\d\d[-/]\d\d)(?:(?P<suffix>[A-Za-z])(?![A-Za-z0-9]))?"
)
_DEPARTMENT = re.compile(rf"(?P<dept>[A-Za-z]{{1,24}})(?:{_GAP}|[./:])$")
# How far before its number the letters of a code may begin.
_REACH = 32
_MORE = re.compile(r"(?P<gap>\s?(?:/|&|,|and|or)\s?)(?P<number>\d{4})(?P<suffix>[A-Z]?)(?![\d\w])")
_TAIL = re.compile(rf"(?:[_{DASH}.](?P<section>\d{{2,3}}))(?![\d\w]|[.,]\d)")
_FULL = re.compile(rf"\b({'|'.join(_FULL_NAMES)}) (\d{{3,4}})([A-Z]?)(?!\w|[.,]\d)")
_FOREIGN = re.compile(r"@([A-Z]+)\d{1,7}(?!\d)(?:/\d{3,4})?")
_DIGITS = re.compile(r"\d{3}")
_LITERAL = re.compile(r"(?<![^\W_])[A-Z]{3,8}(?![^\W_])")
_CRN = re.compile(rf"[_{DASH}](\d{{5}})(?=[_{DASH}]|$)")


def department(letters: str) -> str:
    """One spelling for a department: capitals, common variants as one."""
    return _SAME.get(letters.upper(), letters.upper())


class Courses:
    """Course codes known from the records themselves, on top of the built-in departments."""

    def __init__(self) -> None:
        self.departments: set[str] = set()
        self.codes: set[str] = set()
        self.sections: set[str] = set()
        self.aliases: dict[str, str] = {}
        self.literals: set[str] = set()

    def learn(self, code: str, name: str = "") -> None:
        """Know a course_code field: its department, number, sections, and tokens in its name."""
        for match in _NUMBER.finditer(code):
            found = _DEPARTMENT.search(code, 0, match.start())
            letters = found["dept"].upper() if found else ""
            if letters not in _NO_DEPARTMENT and 2 <= len(letters) <= 5:
                self.departments.add(letters)
                self.codes.add(department(letters) + _digits(match))
        self.sections.update(_CRN.findall(code))
        if _LITERAL.fullmatch(code) and code not in _NO_DEPARTMENT:
            self.literals.add(code)
        value = self.value(code)
        for match in _FOREIGN.finditer(name if self._coded(code) else ""):
            self.aliases.setdefault(_foreign(match[0]), value)

    def learn_titles(self, rows: Iterable[tuple[str, str, list[str]]]) -> None:
        """Know a foreign token for the course in whose titles alone it stands, and it alone.

        `rows` are (course_code, course_name, titles).
        """
        homes: dict[str, set[str]] = {}
        alone: set[str] = set()
        for code, name, titles in rows:
            tokens = {_foreign(m[0]) for text in titles for m in _FOREIGN.finditer(text)}
            alone |= tokens if len(tokens) == 1 else set()
            for token in tokens:
                homes.setdefault(token, set()).add(self.value(code, name))
        for token, values in homes.items():
            if token in alone and len(values) == 1:
                self.aliases.setdefault(token, *values)

    def value(self, code: str, name: str = "") -> str:
        """What identifies the course of a row: its first code, else the whole of course_code."""
        for text in (code, name):
            for span in sorted(self.find(text, foreign=True)):
                if span.kind == "COURSE":
                    return span.value
        return code

    def _coded(self, code: str) -> bool:
        return any(span.kind == "COURSE" for span in self.find(code))

    def find(self, text: str, *, foreign: bool = False) -> Iterator[Span]:
        """Spans of course codes and of sections glued to them.

        `foreign` also takes other people's short tokens, such as `@COURSE1/5040`, for codes.
        """
        yield from self._numbered(text)
        for match in _LITERAL.finditer(text) if self.literals else ():
            if match[0] in self.literals:
                yield Span(*match.span(), "COURSE", match[0])
        if foreign and "@" in text:
            for match in _FOREIGN.finditer(text):
                value = self.aliases.get(_foreign(match[0]), _foreign(match[0]))
                yield Span(*match.span(), match[1] if match[1] in KINDS else "COURSE", value)

    def _numbered(self, text: str) -> Iterator[Span]:
        for match in _NUMBER.finditer(text):
            yield from self._code_spans(text, match)
        for match in _FULL.finditer(text):
            if not 1500 <= int(match[2]) <= 2099:
                yield Span(*match.span(), "COURSE", _FULL_NAMES[match[1]] + match[2] + match[3])

    def _code_spans(self, text: str, match: re.Match) -> Iterator[Span]:
        found = _DEPARTMENT.search(text, max(0, match.start() - _REACH), match.start())
        if not found or text[max(0, found.start() - 1) : found.start()] == "@":
            return
        number, end = _digits(match), match.end()
        letters = self._department_in(found["dept"], number)
        if letters is None:
            return
        start = found.end("dept") - len(letters)
        dept, suffix = department(letters), (match["suffix"] or "").upper()
        if match["suffix"] == "s":
            suffix, end = "", end - 1
        if before := re.search(r"(?<![A-Za-z])([A-Z]{2,5})/$", text[max(0, start - 7) : start]):
            start -= len(before[0]) if before[1] in DEPARTMENTS | self.departments else 0
        yield Span(start, end, "COURSE", dept + number + suffix)
        while more := _MORE.match(text, end):
            if 1900 <= int(more["number"]) <= 2099 and more["gap"] != "/":
                break
            value = dept + more["number"] + more["suffix"]
            yield Span(more.start("number"), more.end(), "COURSE", value)
            end = more.end()
        if tail := _TAIL.match(text, end):
            yield Span(*tail.span("section"), "SECTION", tail["section"])

    def _department_in(self, word: str, number: str) -> str | None:
        """The department that the letters before a number are, or end in, or None."""
        upper = word.upper()
        if department(upper) + number in self.codes:
            return word
        if upper in _NO_DEPARTMENT:
            return None
        if upper in self.departments or upper in DEPARTMENTS:
            return word if _reads_as_code(word, number) else None
        capitals = re.search(r"(?<=[a-z])[A-Z]{2,5}$", word)
        if capitals and capitals[0] in self.departments | DEPARTMENTS:
            return capitals[0]
        known = 2 <= len(word) <= 4 and word.isupper() and len(number) == 4
        return word if known and not 1900 <= int(number) <= 2099 else None


def _reads_as_code(word: str, number: str) -> bool:
    lower = word.lower()
    if word.isupper() or lower not in _WORDS:
        return True
    year = 1900 <= int(number) <= 2099
    return word.istitle() and lower not in _FUNCTION_WORDS and not year


def _digits(match: re.Match) -> str:
    return re.match(r"\d+", match[0])[0]


def _foreign(token: str) -> str:
    return token.split("/")[0].casefold()
