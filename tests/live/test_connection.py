"""Connecting: from options and environment, with errors that say what to do."""

import sys
import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
import tzlocal

from canvas.live import IcsFile, NotConnected, connect
from canvas.tools import Toolbox
from canvas.world import World
from tests.live import campus, canvas_server, radicale
from tests.live.canvas_server import TOKEN
from tests.live.radicale import PASSWORD, USER
from tests.live.texts import GYM, VTIMEZONE, calendar


@pytest.fixture
def server():
    with canvas_server.running() as canvas:
        campus.fill(canvas)
        yield canvas


@pytest.fixture
def environ(server):
    return {"CANVAS_BASE_URL": server.url, "CANVAS_TOKEN": TOKEN}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "mine.ics"
    path.write_bytes(calendar(VTIMEZONE, GYM).encode())
    return path


def test_canvas_and_a_file(server, environ, path):
    world = connect(calendar=path, environ=environ)
    assert world.now.tzinfo == ZoneInfo("America/Denver")
    assert abs(world.now.timestamp() - time.time()) < 120
    assert [c.course for c in world.courses] == ["@COURSE1", "@COURSE2", "@COURSE3"]
    assert server.paths == ["users/self/profile", "courses"]
    assert len(world.events_between(datetime(2026, 3, 5, tzinfo=UTC),
                                    datetime(2026, 3, 6, tzinfo=UTC))) == 1  # fmt: skip


def test_the_file_may_be_new_and_named_by_the_environment(environ, tmp_path):
    path = tmp_path / "new.ics"
    world = connect(environ={**environ, "CANVAS_ICS": str(path)})
    assert world.events_between(world.now, world.now) == []
    assert not path.exists()


def test_a_caldav_server(environ, tmp_path):
    with radicale.running(tmp_path) as server:
        url = server.make("campus", "Campus")
        server.put(f"{url}gym.ics", calendar(VTIMEZONE, GYM))
        account = {"CALDAV_URL": server.url, "CALDAV_USERNAME": USER, "CALDAV_PASSWORD": PASSWORD}
        world = connect(environ=environ | account)
        now = datetime(2026, 3, 4, 9, 0, tzinfo=ZoneInfo("America/Denver"))
        world = connect(environ={**environ, **account, "CALDAV_CALENDAR": "Campus"}, now=now)
        listed = Toolbox(world).call(
            "calendar.list_events", {"start": "2026-03-05", "end": "2026-03-05"}
        )
        assert '"title":"Gym, upstairs","start":"2026-03-05T08:00","minutes":60' in listed
        with pytest.raises(NotConnected, match=r"refused the user name or password.*\.$") as why:
            connect(environ=environ | account | {"CALDAV_PASSWORD": "wrong pony"})
        assert "pony" not in str(why.value)
        with pytest.raises(NotConnected, match="has no calendar 'Work'"):
            connect(environ=environ | account | {"CALDAV_CALENDAR": "Work"})


def test_a_simulated_world_needs_no_canvas(path):
    demo = World.generate(3)
    world = connect(calendar=path, coursework=demo, now=demo.now, environ={})
    assert world.now == demo.now
    assert isinstance(world.calendar, IcsFile)


class TestZone:
    def zone(self, environ, path, **more):
        return str(connect(calendar=path, environ=environ | more).now.tzinfo)

    def test_tz_then_the_calendar_then_the_profile_then_the_machine(self, server, environ, path):
        named = path.with_name("named.ics")
        named.write_bytes(calendar(GYM, head="X-WR-TIMEZONE:Europe/Rome\n").encode())
        assert self.zone(environ, named, TZ="Asia/Tokyo") == "Asia/Tokyo"
        assert self.zone(environ, named, TZ=":Asia/Tokyo") == "Asia/Tokyo"
        assert self.zone(environ, named) == "Europe/Rome"
        assert self.zone(environ, path) == "America/Denver"
        server.routes["users/self/profile"] = {"id": 1, "name": "Ana Lopez"}
        assert self.zone(environ, path) == str(tzlocal.get_localzone())

    def test_names_that_are_no_zone(self, server, environ, path):
        with pytest.raises(NotConnected, match=r"TZ, 'Mars/Base', is no time zone\. Set TZ"):
            self.zone(environ, path, TZ="Mars/Base")
        server.routes["users/self/profile"] = {"id": 1, "name": "Ana", "time_zone": "Moon"}
        with pytest.raises(NotConnected, match="the time zone of the Canvas profile, 'Moon'"):
            self.zone(environ, path)


class TestErrors:
    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({"CANVAS_BASE_URL": "", "CANVAS_TOKEN": ""},
             r"CANVAS_BASE_URL and CANVAS_TOKEN not set\. Set CANVAS_BASE_URL to your Canvas"),
            ({"CANVAS_TOKEN": ""}, r"^CANVAS_TOKEN not set\..*New Access Token"),
            ({"CANVAS_BASE_URL": "canvas.example.edu"}, "must be like https://"),
            ({"CANVAS_BASE_URL": "http://canvas.example.edu"}, "must begin with https://"),
            ({"CANVAS_TOKEN": f"{TOKEN}\nX-Other: 1"}, "characters that no token has"),
            ({"CANVAS_TOKEN": f"{TOKEN}x"}, "Canvas refused the access token"),
            ({"CANVAS_BASE_URL": "http://127.0.0.1:9"}, "Canvas does not answer"),
        ],
    )  # fmt: skip
    def test_canvas(self, environ, path, changes, reason):
        with pytest.raises(NotConnected, match=reason) as why:
            connect(calendar=path, environ=environ | changes)
        assert TOKEN not in str(why.value)

    def test_an_address_with_the_path_of_the_api(self, environ, path):
        url = f"{environ['CANVAS_BASE_URL']}/api/v1/"
        assert connect(calendar=path, environ=environ | {"CANVAS_BASE_URL": url}).courses

    def test_no_calendar(self, environ):
        with pytest.raises(NotConnected, match=r"^no calendar\. Give an \.ics file"):
            connect(environ=environ)

    @pytest.mark.parametrize("place", ["", "none/mine.ics"])
    def test_no_place_for_a_file(self, environ, tmp_path, place):
        with pytest.raises(NotConnected, match="is no place for a calendar file"):
            connect(calendar=tmp_path / place, environ=environ)

    def test_another_file(self, environ, path):
        path.write_text("hello")
        with pytest.raises(NotConnected, match=r"mine\.ics is no iCalendar file: .*\.$"):
            connect(calendar=path, environ=environ)

    def test_a_calendar_over_plain_http(self, environ):
        with pytest.raises(NotConnected, match="must begin with https://"):
            connect(calendar="http://cal.example.edu/dav", environ=environ)

    def test_a_package_that_is_not_installed(self, environ, path, monkeypatch):
        monkeypatch.setitem(sys.modules, "canvasapi.requester", None)
        monkeypatch.delitem(sys.modules, "canvas.live.requester", raising=False)
        monkeypatch.delitem(sys.modules, "canvas.live.coursework", raising=False)
        with pytest.raises(NotConnected, match=r"Install the extra: pip install \.\[live\]"):
            connect(calendar=path, environ=environ)
