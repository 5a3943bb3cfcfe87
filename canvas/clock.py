"""Clock: local times as short ISO text, right across daylight saving.

A zone stands where text or a date becomes a moment; the simulated campus has ZONE. A moment keeps
its own zone, so that a live world lives in the student's.
"""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("America/New_York")
YEARS = range(2000, 2101)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:00)?(Z|[+-][0-9]{2}:[0-9]{2})?"
)


def parse_date(text: str) -> date:
    """A date like `2026-03-04`. Raises ValueError, in words, on any other text or year."""
    if not _DATE.fullmatch(text):
        raise ValueError("must be a date like 2026-03-04")
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError("is no day of the calendar") from None
    return _in_range(day)


def parse_time(text: str, zone: tzinfo = ZONE) -> datetime:
    """A time like `2026-03-04T14:00` (local unless it has an offset) as an aware time of `zone`.

    Of an hour that occurs twice the first is meant unless the offset says the second. Raises
    ValueError, in words, on other text, other years, and local times that the clock skips.
    """
    if not _TIME.fullmatch(text):
        raise ValueError("must be a time like 2026-03-04T14:00")
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("is no time of the calendar") from None
    _in_range(moment.date())
    return localize(moment, zone)


def localize(moment: datetime, zone: tzinfo = ZONE) -> datetime:
    """The same instant in the time of `zone`; a naive one is local.

    Raises ValueError on seconds, and on a local time that the clock skips.
    """
    if moment.second or moment.microsecond:
        raise ValueError("must be a whole minute")
    if moment.tzinfo is not None:
        return moment.astimezone(zone)
    local = moment.replace(tzinfo=zone)
    if local.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != moment:
        raise ValueError("does not exist: clocks go forward over it")
    return local


def at(day: date, minute: int, zone: tzinfo = ZONE) -> datetime:
    """Wall-clock minute 0..1439 of a day as an aware datetime (a skipped one moves forward)."""
    naive = datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=zone)
    return naive.astimezone(UTC).astimezone(zone)


def plus(moment: datetime, minutes: int) -> datetime:
    """`minutes` of elapsed time later, in the moment's own zone.

    Plain addition would count wall-clock minutes.
    """
    return (moment.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(moment.tzinfo)


def minutes_between(start: datetime, end: datetime) -> int:
    """Elapsed whole minutes from `start` to `end`."""
    return int((end.astimezone(UTC) - start.astimezone(UTC)).total_seconds() // 60)


def show(moment: datetime) -> str:
    """`2026-03-04T14:00`; the second pass of a repeated hour also carries its offset."""
    repeated = moment.replace(fold=0).utcoffset() != moment.replace(fold=1).utcoffset()
    text = moment.isoformat(timespec="minutes")
    return text if moment.fold and repeated else text[:16]


def _in_range(day: date) -> date:
    if day.year not in YEARS:
        raise ValueError(f"must lie in the years {YEARS[0]} to {YEARS[-1]}")
    return day
