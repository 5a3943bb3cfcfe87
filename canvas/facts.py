"""Whether an answer states a fact, whatever its spelling: case, spaces, number format, date format.

`8` is not in `87` or `@COURSE8`; `87.50`, `87.5` and `87.5%` are one number, as are `1,200` and
`1200`; the date `2026-03-04` is also stated by `March 4`, `4 Mar 2026` or `3/4/2026`, the time
`14:00` by `2 pm`.
"""

import re
import unicodedata
from functools import lru_cache

_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,]*\d)")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d)(?::\d\d)?(?:z|[+-]\d\d:?\d\d)?")
_CLOCK = re.compile(r"(?<![\w.:])(\d{1,2})(?:[:.]([0-5]\d))?\s*([ap])\.?m\b\.?")
_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b")
_TOKEN = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d|\d{1,4}(?:/\d{1,4})+)"
    r"|(?P<time>\d{1,2}:\d\d)(?::\d\d)?"
    r"|(?P<number>(?<!\w)-?\d+(?:\.\d+)?)"
    r"|(?P<word>[a-f][+-](?!\w)|[^\W\d]\w*(?:'\w+)*)"
)
_REQUESTS = (
    "please give",
    "please say",
    "please specify",
    "please tell",
    "please clarify",
    "please confirm",
    "please provide",
    "please name",
    "let me know",
    "tell me",
    "i need to know",
)
_MONTHS = {
    1: ("january", "jan"),
    2: ("february", "feb"),
    3: ("march", "mar"),
    4: ("april", "apr"),
    5: ("may",),
    6: ("june", "jun"),
    7: ("july", "jul"),
    8: ("august", "aug"),
    9: ("september", "sep", "sept"),
    10: ("october", "oct"),
    11: ("november", "nov"),
    12: ("december", "dec"),
}


def states(answer: str, fact: str) -> bool:
    """Whether `answer` states `fact`: words, a number, a token, an ISO date, time or datetime."""
    tokens = normalise(fact).split()
    return bool(tokens) and all(
        any(contains(answer, form) for form in forms) for forms in _alternatives(tokens)
    )


def asks(answer: str) -> bool:
    """Whether `answer` puts a question, or asks for something without a question mark."""
    return "?" in answer or any(contains(answer, words) for words in _REQUESTS)


def contains(text: str, words: str) -> bool:
    """Whether the normalised `words` stand in the normalised `text`, bounded as tokens are."""
    needle = normalise(words)
    return bool(needle) and f" {needle} " in f" {normalise(text)} "


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """Tokens of `text` in one spelling, separated by single spaces; punctuation and `@` go.

    Datetimes become date and time, times of day `14:00`, numbers their shortest decimal form.
    """
    text = unicodedata.normalize("NFKC", text).casefold()
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("\N{MINUS SIGN}", "-")
    text = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text)
    text = _MOMENT.sub(r"\1 \2", text)
    text = _ORDINAL.sub(r"\1", text)
    text = _CLOCK.sub(_twenty_four_hours, text)
    return " ".join(_spell(match) for match in _TOKEN.finditer(text))


def _spell(match: re.Match) -> str:
    if number := match["number"]:
        sign, digits = ("-", number[1:]) if number[0] == "-" else ("", number)
        whole, _, decimals = digits.partition(".")
        decimals = decimals.rstrip("0")
        return sign + (whole.lstrip("0") or "0") + (f".{decimals}" if decimals else "")
    return f"{match['time']:0>5}" if match["time"] else match[0]


def _twenty_four_hours(match: re.Match) -> str:
    hour = int(match[1])
    if not 1 <= hour <= 12:
        return match[0]
    return f"{hour % 12 + 12 * (match[3] == 'p'):02d}:{match[2] or '00'} "


def _alternatives(tokens: list[str]) -> list[list[str]]:
    """What must stand in the answer, each in one of several forms: dates apart from the rest."""
    required, words = [], []
    for token in tokens:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", token):
            required.append(_date_forms(token))
        else:
            words.append(token)
    return [*required, [" ".join(words)]] if words else required


def _date_forms(iso: str) -> list[str]:
    year, month, day = (int(part) for part in iso.split("-"))
    forms = [iso]
    for m, d in ((month, day), (f"{month:02d}", f"{day:02d}")):
        forms += [f"{m}/{d}", f"{m}/{d}/{year}", f"{m}/{d}/{year % 100:02d}", f"{year}/{m}/{d}"]
    for name in _MONTHS.get(month, ()):
        forms += [f"{name} {day}", f"{day} {name}", f"{day} of {name}"]
    return forms
