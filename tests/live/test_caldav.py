"""Calendars on a real CalDAV server."""

import socket
import threading
import time
import uuid
from contextlib import closing
from zoneinfo import ZoneInfo

import pytest

from canvas.live.caldav import CalDav
from canvas.live.calendar import Stale
from canvas.tools.base import ToolError
from tests.live import radicale
from tests.live.radicale import PASSWORD, USER
from tests.live.texts import CHOIR, GYM, MOVED_CHOIR, VTIMEZONE, at, calendar, event

SPAN = (at("2026-03-01T00:00"), at("2026-04-30T00:00"))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with radicale.running(tmp_path_factory.mktemp("radicale")) as running:
        yield running


@pytest.fixture
def collection(server):
    """The address of a calendar with one event and one series."""
    url = server.make(uuid.uuid4().hex, "Campus")
    server.put(f"{url}gym.ics", calendar(VTIMEZONE, GYM))
    server.put(f"{url}choir.ics", calendar(VTIMEZONE, CHOIR, MOVED_CHOIR))
    yield url
    server.delete(url)


@pytest.fixture
def dav(collection):
    return CalDav(collection, USER, PASSWORD)


def shown(dav, span=SPAN):
    return [
        (e.title, e.start.isoformat(timespec="minutes"), (e.end - e.start).seconds // 60)
        for e in dav.events_between(*span)
    ]


def one(dav, title):
    return next(e for e in dav.events_between(*SPAN) if e.title == title)


EVENTS = [
    ("Choir", "2026-03-02T19:00-05:00", 90),
    ("Gym, upstairs", "2026-03-05T10:00-05:00", 60),
    ("Choir", "2026-03-09T19:00-04:00", 90),
    ("Choir in the chapel", "2026-03-24T20:00-04:00", 90),
    ("Choir", "2026-03-30T19:00-04:00", 90),
    ("Choir", "2026-04-06T19:00-04:00", 90),
]


class TestReading:
    def test_events_and_series(self, dav):
        assert shown(dav) == EVENTS
        assert shown(dav, (at("2026-03-24T20:30"), at("2026-03-24T20:45"))) == [EVENTS[3]]

    def test_one_request_serves_questions_nearby(self, server, collection):
        seconds = [0.0]
        dav = CalDav(collection, USER, PASSWORD, clock=lambda: seconds[0])
        assert len(shown(dav)) == 6
        server.put(
            f"{collection}new.ics", calendar(event("SUMMARY:New", "DTSTART:20260310T150000Z"))
        )
        assert len(shown(dav)) == 6
        seconds[0] = 31.0
        assert len(shown(dav)) == 7
        server.delete(f"{collection}new.ics")
        assert len(shown(dav)) == 7
        dav.refresh()
        assert len(shown(dav)) == 6

    def test_zone_of_the_collection(self, server, collection, dav):
        assert dav.zone is None
        zone = calendar(VTIMEZONE)
        server.property(collection, f"<C:calendar-timezone>{zone}</C:calendar-timezone>")
        assert dav.zone == ZoneInfo("America/New_York")


class TestFinding:
    def test_by_account_and_name(self, server, collection):
        other = server.make("other", "Other")
        tasks = server.make("tasks", "Tasks", kind="VTODO")
        try:
            assert shown(CalDav(server.url, USER, PASSWORD, name="Campus")) == EVENTS
            assert shown(CalDav(server.home, USER, PASSWORD, name="Other")) == []
            with pytest.raises(
                ToolError, match=r"name one of the calendars of 127\.0\.0\.1: "
            ) as why:
                CalDav(server.url, USER, PASSWORD)
            assert "'Campus'" in str(why.value)
            assert "'Tasks'" not in str(why.value)
            with pytest.raises(ToolError, match="has no calendar 'Work'; it has: '"):
                CalDav(server.url, USER, PASSWORD, name="Work")
        finally:
            server.delete(other)
            server.delete(tasks)
        assert shown(CalDav(server.url, USER, PASSWORD)) == EVENTS

    def test_wrong_password(self, collection):
        with pytest.raises(
            ToolError, match=r"127\.0\.0\.1 refused the user name or password"
        ) as why:
            CalDav(collection, USER, "wrong pony")
        told = f"{why.value!r} {why.value.__cause__}"
        assert "pony" not in told
        assert why.value.__suppress_context__

    def test_no_server(self):
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        with pytest.raises(ToolError, match=r"calendar server 127\.0\.0\.1 does not answer"):
            CalDav(f"http://127.0.0.1:{port}/", USER, PASSWORD)


class TestWriting:
    def test_a_new_event(self, server, collection, dav):
        entry = dav.add("Study @ home", at("2026-03-06T14:00"), 45)
        assert entry in dav.events_between(*SPAN)
        assert entry in CalDav(collection, USER, PASSWORD).events_between(*SPAN)
        text = server.get(entry.where)
        assert f"UID:{entry.uid}\n" in text
        assert "DTSTART:20260306T190000Z\nDTEND:20260306T194500Z\n" in text

    def test_a_change_keeps_the_rest_of_the_resource(self, server, collection, dav):
        before = server.get(f"{collection}gym.ics").split("\n")
        new = dav.change(one(dav, "Gym, upstairs"), title="Swim", start=at("2026-03-06T08:00"))
        assert (new.title, new.start) == ("Swim", at("2026-03-06T08:00"))
        after = server.get(f"{collection}gym.ics").split("\n")
        assert {line.split(":")[0] for line in set(before) ^ set(after)} <= {
            "DTSTART;TZID=America/New_York",
            "DTEND;TZID=America/New_York",
            "SUMMARY;LANGUAGE=en",
            "SEQUENCE",
            "DTSTAMP",
            "LAST-MODIFIED",
        }
        assert new in dav.events_between(*SPAN)

    def test_one_occurrence_changes_and_goes_alone(self, dav):
        old = next(e for e in dav.events_between(*SPAN) if e.start == at("2026-03-30T19:00"))
        new = dav.change(old, start=at("2026-03-31T18:00"), minutes=60)
        expected = [*EVENTS[:4], ("Choir", "2026-03-31T18:00-04:00", 60), EVENTS[5]]
        assert shown(dav) == expected
        tag = dav.remove(new)
        assert shown(dav) == [*EVENTS[:4], EVENTS[5]]
        assert {e.version for e in dav.events_between(*SPAN) if "Choir" in e.title} == {tag}

    def test_a_removed_event_takes_its_resource_along(self, server, collection, dav):
        assert dav.remove(one(dav, "Gym, upstairs")) == ""
        assert not any("gym" in name for name in server.names(collection))
        assert "Gym, upstairs" not in [row[0] for row in shown(dav)]

    @pytest.mark.parametrize("how", ["change", "remove"])
    @pytest.mark.parametrize("by", ["edit", "deletion"])
    def test_what_others_changed_meanwhile_is_refused(self, server, collection, dav, how, by):
        gym = one(dav, "Gym, upstairs")
        other = calendar(VTIMEZONE, GYM.replace("SEQUENCE:3", "SEQUENCE:4"))
        if by == "edit":
            server.put(gym.where, other)
        else:
            server.delete(gym.where)
        with pytest.raises(Stale, match=r"'Gym, upstairs' was (changed|deleted) on 127\.0\.0\.1"):
            dav.change(gym, title="x") if how == "change" else dav.remove(gym)
        assert by == "deletion" or "SEQUENCE:4" in server.get(gym.where)

    @pytest.mark.parametrize("how", ["change", "remove"])
    def test_the_server_refuses_a_write_that_lost_the_race(self, server, dav, how, monkeypatch):
        """Another client writes between our last look and our write."""
        gym = one(dav, "Gym, upstairs")
        look = dav._server.get

        def raced(url):
            found = look(url)
            server.put(url, calendar(VTIMEZONE, GYM.replace("SEQUENCE:3", "SEQUENCE:4")))
            return found

        monkeypatch.setattr(dav._server, "get", raced)
        with pytest.raises(Stale, match=r"was changed on 127\.0\.0\.1 meanwhile"):
            dav.change(gym, title="x") if how == "change" else dav.remove(gym)
        assert "SEQUENCE:4" in server.get(gym.where)

    def test_nothing_is_written_without_a_method_that_writes(self, server, collection, dav):
        before = {n: server.get(f"{collection}{n}.ics") for n in ("gym", "choir")}
        shown(dav)
        assert dav.zone is None
        assert {n: server.get(f"{collection}{n}.ics") for n in before} == before
        assert len(server.names(collection)) == 2


class Once:
    """A server on loopback that answers each request with the next of these bytes, then closes."""

    def __init__(self, *answers: bytes):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/cal/"
        self.asked: list[str] = []
        self._answers = list(answers)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while self._answers:
            connection, _ = self.socket.accept()
            with connection:
                self.asked.append(connection.recv(65536).decode().split("\r\n")[0])
                connection.sendall(self._answers.pop(0))
                time.sleep(0.05)
        self.socket.close()


KIND = b"""<?xml version="1.0"?><D:multistatus xmlns:D="DAV:"
xmlns:C="urn:ietf:params:xml:ns:caldav"><D:response><D:href>/cal/</D:href><D:propstat><D:prop>
<D:resourcetype><D:collection/><C:calendar/></D:resourcetype></D:prop>
<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>"""


def http(status: str, body: bytes = b"", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


FOUND = http("207 Multi-Status", KIND, Content_Type="text/xml")


class TestFailures:
    def test_dropped_and_busy_reads_are_tried_again(self):
        busy = http("503 Service Unavailable", Retry_After="0")
        server = Once(
            b"", busy, FOUND, busy, http("207 Multi-Status", KIND, Content_Type="text/xml")
        )
        assert CalDav(server.url, USER, PASSWORD).events_between(*SPAN) == []
        assert [line.split()[0] for line in server.asked] == ["PROPFIND"] * 3 + ["REPORT"] * 2

    def test_a_write_whose_answer_is_lost_is_not_repeated(self):
        server = Once(FOUND, b"")
        dav = CalDav(server.url, USER, PASSWORD)
        with pytest.raises(ToolError, match="whether 'Study' was written is not known"):
            dav.add("Study", at("2026-03-06T14:00"), 45)
        assert [line.split()[0] for line in server.asked] == ["PROPFIND", "PUT"]

    def test_a_server_of_another_kind(self):
        page = http("200 OK", b"<html><body>Welcome", Content_Type="text/html")
        with pytest.raises(ToolError, match="does not answer as a CalDAV server"):
            CalDav(Once(*[page] * 8).url, USER, PASSWORD)

    def test_an_error_of_the_server(self):
        dav = CalDav(Once(FOUND, http("500 Oops")).url, USER, PASSWORD)
        with pytest.raises(ToolError, match=r"answered with an error \(500\)"):
            dav.events_between(*SPAN)
