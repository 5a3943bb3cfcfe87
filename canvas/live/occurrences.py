"""Occurrences: the events of a document within a span, series expanded, times as instants.

Times are compared by timestamp: of two times of one zone, `<` and `==` compare clock faces, which
is wrong in the hour that occurs twice.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo

import icalendar
import recurring_ical_events

from canvas.live.calendar import Entry
from canvas.live.document import Document

_DAY = timedelta(days=1)
_NO_TITLE = "Untitled"
# What the libraries raise on events that break the standard.
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, OverflowError)


def entries(
    document: Document, start: datetime, end: datetime, problems: list[str], where: str = ""
) -> list[Entry]:
    """Entries that share time with [start, end), soonest first; cancelled ones left out.

    Floating times and whole days are read in the zone of `start`. What cannot be read is named in
    `problems` and left out. `version` is the digest of the document; a server's tag replaces it.
    """
    zone = start.tzinfo
    found = {}
    for calendar in document.calendars:
        sources = _Sources(calendar)
        for item in _expanded(calendar, start - _DAY, end + _DAY, problems):
            if str(item.get("STATUS", "")).upper() == "CANCELLED":
                continue
            entry = _entry(document, sources, item, zone, where)
            if _shares(entry, start, end):
                found[entry.key] = entry
    return sorted(found.values(), key=lambda e: (e.start.timestamp(), e.end.timestamp(), e.key))


def is_series(event: icalendar.Event) -> bool:
    """Whether this component stands for more than one occurrence."""
    return "RRULE" in event or "RDATE" in event


def planned(event: icalendar.Event) -> str:
    """The planned start of an occurrence, "" of an event that is alone: instants as UTC."""
    return slot(event["RECURRENCE-ID"].dt) if "RECURRENCE-ID" in event else ""


def slot(moment: date | datetime) -> str:
    """One spelling of a planned start: a date, an instant in UTC, or a floating time."""
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        return moment.isoformat()
    return moment.astimezone(UTC).isoformat()


def instant(moment: date | datetime, zone: tzinfo) -> datetime:
    """A date's midnight, or a time, as an aware datetime of `zone`; skipped times move forward."""
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone)
    # By way of UTC, for a time in a gap of its zone is none that a clock shows.
    return moment.astimezone(UTC).astimezone(zone)


def later(moment: datetime, length: timedelta) -> datetime:
    """Elapsed time later, in the moment's own zone."""
    return (moment.astimezone(UTC) + length).astimezone(moment.tzinfo)


class _Sources:
    """The components of one calendar that occurrences come from."""

    def __init__(self, calendar: icalendar.Calendar):
        self._by_key: dict[tuple[str, str], icalendar.Event] = {}
        for event in calendar.walk("VEVENT"):
            try:
                self._by_key[str(event["UID"]), planned(event)] = event
            except UNREADABLE:
                continue  # `_expanded` names it

    def master(self, uid: str) -> icalendar.Event | None:
        """The component of a UID that stands for a series or for a single event."""
        return self._by_key.get((uid, ""))

    def of(self, uid: str, recurrence: str) -> icalendar.Event | None:
        """The component that gives an occurrence its properties."""
        return self._by_key.get((uid, recurrence)) or self.master(uid)


def _entry(
    document: Document, sources: _Sources, item: icalendar.Event, zone: tzinfo, where: str
) -> Entry:
    uid, recurrence = str(item["UID"]), planned(item)
    master = sources.master(uid)
    if master is not None and not is_series(master):
        recurrence = ""
    begins = item["DTSTART"].dt
    start = instant(begins, zone)
    end = _end(sources.of(uid, recurrence), item, start, zone)
    end = max(start, end, key=datetime.timestamp)
    whole_day = not isinstance(begins, datetime)
    shown = str(item.get("TRANSP", "TRANSPARENT" if whole_day else "OPAQUE")).upper()
    return Entry(
        uid=uid,
        recurrence=recurrence,
        title=" ".join(str(item.get("SUMMARY", "")).split()) or _NO_TITLE,
        start=_floor(start),
        end=_ceiling(end),
        busy=shown != "TRANSPARENT" and start.timestamp() < end.timestamp(),
        version=document.version(uid),
        where=where,
    )


def _end(
    source: icalendar.Event | None, item: icalendar.Event, start: datetime, zone: tzinfo
) -> datetime:
    """When an occurrence ends.

    Its length is exact where DTEND states it; where DURATION does, days are wall-clock days and the
    rest is exact (RFC 5545, 3.3.6 and 3.8.5.3). The library counts wall-clock time throughout.
    """
    begins, ends = item["DTSTART"].dt, item["DTEND"].dt
    if isinstance(begins, datetime) and source is not None:
        if "DURATION" in source:
            days = timedelta(days=source["DURATION"].dt.days)
            wall = instant(begins.replace(tzinfo=None) + days, begins.tzinfo or zone)
            return later(wall, source["DURATION"].dt - days).astimezone(zone)
        if "DTEND" in source and ends - begins == source["DTEND"].dt - source["DTSTART"].dt:
            first, last = (instant(source[name].dt, zone) for name in ("DTSTART", "DTEND"))
            return later(start, timedelta(seconds=last.timestamp() - first.timestamp()))
    return instant(ends, zone)


def _expanded(
    calendar: icalendar.Calendar, start: datetime, end: datetime, problems: list[str]
) -> Iterable[icalendar.Event]:
    """Components of all occurrences; a series that cannot be read is named and left out."""
    try:
        return _query(calendar, start, end)
    except UNREADABLE:
        return [item for part in _series(calendar) for item in _tried(part, start, end, problems)]


def _query(calendar: icalendar.Calendar, start: datetime, end: datetime) -> list[icalendar.Event]:
    # Not `of`, which would read times in UTC as the calendar's own zone and so move series.
    query = recurring_ical_events.CalendarQuery(calendar, keep_recurrence_attributes=True)
    return list(query.between(start, end))


def _series(calendar: icalendar.Calendar) -> Iterator[icalendar.Calendar]:
    """The calendar with one UID at a time."""
    by_uid: dict[str, list[icalendar.Event]] = {}
    for event in calendar.walk("VEVENT"):
        by_uid.setdefault(str(event["UID"]), []).append(event)
    for events in by_uid.values():
        part = calendar.copy()
        part.subcomponents = list(events)
        yield part


def _tried(
    part: icalendar.Calendar, start: datetime, end: datetime, problems: list[str]
) -> list[icalendar.Event]:
    try:
        return _query(part, start, end)
    except UNREADABLE as error:
        title = str(part.subcomponents[0].get("SUMMARY", _NO_TITLE))
        problem = f"event {title!r} is left out: {' '.join(str(error).split())}"
        if problem not in problems:
            problems.append(problem)
        return []


def _shares(entry: Entry, start: datetime, end: datetime) -> bool:
    """Whether an entry shares time with [start, end); one without length by its start."""
    first, last = entry.start.timestamp(), entry.end.timestamp()
    return first < end.timestamp() and (start.timestamp() < last or start.timestamp() <= first)


def _floor(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


def _ceiling(moment: datetime) -> datetime:
    floor = _floor(moment)
    return (
        floor
        if (moment.second, moment.microsecond) == (0, 0)
        else later(floor, timedelta(minutes=1))
    )
