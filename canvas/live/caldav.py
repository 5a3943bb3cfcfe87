"""CalDav: a calendar on a CalDAV server (RFC 4791), such as Nextcloud, iCloud, Fastmail, Radicale.

Each event is a resource with a tag that changes with it. Every write names the tag that the change
is based on (`If-Match`), so that the server itself refuses one that comes too late.
"""

import dataclasses
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import icalendar

from canvas.live import edits
from canvas.live.calendar import Entry, Stale
from canvas.live.document import EMPTY, Document
from canvas.live.occurrences import Occurrences
from canvas.live.server import Server
from canvas.tools.base import ToolError

MAX_AGE = 30.0
# What is fetched around a question, so that the next ones need no request.
BEFORE, AFTER = timedelta(days=7), timedelta(days=35)
_Resource = tuple[str, Occurrences]


class CalDav:
    """One collection of a server.

    `url` is the collection's own, or the server's or account's, where `name` chooses among its
    calendars. What was fetched is used for `max_age` seconds, except for changes.
    """

    def __init__(
        self,
        url: str,
        username: str = "",
        password: str = "",
        name: str | None = None,
        *,
        max_age: float = MAX_AGE,
        clock: Callable[[], float] = time.monotonic,
    ):
        """Finds the collection on the server; raises ToolError where it cannot."""
        self._server = Server(url, username, password, name)
        self._max_age, self._clock = max_age, clock
        self._span: tuple[datetime, datetime, float] | None = None
        self._fetched: list[_Resource] = []
        self._broken: list[str] = []

    @property
    def problems(self) -> list[str]:
        """Events that could not be read so far, each with its reason."""
        return self._broken + [line for _, found in self._fetched for line in found.problems]

    @property
    def zone(self) -> tzinfo | None:
        """The collection's own time zone, where it has one by a name of the tz database."""
        text = self._server.time_zone()
        zones = icalendar.Calendar.from_ical(text).walk("VTIMEZONE") if text else []
        try:
            return ZoneInfo(str(zones[0]["TZID"])) if zones else None
        except (ZoneInfoNotFoundError, ValueError):
            return None

    def refresh(self) -> None:
        """Ask the server anew at the next question."""
        self._span = None

    def events_between(self, start: datetime, end: datetime) -> list[Entry]:
        """Events and occurrences that share time with [start, end), cancelled ones left out."""
        found = [
            dataclasses.replace(entry, version=tag)
            for tag, occurrences in self._resources(start, end)
            for entry in occurrences.between(start, end)
        ]
        return sorted(found, key=lambda e: (e.start.timestamp(), e.end.timestamp(), e.key))

    def add(self, title: str, start: datetime, minutes: int) -> Entry:
        """Write a new event, as a resource of its own."""
        uid = str(uuid.uuid4())
        url = self._server.address(f"{uid}.ics")
        text = edits.added(Document(EMPTY), uid, title, start, minutes, datetime.now(UTC))
        self._put(url, text, title, None)
        return self._now(url, uid, "", start)

    def change(
        self,
        entry: Entry,
        title: str | None = None,
        start: datetime | None = None,
        minutes: int | None = None,
    ) -> Entry:
        """Change one event or occurrence; Stale where the server has it no longer as `entry`."""
        document = self._current(entry)
        text = edits.changed(document, entry, datetime.now(UTC), title, start, minutes)
        self._put(entry.where, text, entry.title, entry.version)
        return self._now(entry.where, entry.uid, entry.recurrence, start or entry.start)

    def remove(self, entry: Entry) -> str:
        """Delete one event or occurrence; returns the tag of what is left of its series, or ""."""
        text = edits.removed(self._current(entry), entry)
        if Document(text).events:
            self._put(entry.where, text, entry.title, entry.version)
            return self._server.get(entry.where)[0]
        self.refresh()
        self._server.delete(entry.where, entry.title, entry.version)
        return ""

    def _put(self, url: str, text: str, title: str, tag: str | None) -> None:
        self.refresh()
        self._server.put(url, text, title, tag)

    def _current(self, entry: Entry) -> Document:
        tag, text = self._server.get(entry.where)
        if text is None:
            raise Stale(f"{entry.title!r} was deleted on {self._server.host} meanwhile")
        if tag != entry.version:
            raise Stale(f"{entry.title!r} was changed on {self._server.host} meanwhile")
        return self._document(text)

    def _now(self, url: str, uid: str, recurrence: str, start: datetime) -> Entry:
        """An event as the server has it, by where it begins."""
        tag, text = self._server.get(url)
        found = Occurrences(self._document(text), url) if text else None
        for entry in found.between(start, start + timedelta(minutes=1)) if found else ():
            if (entry.uid, entry.recurrence) == (uid, recurrence):
                return dataclasses.replace(entry, version=tag)
        raise ToolError(
            f"{self._server.host} took the event but does not show it; look at the calendar"
        )

    def _document(self, text: str) -> Document:
        try:
            return Document(text)
        except ValueError as error:
            raise ToolError(f"{self._server.host} has an event that {error}") from None

    def _resources(self, start: datetime, end: datetime) -> list[_Resource]:
        """Tag and events of every resource with an event in the span, at most `max_age` old."""
        if self._span:
            first, last, when = self._span
            if first <= start and end <= last and self._clock() - when <= self._max_age:
                return self._fetched
        first, last = (start - BEFORE).astimezone(UTC), (end + AFTER).astimezone(UTC)
        self._broken, found = [], []
        for url, tag, text in self._server.report(first, last):
            try:
                found.append((tag, Occurrences(Document(text), url)))
            except ValueError as error:
                reason = " ".join(str(error).split())
                self._broken.append(f"event {urlsplit(url).path!r} is left out: {reason}")
        self._span, self._fetched = (first, last, self._clock()), found
        return found
