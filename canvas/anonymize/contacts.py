"""Contacts: e-mail and network addresses, URLs, telephone numbers."""

import ipaddress
import re
from collections.abc import Iterator
from functools import lru_cache

from canvas.anonymize import hints
from canvas.courses import DASH
from canvas.spans import Span

_SURE = "edu|com|org|net|gov|mil|info|biz|uk|ca|au|nz|eu|io|xyz"
# Ordinary words too: such a host needs a path behind it.
_TOP_LEVEL = (
    f"{_SURE}|int|co|ai|app|dev|me|us|ie|de|fr|es|it|nl|be|ch|at|pt|pl|se|no|dk|fi|cz|gr|ro|hu|ru|ua"
    "|tr|il|in|cn|jp|kr|br|mx|ar|cl|za|ng|ke|online|ly|gl|tv|cc|page|site|tech|link|to|gg|sh|so|fm|im|wiki|blog|cloud|space|info|id|sg|my|ph|th|vn"
)
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,62})"
_EMAIL = re.compile(
    r"(?<![\w.+%-])[\w.+%'-]{1,64}@(?:[^\W_](?:[\w-]{0,62})\.){1,8}[^\W\d_]{2,24}(?![\w@])", re.I
)
# Spelled to hide from machines: name (at) example (dot) edu, name [at] example.edu.
_SPOKEN = re.compile(
    r"(?<![\w.])[\w.+-]{1,64} ?[(\[{<] ?at ?[)\]}>] ?[\w-]{1,63}"
    r"(?:(?: ?[(\[{<] ?dot ?[)\]}>] ?|\.)[\w-]{1,63}){1,5}",
    re.I,
)
_SPOKEN_GATE = re.compile(r"[(\[{<] ?at ?[)\]}>]", re.I)
_WWW = re.compile(r"www", re.I)
_BARE_GATE = re.compile(rf"\.(?:{_TOP_LEVEL})\b", re.I)
_URL = re.compile(r"(?:\b(?:https?|ftp)://|\bwww\d?\.)[^\s<>\"'`{}|\\^]+", re.I)
_BARE_URL = re.compile(
    rf"(?<![\w@./-])(?:{_LABEL}\.){{1,5}}"
    rf"(?:(?:{_TOP_LEVEL})(?::\d+)?/[^\s<>\"'`{{}}|\\^]*|(?:{_SURE})(?::\d+)?(?![\w.-]*\w))",
    re.I,
)
_SEVEN = re.compile(r"\d(?:[^\d\n]{0,4}\d){6}")
_COLON_GATE = re.compile(r":[0-9a-f]{0,4}:", re.I)
_FOUR = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)")
_SIX = re.compile(r"(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])", re.I)
_HARDWARE = re.compile(r"(?<![\w:-])(?:[0-9a-f]{2}:){5}[0-9a-f]{2}(?![\w:-])", re.I)
_PHONE_GATE = re.compile(
    rf"(?<![\w.,/@$#%+])(?:\+|\(|\b)\d[\d \u00a0().{DASH}/]{{5,20}}\d"
    rf"(?:(?:,? ?(?:x|ext\.?|extension) ?)\d{{1,6}}(?!\w)|(?!\w|[.,/]\d|%|[{DASH}]\d))"
)
_PHONE_SHAPES = re.compile(
    r"\+\d[\d .()/-]{6,18}"  # international
    r"|(?:(?:00)?1[ .-]?)?\(?\d{3}\)?[ ./-]{0,2}\d{3}[ .-]?\d{4}"  # North America
    r"|\d{3}[.-]\d{4}"  # local
    r"|\(?0\d{1,5}\)?(?:[ ./-]{0,2}\d{2,8}){1,5}"  # national trunk prefix
    r"|00\d[\d .()/-]{7,17}"
    r"|[6-9]\d{4}[ -]\d{5}"  # India
)
_ISBN = re.compile(r"97[89]-(?:\d+-){3}\d")
_REGIONS = ("US", "GB", "DE", "FR", "IN", "AU", "ES", "BR")


def find(text: str) -> Iterator[Span]:
    """Spans of e-mail addresses, URLs, IP and hardware addresses, telephone numbers."""
    seen = hints.of(text)
    if "@" in seen.bare:
        yield from _spans(_EMAIL, text, "EMAIL")
    if "at" in seen.words and _SPOKEN_GATE.search(text):
        yield from _spans(_SPOKEN, text, "EMAIL")
    if "." in seen.bare:
        yield from _urls(text)
    if not seen.digits:
        return
    if seen.bare.count(".") > 2:
        for match in _FOUR.finditer(text):
            if all(int(part) < 256 for part in match[0].split(".")):
                yield Span(*match.span(), "IP", match[0])
    if seen.bare.count(":") > 1 and _COLON_GATE.search(text):
        for match in _SIX.finditer(text):
            if _is_ipv6(match[0]):
                yield Span(*match.span(), "IP", match[0])
        yield from _spans(_HARDWARE, text, "IP")
    if _SEVEN.search(seen.bare):
        yield from _phones(text)


def _spans(pattern: re.Pattern, text: str, kind: str) -> Iterator[Span]:
    for match in pattern.finditer(text):
        yield Span(*match.span(), kind, match[0])


def _urls(text: str) -> Iterator[Span]:
    patterns = [_BARE_URL] if _BARE_GATE.search(text) else []
    for pattern in [*patterns, _URL] if "://" in text or _WWW.search(text) else patterns:
        for match in pattern.finditer(text):
            url = match[0].rstrip(".,;:!?*_~")
            while url.endswith((")", "]")) and url.count(url[-1]) > url.count("(["[url[-1] == "]"]):
                url = url[:-1].rstrip(".,;:!?*_~")
            yield Span(match.start(), match.start() + len(url), "URL", url)


def _is_ipv6(text: str) -> bool:
    if sum(character.isalnum() for character in text) < 4:
        return False
    try:
        return isinstance(ipaddress.ip_address(text), ipaddress.IPv6Address)
    except ValueError:
        return False


def _phones(text: str) -> Iterator[Span]:
    for match in _PHONE_GATE.finditer(text):
        number = match[0]
        start = match.start()
        if number.startswith("(") and number.count("(") > number.count(")"):
            number, start = number[1:], start + 1
        if _is_phone(number):
            yield Span(start, start + len(number), "PHONE", number)


@lru_cache(maxsize=4096)
def _is_phone(number: str) -> bool:
    """A shape in which telephone numbers are written, and possible in some region."""
    import phonenumbers

    plain = re.sub(rf"[{DASH}]", "-", number)
    core = re.split(r",? ?(?:x|ext)", plain, maxsplit=1)[0]
    if not _PHONE_SHAPES.fullmatch(core) or _is_date(core) or _ISBN.fullmatch(core):
        return False
    for region in _REGIONS:
        try:
            parsed = phonenumbers.parse(number, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_possible_number(parsed):
            return True
    return bool(re.fullmatch(r"\d{3}[.-]\d{4}", core))


def _is_date(text: str) -> bool:
    return bool(re.match(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])-[0-3]\d(?!\d)", text))
