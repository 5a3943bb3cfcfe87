"""What unmasked identifiers look like; canvas.anonymize is not used, so its gaps are not ours."""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from canvas.wordlists import words

_DASH = r"\-\u2010-\u2015\u2212"


class Leak(NamedTuple):
    """text[start:end] looks like an identifier of this kind."""

    start: int
    end: int
    kind: str


class Rule(NamedTuple):
    """A pattern, a second look at what it found, and what no match is without (None: nothing)."""

    kind: str
    pattern: re.Pattern
    accept: Callable[[re.Match], bool] = lambda match: True
    needs: re.Pattern | None = None


def scan(text: str, rules: tuple[Rule, ...]) -> Iterator[Leak]:
    """Leaks in a text, in the order of the rules."""
    for rule in rules:
        for match in rule.pattern.finditer(text):
            if rule.accept(match):
                yield Leak(*match.span(), rule.kind)


def _is_code(match: re.Match) -> bool:
    """A known department before any number, capitals before one that is no year."""
    return _names_course(match["letters"], match["number"])


@lru_cache(maxsize=100_000)
def _names_course(letters: str, number: str) -> bool:
    upper = letters.upper()
    if upper in words("no_departments"):
        return False
    if upper in words("departments"):
        ordinary = letters.lower() in words("department_words") and not letters.isupper()
        return not ordinary and (len(number) == 4 or letters.isupper())
    return letters.isupper() and len(number) == 4 and not 1900 <= int(number) <= 2099


def _is_id(match: re.Match) -> bool:
    digits = match[0]
    term = re.fullmatch(r"20[0-4]\d(0[1-9]|1[0-2])([0-3]\d)?", digits)
    return not term and not digits.endswith("000")


def _luhn(match: re.Match) -> bool:
    total = 0
    digits = re.sub(r"\D", "", match[0])
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 * (value > 9)
    return total % 10 == 0 and 13 <= len(digits) <= 19


def _mod_97(match: re.Match) -> bool:
    text = re.sub(r"[^A-Z0-9]", "", match[0].upper())
    for length in range(len(text), 14, -1):
        turned = text[4:length] + text[:4]
        if int("".join(str(int(c, 36)) for c in turned)) % 97 == 1:
            return True
    return False


def _octets(match: re.Match) -> bool:
    return all(int(part) < 256 for part in match[0].split("."))


@cache
def _given_names() -> frozenset[str]:
    from zxcvbn.frequency_lists import FREQUENCY_LISTS as lists

    names = {*lists["female_names"], *lists["male_names"]}
    ordinary = words("plain") | words("vocabulary") | words("eponyms") | words("countries")
    return frozenset(name.title() for name in names - ordinary if len(name) > 2)


def _is_given(match: re.Match) -> bool:
    return match["name"] in _given_names()


# More digits than dates, times and counts have, or what goes before fewer of them.
_NUMBER = re.compile(r"\d{3}(?!\d?-\d\d-\d\d)|\+\d|[Ss]ec|\d\d [A-Z]|Box \d")
# Identifiers that no text of ours may hold, whatever it is.
ANYWHERE = (
    Rule("e-mail address", re.compile(r"[\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}"),
         needs=re.compile(r"@[\w-]+\.")),
    Rule("URL", re.compile(r"https?://\S+|(?<!\w)www\.[a-z]\S+", re.I),
         needs=re.compile(r"://|www\.", re.I)),
    Rule("IP address", re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)"), _octets,
         needs=re.compile(r"\d\.\d+\.\d")),
    Rule("IP address", re.compile(
        r"(?<![\w:])(?:[0-9a-f]{1,4}:+){2,7}[0-9a-f]{1,4}(?![\w:])", re.I),
        lambda match: "::" in match[0] or match[0].count(":") == 7,
        needs=re.compile(r"[0-9a-f]:+[0-9a-f]+:", re.I)),
    Rule("social security number", re.compile(r"(?<![\w-])\d{3}([- ])\d{2}\1\d{4}(?![\w-])"),
         needs=_NUMBER),
    Rule("IBAN", re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)"), _mod_97,
         needs=_NUMBER),
    Rule("card number", re.compile(r"(?<![\w.])\d(?:[ -]?\d){12,18}(?![\w.])"), _luhn,
         needs=re.compile(r"\d(?:[ -]?\d){12}")),
    Rule("telephone number", re.compile(
        r"(?=[+(\d])(?:(?<![\w.,-])(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}"
        r"(?![\w-])"
        r"|(?<![\w-])\d{3}-\d{4}(?![\w-])"
        r"|(?<!\w)\+\d{1,3}[ (-][\d ()-]{6,16}\d(?!\w))"),
        needs=_NUMBER),
    Rule("street address", re.compile(
        r"(?=[\dP])(?:(?<![\w.])\d{2,5} (?:[A-Z][a-z]+ ){1,3}"
        r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Boulevard|Blvd|Court|Drive)\b"
        r"|\bP\.? ?O\.? Box \d+)"),
        needs=_NUMBER),
    Rule("postal address", re.compile(r"\b[A-Z][a-z]+, [A-Z]{2} \d{5}\b"), needs=_NUMBER),
    Rule("student or SIS id", re.compile(r"(?<![^\W_])[A-Z]\d{7,9}(?![^\W_])"), needs=_NUMBER),
    Rule("name behind a title", re.compile(r"\b(?:Dr|Prof|Mr|Mrs|Ms)\.? [A-Z][a-z]{2,}\b")),
    Rule("given name", re.compile(
        r"\b(?:with|by|from|ask|tell|thanks to|Instructor:|TA:|[Ii]nterview(?:ing)?) "
        r"(?P<name>[A-Z][a-z]+)\b"), _is_given),
)  # fmt: skip
# Identifiers of courses and accounts, which texts about the simulated world may resemble.
IDENTIFIERS = (
    Rule("course code", re.compile(
        rf"(?<![A-Za-z@])(?P<letters>[A-Za-z]{{2,5}})(?:[ \u00a0_]|[{_DASH}]){{0,3}}"
        r"(?P<number>\d{3,4})(?!\d|-\d\d-\d\d)"), _is_code, needs=_NUMBER),
    Rule("section or CRN", re.compile(
        r"(?=[(\[C_Ss])(?:(?<!\w)[(\[]\d{5}[)\]]|\bCRN\W{0,3}\d{4,6}|_\d{5}_\d{6}(?!\d)"
        r"|\b[Ss]ec(?:t|tion|\.)? ?#?(?:0\d+|\d{3,5})\b)"), needs=_NUMBER),
    Rule("numeric id", re.compile(r"(?<![\w.,:$/-])\d{5,10}(?![\w%]|[.,:/-]\d)"), _is_id,
         needs=_NUMBER),
    Rule("numeric id", re.compile(r"(?<=_)\d{5}(?=_|\b)"), needs=_NUMBER),
)  # fmt: skip
# Tokens that are not of our making; the simulated world has some like them.
FOREIGN = (
    Rule(
        "foreign token",
        re.compile(r"@[A-Z]+\d{1,7}(?!\d)(?:/\d{3,4})?"),
        needs=re.compile(r"@[A-Z]+\d"),
    ),
)
SESSION = ANYWHERE + IDENTIFIERS
EVERYTHING = SESSION + FOREIGN
