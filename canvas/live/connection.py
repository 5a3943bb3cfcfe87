"""Connection: a live world from options and environment; what is missing or wrong is said early."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from canvas.live.calendar import Calendar
from canvas.live.world import LiveWorld
from canvas.tools.base import ToolError
from canvas.world import World

if TYPE_CHECKING:
    from canvas.live.coursework import CanvasCoursework

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class NotConnected(click.ClickException):
    """Canvas or the calendar cannot be used; says why and what to do. No secret is in it."""


def connect(
    *,
    calendar: str | Path | None = None,
    coursework: World | None = None,
    now: datetime | Callable[[], datetime] | None = None,
    environ: Mapping[str, str] | None = None,
) -> LiveWorld:
    """The student's live world, after a first request to Canvas and a first look at the calendar.

    `calendar` is an .ics file, which need not exist, or a CalDAV address; without it CALDAV_URL or
    CANVAS_ICS say which (CALDAV_USERNAME, CALDAV_PASSWORD, CALDAV_CALENDAR for its name).
    `coursework` takes the place of the Canvas at CANVAS_BASE_URL under CANVAS_TOKEN. The student's
    zone is that of `now`, else of TZ, the calendar, the Canvas profile or this machine, whichever
    names one first. Raises NotConnected.
    """
    environ = os.environ if environ is None else environ
    with _told():
        courses = coursework or canvas_of(environ)
        opened = calendar_of(calendar, environ)
        profile = None if isinstance(courses, World) else courses.time_zone()
        world = LiveWorld(courses, opened, now or _clock(zone_of(environ, opened, profile)))
        world.events_between(world.now, world.now)
    return world


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except ToolError as error:
        raise NotConnected(f"{error}.") from None
    except ModuleNotFoundError as error:
        raise NotConnected(
            f"the package of module {error.name} is missing. Install the extra: pip install .[live]"
        ) from None


def _clock(zone: tzinfo) -> Callable[[], datetime]:
    return lambda: datetime.now(zone)


def canvas_of(environ: Mapping[str, str]) -> "CanvasCoursework":
    """The Canvas of CANVAS_BASE_URL and CANVAS_TOKEN, not asked yet. Raises NotConnected."""
    from canvas.live.coursework import CanvasCoursework
    from canvas.live.requester import Requester

    url = environ.get("CANVAS_BASE_URL", "").strip().rstrip("/")
    missing = [name for name in ("CANVAS_BASE_URL", "CANVAS_TOKEN") if not environ.get(name)]
    if missing:
        raise NotConnected(
            f"{' and '.join(missing)} not set. Set CANVAS_BASE_URL to your Canvas, such as "
            "https://canvas.example.edu, and CANVAS_TOKEN to an access token (Canvas: Account, "
            "Settings, New Access Token)."
        )
    url = re.sub(r"/api(/v1)?$", "", url)
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NotConnected("CANVAS_BASE_URL must be like https://canvas.example.edu.")
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        raise NotConnected("CANVAS_BASE_URL must begin with https://: a token is not sent openly.")
    if not re.fullmatch("[!-~]+", environ["CANVAS_TOKEN"].strip()):
        raise NotConnected("CANVAS_TOKEN has characters that no token has. Copy it once more.")
    return CanvasCoursework(Requester(url, environ["CANVAS_TOKEN"].strip()))


def calendar_of(place: str | Path | None, environ: Mapping[str, str]) -> Calendar:
    """The calendar at a path or address, or of the environment. Raises NotConnected, ToolError."""
    place = str(place or environ.get("CALDAV_URL") or environ.get("CANVAS_ICS") or "")
    if not place:
        raise NotConnected(
            "no calendar. Give an .ics file (a new one is made), or set CALDAV_URL, "
            "CALDAV_USERNAME and CALDAV_PASSWORD."
        )
    if re.match(r"https?://", place):
        from canvas.live.caldav import CalDav

        parts = urlsplit(place)
        if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
            raise NotConnected("the calendar's address must begin with https://.")
        user, password = environ.get("CALDAV_USERNAME", ""), environ.get("CALDAV_PASSWORD", "")
        return CalDav(place, user, password, environ.get("CALDAV_CALENDAR"))
    from canvas.live.icsfile import IcsFile

    path = Path(place)
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise NotConnected(f"{path} is no place for a calendar file. Give one in a folder there.")
    return IcsFile(path)


def zone_of(environ: Mapping[str, str], calendar: Calendar, profile: str | None) -> tzinfo:
    """The student's zone: TZ, else the calendar's, the Canvas profile's, this machine's.

    Raises NotConnected on a name that is no zone.
    """
    if name := environ.get("TZ", "").removeprefix(":"):
        return _zone("TZ", name)
    if calendar.zone is not None:
        return calendar.zone
    if profile:
        return _zone("the time zone of the Canvas profile", profile)
    import tzlocal

    return tzlocal.get_localzone()


def _zone(source: str, name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise NotConnected(
            f"{source}, {name!r}, is no time zone. Set TZ to one, such as America/New_York."
        ) from None
