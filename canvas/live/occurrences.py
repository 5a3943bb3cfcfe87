"""Occurrences: the events of a document within a span, series expanded, times as instants.

Times are compared by timestamp: of two times of one zone, `<` and `==` compare clock faces, which
is wrong in the hour that occurs twice.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo

import icalendar
import recurring_ical_events

from canvas.live.calendar import Entry
from canvas.live.document import Document

_DAY = timedelta(days=1)
_NO_TITLE = "Untitled"
# Seconds between the steps in which a rule is walked from its start.
_STEPS = {"SECONDLY": 1, "MINUTELY": 60, "HOURLY": 3600, "DAILY": 86400}
SHORTEST, MAX_STEPS = 3600, 100_000
# What the libraries raise on events that break the standard.
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, OverflowError)


class Occurrences:
    """Expands the events of one document. `problems` names those that cannot be read.

    `where` goes into every entry, and so does the document's digest, as its version. A `uid` keeps
    it to one event or series.
    """

    def __init__(self, document: Document, where: str = "", uid: str | None = None):
        self.document, self._where = document, where
        self.problems: list[str] = []
        parts = [_Part(calendar) for calendar in document.calendars]
        if uid is not None:
            parts = [one for part in parts for one in part.series() if one.uid == uid]
        self._parts = parts

    def between(self, start: datetime, end: datetime) -> list[Entry]:
        """Entries that share time with [start, end), soonest first; cancelled ones left out.

        Floating times and whole days are read in the zone of `start`.
        """
        found: dict[tuple[str, str, str], Entry] = {}
        readable, todo = [], self._parts[::-1]
        while todo:
            part = todo.pop()
            try:
                found |= {e.key: e for e in self._entries(part, start, end)}
            except UNREADABLE as error:
                # One UID at a time, so that an event that cannot be read costs no other.
                if part.is_one:
                    self.problems.append(f"event {part.title!r} is left out: {_line(error)}")
                todo += [] if part.is_one else [*part.series()][::-1]
            else:
                readable.append(part)
        self._parts = readable
        return sorted(found.values(), key=lambda e: (e.start.timestamp(), e.end.timestamp(), e.key))

    def _entries(self, part: "_Part", start: datetime, end: datetime) -> list[Entry]:
        items = part.between(start - _DAY, end + _DAY)
        kept = [item for item in items if str(item.get("STATUS", "")).upper() != "CANCELLED"]
        found = [self._entry(part, item, start.tzinfo) for item in kept]
        return [entry for entry in found if _shares(entry, start, end)]

    def _entry(self, part: "_Part", item: icalendar.Event, zone: tzinfo) -> Entry:
        uid, recurrence = str(item["UID"]), planned(item)
        master = part.source(uid, "")
        if master is not None and not is_series(master):
            recurrence = ""
        begins = item["DTSTART"].dt
        start = instant(begins, zone)
        end = _end(part.source(uid, recurrence) or master, item, start, zone)
        end = max(start, end, key=datetime.timestamp)
        whole_day = not isinstance(begins, datetime)
        shown = str(item.get("TRANSP", "TRANSPARENT" if whole_day else "OPAQUE")).upper()
        return Entry(
            uid=uid,
            recurrence=recurrence,
            title=_title(item),
            start=_floor(start),
            end=_ceiling(end),
            busy=shown != "TRANSPARENT" and start.timestamp() < end.timestamp(),
            version=self.document.version(uid),
            where=self._where,
        )


class _Part:
    """Events that are expanded together: a calendar, or one UID of it."""

    def __init__(self, calendar: icalendar.Calendar, is_one: bool = False):
        self.is_one = is_one
        self._calendar = calendar
        self._query: recurring_ical_events.CalendarQuery | None = None
        self._sources: dict[tuple[str, str], icalendar.Event] = {}

    @property
    def uid(self) -> str:
        return str(self._calendar.subcomponents[0]["UID"])

    @property
    def title(self) -> str:
        return _title(self._calendar.subcomponents[0])

    def between(self, start: datetime, end: datetime) -> list[icalendar.Event]:
        """Raises one of UNREADABLE."""
        for event in self._calendar.walk("VEVENT"):
            _refuse_endless(event, end)
        if self._query is None:
            events = self._calendar.walk("VEVENT")
            self._sources = {(str(event["UID"]), planned(event)): event for event in events}
            # Not `of`, which would take UTC for the calendar's own zone and so move series.
            self._query = recurring_ical_events.CalendarQuery(
                self._calendar, keep_recurrence_attributes=True
            )
        return list(self._query.between(start, end))

    def source(self, uid: str, recurrence: str) -> icalendar.Event | None:
        """The component of a changed occurrence, or with "" of a series or single event."""
        return self._sources.get((uid, recurrence))

    def series(self) -> Iterator["_Part"]:
        """The same, one UID at a time."""
        by_uid: dict[str, list[icalendar.Event]] = {}
        for event in self._calendar.walk("VEVENT"):
            by_uid.setdefault(str(event["UID"]), []).append(event)
        for events in by_uid.values():
            calendar = self._calendar.copy()
            calendar.subcomponents = list(events)
            yield _Part(calendar, is_one=True)


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


def _refuse_endless(event: icalendar.Event, end: datetime) -> None:
    """Raises ValueError on a rule that takes too long to walk up to `end`."""
    rules = event.get("RRULE", [])
    for rule in rules if isinstance(rules, list) else [rules]:
        interval = int(rule.get("INTERVAL", [1])[0])
        if interval < 1:
            raise ValueError("its rule has no positive INTERVAL")
        last = min([end, *(instant(until, UTC) for until in rule.get("UNTIL", ()))])
        seconds = last.timestamp() - instant(event["DTSTART"].dt, UTC).timestamp()
        step = interval * _STEPS.get(str(rule.get("FREQ", [""])[0]).upper(), 10 * SHORTEST)
        if step < SHORTEST or seconds / step > MAX_STEPS:
            raise ValueError("it repeats too often to be followed")


def _title(event: icalendar.Event) -> str:
    summary = event.get("SUMMARY", "")
    first = summary[0] if isinstance(summary, list) else summary
    return " ".join(str(first).split()) or _NO_TITLE


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


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
