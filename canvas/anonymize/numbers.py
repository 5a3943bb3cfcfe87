"""Numbers that point at one person, account or section, and logins."""

import re
from collections.abc import Iterator
from datetime import date

from canvas.anonymize import hints
from canvas.anonymize.lexicon import is_surname, is_word
from canvas.courses import DASH
from canvas.spans import Span

# Shapes without which no account number or long id occurs.
_LONG_GATE = re.compile(rf"\d{{5}}|\d\d[ {DASH}]\d{{4}}|\d[A-Za-z]{{1,4}} ?\d{{4}}")
_SECTIONS = frozenset(("section", "sections", "sect", "sec", "crn", "id", "ids", "uid"))
_ACCOUNTS = frozenset(
    ("log", "login", "logins", "user", "username", "usernames", "handle", "handles", "net", "netid",
     "netids", "pid", "pids", "discord", "insta", "instagram", "snapchat", "venmo", "ins")
)  # fmt: skip
_SSN = re.compile(
    rf"(?<![\w{DASH}.])(?!000|666)\d{{3}}([{DASH} ])\d{{2}}\1\d{{4}}(?![\w]|[{DASH}]\d)"
)
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?!\w)", re.I)
_CARD = re.compile(rf"(?<![\w.])[1-6](?:[ {DASH}]?\d){{12,18}}(?!\w|[.,]\d)")
_UUID = re.compile(r"(?<!\w)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!\w)", re.I)
_LETTERED = re.compile(r"(?<![^\W_])[A-Za-z]{1,2}-?\d{7,9}(?![^\W_])")
_LONG = re.compile(
    r"(?<![^\W_])(?<!\d[.,:])(?<![$\u20ac\u00a3])(?<!(?:ISO|IEC|RFC|DIN)[ -])(?<!\bEN )"
    r"\d{5,12}(?![^\W_]|[.,:]\d|\s?%)"
)
_ISBN = re.compile(r"(?<!\d)97[89](?:[- ]?\d){10}(?!\d)")
_LABELLED = re.compile(
    r"\b(?:CRN|ID|IDs|UID)\b[\s:#=.]{0,3}(?:is |no\.? |number )?(\d{4,12})\b", re.I
)
_SECTION = re.compile(
    r"\b(?:section|sections|sect|sec)\b\.?[\s:#]{0,2}(\d{2,5}[A-Za-z]?)(?!\w|\.\d)"
    r"|\bsect\.?\s?(\d)(?!\w|\.\d)",
    re.I,
)
_LOGIN = re.compile(r"(?<![\w@./-])[a-z]{3,20}\d{1,4}(?![\w-]|\.\w)")
_NAMED_LOGIN = re.compile(
    r"\b(?:log-?ins?|user ?names?|handles?|net ?ids?|pids?|discord|insta(?:gram)?|snapchat|venmo)\b"
    r"(?:,? (?:for example|e\.g\.|is|are|such as|like))?[\s:,=@]{1,3}"
    r"([A-Za-z][\w.-]{1,30}\d|@?[a-z]+[_.][a-z]+)(?!\w)",
    re.I,
)
_LETTER_DIGIT = re.compile(r"[a-z]{3}\d")
_MENTION = re.compile(r"(?<![\w@.])@(?![A-Z]+\d)([A-Za-z][\w.-]{2,30})(?<!\.)")


def find(text: str) -> Iterator[Span]:
    """Spans of numbers with check digits, of ids and section numbers, and of logins."""
    seen = hints.of(text)
    if seen.digits:
        if _LONG_GATE.search(seen.bare):
            yield from _accounts(text)
            yield from _ids(text)
        for match in _UUID.finditer(text) if text.count("-") > 3 else ():
            yield Span(*match.span(), "ID", match[0])
        if seen.words & _SECTIONS:
            yield from _labelled(text)
        if _LETTER_DIGIT.search(seen.bare):
            yield from _logins(text)
    for match in _NAMED_LOGIN.finditer(text) if is_announced(seen) else ():
        yield Span(*match.span(1), "PERSON", match[1])
    if "@" in seen.bare:
        yield from _mentions(text)


def is_announced(seen: hints.Hints) -> bool:
    """Whether a line has a word that may announce a login."""
    return not seen.words.isdisjoint(_ACCOUNTS)


def _accounts(text: str) -> Iterator[Span]:
    for match in _SSN.finditer(text):
        yield Span(*match.span(), "SSN", match[0])
    for match in _IBAN.finditer(text):
        if iban := _iban(match[0]):
            yield Span(match.start(), match.start() + len(iban), "IBAN", iban)
    for match in _CARD.finditer(text):
        if luhn(match[0]):
            yield Span(*match.span(), "CARD", match[0])


def _ids(text: str) -> Iterator[Span]:
    for match in _LETTERED.finditer(text):
        yield Span(*match.span(), "ID", match[0])
    books = [match.span() for match in _ISBN.finditer(text)] if "97" in text else []
    for match in _LONG.finditer(text):
        book = any(start <= match.start() < end for start, end in books)
        if not book and not _harmless(match[0]):
            yield Span(*match.span(), "SECTION" if len(match[0]) == 5 else "ID", match[0])


def _labelled(text: str) -> Iterator[Span]:
    for match in _LABELLED.finditer(text):
        kind = "SECTION" if match[0][:3].upper() == "CRN" else "ID"
        yield Span(*match.span(1), kind, match[1])
    for match in _SECTION.finditer(text):
        group = 1 if match[1] else 2
        yield Span(*match.span(group), "SECTION", match[group])


def _harmless(digits: str) -> bool:
    """A round number, a registrar's term such as 202601, or a day such as 20260131."""
    if digits.endswith("000"):
        return True
    if len(digits) == 6:
        return re.fullmatch(r"20[0-4]\d(?:0[1-9]|1[0-2])", digits) is not None
    if len(digits) == 8 and digits[:2] in ("19", "20"):
        try:
            date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
        except ValueError:
            return False
        return True
    return False


def _logins(text: str) -> Iterator[Span]:
    for match in _LOGIN.finditer(text):
        letters = match[0].rstrip("0123456789")
        if is_surname(letters[1:]) or (len(letters) > 4 and not is_word(letters)):
            yield Span(*match.span(), "PERSON", match[0])


def _mentions(text: str) -> Iterator[Span]:
    for match in _MENTION.finditer(text):
        name = match[1]
        if not (name.isalpha() and is_word(name.lower())):
            yield Span(*match.span(), "PERSON", name)


def _iban(text: str) -> str | None:
    """The longest beginning, at a group's end, that is an IBAN by its check digits (ISO 13616)."""
    while len(text) >= 15:
        plain = re.sub(r"[ -]", "", text).upper()
        if 15 <= len(plain) <= 34 and int(_as_digits(plain[4:] + plain[:4])) % 97 == 1:
            return text
        text = re.sub(r"[ -]?[A-Za-z0-9]{1,4}$", "", text)
    return None


def _as_digits(plain: str) -> str:
    return "".join(str(int(character, 36)) for character in plain)


def luhn(text: str) -> bool:
    """Whether the check digit of a card number is right (ISO/IEC 7812-1)."""
    digits = [int(character) for character in text if character.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0 and len(set(digits)) > 1
