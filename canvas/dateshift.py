"""Date shift: moves every date of a contributor by the same whole weeks; weekdays and gaps stay."""

import re
from calendar import isleap
from collections.abc import Callable
from datetime import date, timedelta

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_MONTH = "(?P<month>Sept|" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS) + ")"
_DAY = r"(?P<day>\d{1,2})(?P<ordinal>st|nd|rd|th)?"
_YEAR = r"(?P<year>,? \d{4}\b)?"
_ISO = re.compile(r"(?<![\d-])(\d{4})-(\d\d)-(\d\d)(?![\d-])")
_NAMED = re.compile(rf"\b{_MONTH}(?P<dot>\.?)(?P<gap> {{1,2}}){_DAY}(?![\d:]){_YEAR}", re.I)
_DAY_FIRST = re.compile(
    rf"(?<![\d.:/-]){_DAY}(?P<gap> (?:of )?){_MONTH}(?P<dot>\.?)(?!\w){_YEAR}", re.I
)
_SLASHED = re.compile(r"(?<![\d/.])(\d{1,2})/(\d{1,2})(/\d{2}|/\d{4})?(?![\d/]|\.\d)")
# No leading zeros: 02.15 is a section of a book.
_DOTTED = re.compile(r"^([1-9]\d?)\.([1-9]\d?)(?= [A-Z])")
# A number pair without a year is a date only this near to a date that is known of the text.
SLASH_DAYS, DOT_DAYS = 45, 4


def shift_time(text: str | None, weeks: int) -> str | None:
    """An ISO-8601 date or time with its date moved; what follows the date stays as it is."""
    if text is None:
        return None
    return str(date.fromisoformat(text[:10]) + timedelta(weeks=weeks)) + text[10:]


def shift_text(text: str, weeks: int, near: str | None) -> str:
    """The text with its dates moved by whole weeks.

    `near` is an ISO time that the text belongs to, such as when the work is due: it decides the
    year of a date that has none. Without it only dates with a year are moved.
    """
    if not re.search(r"\d", text):
        return text
    anchor = date.fromisoformat(near[:10]) if near else None
    move = timedelta(weeks=weeks)
    text = _ISO.sub(_safely(lambda m: str(date(*map(int, m.groups())) + move)), text)
    for pattern in (_NAMED, _DAY_FIRST):
        text = pattern.sub(_safely(lambda m: _named(m, anchor, move)), text)
    text = _SLASHED.sub(_safely(lambda m: _slashed(m, anchor, move)), text)
    return _DOTTED.sub(_safely(lambda m: _dotted(m, anchor, move)), text)


def _safely(make: Callable[[re.Match], str]) -> Callable[[re.Match], str]:
    """`make`, which leaves what is no day of the calendar as it is."""

    def replace(match: re.Match) -> str:
        try:
            return make(match)
        except (ValueError, OverflowError):
            return match[0]

    return replace


def _named(match: re.Match, anchor: date | None, move: timedelta) -> str:
    month = next(n for n, name in enumerate(_MONTHS, 1) if name[:3] == match["month"][:3].title())
    year = int(match["year"][-4:]) if match["year"] else None
    day = _day(year, month, int(match["day"]), anchor)
    if day is None:
        return match[0]
    day += move
    number = f"{day.day}{_ordinal(day.day) if match['ordinal'] else ''}"
    name = _spelled(day.month, match["month"])
    dot = match["dot"] if name.casefold() != "may" else ""
    tail = match["year"][:-4] + str(day.year) if year else ""
    if match.start("day") < match.start("month"):
        return f"{number}{match['gap']}{name}{dot}{tail}"
    return f"{name}{dot}{match['gap']}{number}{tail}"


def _slashed(match: re.Match, anchor: date | None, move: timedelta) -> str:
    year = int(f"20{match[3][-2:]}") if match[3] else None
    day = _day(year, int(match[1]), int(match[2]), anchor)
    if day is None or (year is None and abs((day - anchor).days) > SLASH_DAYS):
        return match[0]
    day += move
    tail = "/" + str(day.year)[-len(match[3][1:]) :] if match[3] else ""
    return f"{day.month}/{day.day}{tail}"


def _dotted(match: re.Match, anchor: date | None, move: timedelta) -> str:
    day = _day(None, int(match[1]), int(match[2]), anchor)
    if day is None or abs((day - anchor).days) > DOT_DAYS:
        return match[0]
    day += move
    return f"{day.month}.{day.day}"


def _day(year: int | None, month: int, day: int, anchor: date | None) -> date | None:
    """The day; without a year the one nearest to the anchor, None without that too."""
    if year is not None:
        return date(year, month, day)
    if anchor is None:
        return None
    years = [anchor.year - 1, anchor.year, anchor.year + 1]
    if (month, day) == (2, 29):
        years = [y for y in range(anchor.year - 4, anchor.year + 5) if isleap(y)]
    return min((date(y, month, day) for y in years), key=lambda found: abs(found - anchor))


def _spelled(month: int, like: str) -> str:
    """A month's name, as long and in the same case as another one."""
    full = _MONTHS[month - 1]
    name = full if like.title() in _MONTHS and like.title() != "May" else full[:3]
    return name.upper() if like.isupper() else name.lower() if like.islower() else name


def _ordinal(day: int) -> str:
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
