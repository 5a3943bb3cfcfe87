"""Terms: names such as `Spring 2026`, moved with the dates, whose shift they would give away."""

import re
from collections.abc import Callable
from datetime import date, timedelta

# A day in the middle of each, and the month that codes such as 202601 have for it.
_MIDDLE = {"spring": (3, 15), "summer": (7, 5), "fall": (10, 20), "winter": (1, 5)}
_MONTH = {"spring": 1, "summer": 6, "fall": 9, "winter": 12}
_CODES = ("winter", "fall", "summer", "spring")
_LETTERS = {"s": "spring", "sp": "spring", "su": "summer", "f": "fall", "fa": "fall"}
_SEASON = "(?P<season>spring|summer|fall|autumn|winter)"
_FORMS = tuple(
    re.compile(rf"(?<![A-Za-z0-9]){form}(?![A-Za-z0-9])", re.I)
    for form in (
        rf"{_SEASON}(?P<gap>[ _,-]{{0,2}}(?:of )?)(?P<year>20\d\d)",
        rf"(?P<first>20\d\d[-/])?(?P<year>20\d\d)(?P<gap>[ _,-]{{0,2}}){_SEASON}",
        r"(?P<year>20\d\d)(?P<month>0[1-9]|1[0-2])",
        r"(?P<letter>s|sp|su|f|fa)(?P<short>\d\d)",
    )
)


def shift_terms(text: str, weeks: int) -> str:
    """The text with each term as the one that its middle lies in after so many weeks."""
    if not re.search(r"\d\d", text):
        return text
    for form in _FORMS:
        text = form.sub(_moved(weeks), text)
    return text


def _moved(weeks: int) -> Callable[[re.Match], str]:
    def move(match: re.Match) -> str:
        found = match.groupdict()
        if found.get("month"):
            return _code(int(found["year"]), int(found["month"]), weeks)
        if letter := found.get("letter"):
            season = _LETTERS[letter.lower()]
            day = date(2000 + int(found["short"]), *_MIDDLE[season]) + timedelta(weeks=weeks)
            return f"{_like(_letter(_season(day), len(letter)), letter)}{day.year % 100:02}"
        season = found["season"].lower().replace("autumn", "fall")
        day = date(int(found["year"]), *_MIDDLE[season]) + timedelta(weeks=weeks)
        name = _like(_season(day, season), found["season"])
        year = f"{day.year - 1}{found['first'][-1]}{day.year}" if found.get("first") else day.year
        parts = [name, found["gap"], str(year)]
        ordered = parts if match.start("season") < match.start("year") else parts[::-1]
        return "".join(ordered)

    return move


def _code(year: int, month: int, weeks: int) -> str:
    """A code moved; a winter's has the December before it."""
    season = next(name for name in _CODES if month >= _MONTH[name] - (name == "fall"))
    day = date(year + (season == "winter"), *_MIDDLE[season]) + timedelta(weeks=weeks)
    season = _season(day, season)
    year = day.year - (season == "winter" and day.month == 1)
    return f"{year}{_MONTH[season]:02}"


def _season(day: date, before: str = "") -> str:
    if before == "winter" and day.month in (12, 1):
        return "winter"
    return "spring" if day.month < 6 else "summer" if day.month < 9 else "fall"


def _letter(season: str, length: int) -> str:
    # One letter stands for spring or fall; a summer has two.
    return season[: 2 if season == "summer" else length]


def _like(word: str, other: str) -> str:
    return word.upper() if other.isupper() else word.title() if other[0].isupper() else word
