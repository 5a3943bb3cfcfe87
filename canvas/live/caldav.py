"""CalDav: a calendar on a CalDAV server (RFC 4791), such as Nextcloud, iCloud, Fastmail, Radicale.

Each event is a resource with a tag that changes with it. Every write names the tag that the change
is based on (`If-Match`), so that the server itself refuses one that comes too late.
"""

import dataclasses
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import caldav
import icalendar
import requests
from caldav.elements import cdav, dav
from caldav.lib.error import AuthorizationError, DAVError, NotFoundError
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from canvas.live import edits
from canvas.live.calendar import Entry, Stale
from canvas.live.document import EMPTY, Document
from canvas.live.occurrences import entries
from canvas.tools.base import ToolError

TIMEOUT = 30
MAX_AGE = 30.0
# What is fetched around a question, so that the next ones need no request.
BEFORE, AFTER = timedelta(days=7), timedelta(days=35)
_ICS = {"Content-Type": "text/calendar; charset=utf-8"}
_KIND = """<?xml version="1.0" encoding="utf-8"?>
<D:propfind xmlns:D="DAV:"><D:prop><D:resourcetype/></D:prop></D:propfind>"""
_QUERY = """<?xml version="1.0" encoding="utf-8"?>
<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
<D:prop><D:getetag/><C:calendar-data/></D:prop>
<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">
<C:time-range start="{start:%Y%m%dT%H%M%SZ}" end="{end:%Y%m%dT%H%M%SZ}"/>
</C:comp-filter></C:comp-filter></C:filter>
</C:calendar-query>"""


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
        self.host = urlsplit(url).hostname or url
        self.problems: list[str] = []
        self._max_age, self._clock = max_age, clock
        self._fetched: tuple[datetime, datetime, float, list[tuple[str, str, Document]]] | None
        self._fetched = None
        with self._told():
            self._client = _client(url, username, password)
            self._calendar = _find(self._client, name)

    @property
    def zone(self) -> tzinfo | None:
        """The collection's calendar-timezone, where the server knows one by its usual name."""
        with self._told():
            text = self._calendar.get_property(cdav.CalendarTimeZone())
        if not text:
            return None
        zones = icalendar.Calendar.from_ical(text).walk("VTIMEZONE")
        try:
            return ZoneInfo(str(zones[0]["TZID"])) if zones else None
        except (ZoneInfoNotFoundError, ValueError):
            return None

    def refresh(self) -> None:
        """Ask the server anew at the next question."""
        self._fetched = None

    def events_between(self, start: datetime, end: datetime) -> list[Entry]:
        """Events and occurrences that share time with [start, end), cancelled ones left out."""
        found = []
        for url, tag, document in self._documents(start, end):
            found += [_tagged(e, tag) for e in entries(document, start, end, self.problems, url)]
        return sorted(found, key=lambda e: (e.start.timestamp(), e.end.timestamp(), e.key))

    def add(self, title: str, start: datetime, minutes: int) -> Entry:
        """Write a new event, as a resource of its own."""
        uid = str(uuid.uuid4())
        url = str(self._calendar.url.join(f"{uid}.ics"))
        text = edits.added(Document(EMPTY), uid, title, start, minutes, datetime.now(UTC))
        self._put(url, text, {"If-None-Match": "*"}, title)
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
        self._put(entry.where, text, {"If-Match": entry.version}, entry.title)
        return self._now(entry.where, entry.uid, entry.recurrence, start or entry.start)

    def remove(self, entry: Entry) -> str:
        """Delete one event or occurrence; returns the tag of what is left of its series, or ""."""
        text = edits.removed(self._current(entry), entry)
        if Document(text).events:
            self._put(entry.where, text, {"If-Match": entry.version}, entry.title)
            return self._get(entry.where)[0]
        self._send("DELETE", entry.where, "", {"If-Match": entry.version}, entry.title)
        return ""

    def _current(self, entry: Entry) -> Document:
        tag, document = self._get(entry.where)
        if document is None:
            raise Stale(f"{entry.title!r} was deleted on {self.host} meanwhile")
        if tag != entry.version:
            raise Stale(f"{entry.title!r} was changed on {self.host} meanwhile")
        return document

    def _now(self, url: str, uid: str, recurrence: str, start: datetime) -> Entry:
        """An event as the server has it, by where it begins."""
        tag, document = self._get(url)
        span = (start, start + timedelta(minutes=1))
        found = entries(document, *span, self.problems, url) if document else []
        for entry in found:
            if (entry.uid, entry.recurrence) == (uid, recurrence):
                return _tagged(entry, tag)
        raise ToolError(f"{self.host} took the event but does not show it; look at the calendar")

    def _documents(self, start: datetime, end: datetime) -> list[tuple[str, str, Document]]:
        """(address, tag, text) of every resource with an event in the span, at most `max_age` old.

        Without events there is nothing to fetch again, so a wide span is asked for at once.
        """
        if self._fetched:
            first, last, when, documents = self._fetched
            if first <= start and end <= last and self._clock() - when <= self._max_age:
                return documents
        first, last = (start - BEFORE).astimezone(UTC), (end + AFTER).astimezone(UTC)
        documents = list(self._report(first, last))
        self._fetched = first, last, self._clock(), documents
        return documents

    def _report(self, start: datetime, end: datetime) -> Iterator[tuple[str, str, Document]]:
        with self._told():
            url = str(self._calendar.url)
            response = self._client.report(url, _QUERY.format(start=start, end=end), depth=1)
            self._refuse(response.status)
            rows = response.expand_simple_props([dav.GetEtag(), cdav.CalendarData()])
        self.problems.clear()
        for path, row in rows.items():
            text, tag = row.get(cdav.CalendarData.tag), row.get(dav.GetEtag.tag)
            if text and tag:
                address = str(self._calendar.url.join(quote(path)))
                if document := self._parsed(text, address):
                    yield address, _strong(tag), document

    def _get(self, url: str) -> tuple[str, Document | None]:
        """The tag and the text of a resource as they are now; None where it is gone."""
        with self._told():
            response = self._client.request(url)
            if response.status in (404, 410):
                return "", None
            self._refuse(response.status)
            return _strong(response.headers.get("ETag", "")), self._parsed(response.raw, url)

    def _put(self, url: str, text: str, condition: dict[str, str], title: str) -> None:
        self._send("PUT", url, text, _ICS | condition, title)

    def _send(self, method: str, url: str, body: str, headers: dict[str, str], title: str) -> None:
        """Write; whatever comes of it, nothing fetched before is used again."""
        self._fetched = None
        with self._told(f"whether {title!r} was written is not known; look at the calendar"):
            status = self._client.request(url, method, body, headers).status
        if status in (404, 409, 410, 412):
            raise Stale(f"{title!r} was changed on {self.host} meanwhile")
        self._refuse(status)

    def _refuse(self, status: int) -> None:
        if status >= 400:
            raise ToolError(f"the calendar server {self.host} answered with an error ({status})")

    def _parsed(self, text: str, url: str) -> Document | None:
        try:
            return Document(text)
        except ValueError as error:
            reason = " ".join(str(error).split())
            self.problems.append(f"event {urlsplit(url).path!r} is left out: {reason}")
            return None

    @contextmanager
    def _told(self, doubt: str = "") -> Iterator[None]:
        """What caldav raises as a ToolError in words; `doubt` follows where no answer came."""
        after = f"; {doubt}" if doubt else ""
        try:
            yield
        except AuthorizationError:
            raise ToolError(
                f"{self.host} refused the user name or password; check CALDAV_USERNAME and "
                "CALDAV_PASSWORD (many services want an app password)"
            ) from None
        except NotFoundError:
            raise ToolError(f"{self.host} has no calendar at this address") from None
        except requests.exceptions.SSLError:
            raise ToolError(f"the certificate of {self.host} is not valid") from None
        except requests.exceptions.RequestException:
            raise ToolError(f"the calendar server {self.host} does not answer{after}") from None
        except (DAVError, SyntaxError, AttributeError, TypeError, LookupError, ValueError):
            # caldav raises all of these on answers that are no CalDAV.
            raise ToolError(f"{self.host} does not answer as a CalDAV server{after}") from None


def _client(url: str, username: str, password: str) -> caldav.DAVClient:
    """A client that tries reads again, and writes that did not reach the server."""
    client = caldav.DAVClient(url=url, username=username, password=password, timeout=TIMEOUT)
    again = Retry(
        total=3,
        backoff_factor=0.3,
        backoff_jitter=0.3,
        status_forcelist=(429, 502, 503, 504),
        allowed_methods=("GET", "OPTIONS", "PROPFIND", "REPORT"),
        raise_on_status=False,
    )
    for scheme in ("http://", "https://"):
        client.session.mount(scheme, HTTPAdapter(max_retries=again))
    return client


def _find(client: caldav.DAVClient, name: str | None) -> caldav.Calendar:
    """The collection at the client's address, or the one of this name, or the only one.

    Raises ToolError, with the names, where it is not clear which.
    """
    response = client.propfind(str(client.url), _KIND, depth=0)
    if response.status < 400:
        for row in response.find_objects_and_props().values():
            kind = row.get(dav.ResourceType.tag)
            if kind is not None and kind.find(cdav.Calendar.tag) is not None:
                return client.calendar(url=client.url)
    by_name = {
        calendar.get_display_name() or str(calendar.url): calendar
        for calendar in client.principal().calendars()
        if "VEVENT" in calendar.get_supported_components()
    }
    if name is None and len(by_name) == 1:
        return next(iter(by_name.values()))
    if name in by_name:
        return by_name[name]
    known = ", ".join(map(repr, by_name)) or "none"
    if name is None:
        raise ToolError(f"name one of the calendars of {client.url.hostname}: {known}")
    raise ToolError(f"{client.url.hostname} has no calendar {name!r}; it has: {known}")


def _strong(tag: str) -> str:
    """A tag as `If-Match` wants it; proxies that compress make it weak."""
    return tag.strip().removeprefix("W/")


def _tagged(entry: Entry, tag: str) -> Entry:
    return dataclasses.replace(entry, version=tag)
