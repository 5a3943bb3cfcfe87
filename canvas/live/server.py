"""Server: one CalDAV server through the caldav library, with its errors in words.

Reads are tried again when the server is busy or the connection drops; of writes only those that
did not reach it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit

import caldav
import requests
from caldav.elements import cdav, dav
from caldav.lib.error import AuthorizationError, DAVError, NotFoundError
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from canvas.live.calendar import Stale
from canvas.tools.base import ToolError

TIMEOUT = 30
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


class Server:
    """Requests about one collection; each may raise ToolError. No password is in any error."""

    def __init__(self, url: str, username: str, password: str, name: str | None):
        """Finds the collection: at `url`, or of this name, or the account's only one."""
        self.host = urlsplit(url).hostname or url
        with self._told():
            self._client = _client(url, username, password)
            self._calendar = _find(self._client, name)

    def address(self, name: str) -> str:
        """Where a resource of this name stands."""
        return str(self._calendar.url.join(name))

    def time_zone(self) -> str | None:
        """The collection's calendar-timezone: a VTIMEZONE."""
        with self._told():
            return self._calendar.get_property(cdav.CalendarTimeZone())

    def report(self, start: datetime, end: datetime) -> list[tuple[str, str, str]]:
        """(address, tag, text) of every resource with an event in the span."""
        query = _QUERY.format(start=start.astimezone(UTC), end=end.astimezone(UTC))
        with self._told():
            response = self._client.report(str(self._calendar.url), query, depth=1)
            self._refuse(response.status)
            rows = response.expand_simple_props([dav.GetEtag(), cdav.CalendarData()])
            return [
                (self.address(quote(path)), _strong(tag), text)
                for path, row in rows.items()
                if (tag := row.get(dav.GetEtag.tag)) and (text := row.get(cdav.CalendarData.tag))
            ]

    def get(self, url: str) -> tuple[str, str | None]:
        """The tag and the text of a resource; None where it is gone."""
        with self._told():
            response = self._client.request(url)
            if response.status in (404, 410):
                return "", None
            self._refuse(response.status)
            return _strong(response.headers.get("ETag", "")), response.raw

    def put(self, url: str, text: str, title: str, tag: str | None) -> None:
        """Write a resource that has this tag, or with None a new one; Stale where it has not."""
        condition = {"If-None-Match": "*"} if tag is None else {"If-Match": tag}
        self._write("PUT", url, text, _ICS | condition, title)

    def delete(self, url: str, title: str, tag: str) -> None:
        """Delete a resource that has this tag; Stale where it has not."""
        self._write("DELETE", url, "", {"If-Match": tag}, title)

    def _write(self, method: str, url: str, body: str, headers: dict[str, str], title: str) -> None:
        with self._told(f"; whether {title!r} was written is not known, look at the calendar"):
            status = self._client.request(url, method, body, headers).status
        if status in (404, 409, 410, 412):
            raise Stale(f"{title!r} was changed on {self.host} meanwhile")
        self._refuse(status)

    def _refuse(self, status: int) -> None:
        if status >= 400:
            raise ToolError(f"the calendar server {self.host} answered with an error ({status})")

    @contextmanager
    def _told(self, after: str = "") -> Iterator[None]:
        """What caldav raises, as a ToolError; `after` follows where no answer came."""
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
    """Raises ToolError, with the names, where it is not clear which collection is meant."""
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
