"""The HTTP client against a real server that fails in every way that servers do."""

import email.utils
import time
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from canvas.backends.endpoint import LONGEST_WAIT, Endpoint, base, pause
from canvas.backends.failure import EndpointError, retry_after
from canvas.io import BadInput
from tests.servers import ScriptedServer, answer, drop, events, half, stall

OK = answer({"fine": True})


@pytest.fixture
def endpoint(server):
    made = Endpoint(server.url, retries=3, backoff=0.5, timeout=5)
    yield made
    made.close()


def busy(status=429, **headers):
    return answer({"error": {"message": "not now", "code": "busy"}}, status, **headers)


class TestRetries:
    @pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 529])
    def test_a_passing_failure_is_tried_again(self, status, server, endpoint, waits):
        server.play(busy(status), busy(status), OK)
        assert endpoint.post("/x", {"a": 1}) == {"fine": True}
        assert [asked["body"] for asked in server.posts] == [{"a": 1}] * 3
        assert 0.25 <= waits[0] <= 0.5 <= waits[1] <= 1.0

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 413, 422, 501])
    def test_a_lasting_one_is_not(self, status, server, endpoint, waits):
        server.play(busy(status), OK)
        with pytest.raises(EndpointError, match=f"HTTP {status}: not now") as caught:
            endpoint.post("/x", {})
        assert (len(server.posts), waits) == (1, [])
        assert caught.value.failure.status == status
        assert caught.value.failure.code == "busy"

    @pytest.mark.parametrize("act", [drop, half])
    def test_dropped_connections_are_tried_again(self, act, server, endpoint, waits):
        server.play(act, act, OK)
        assert endpoint.post("/x", {}) == {"fine": True}
        assert len(server.posts) == 3
        assert len(waits) == 2

    def test_it_gives_up_and_says_so(self, server, endpoint, waits):
        server.play(busy(503))
        with pytest.raises(EndpointError, match=r"/v1/x: .*cannot answer now.*To do: try again"):
            endpoint.post("/x", {})
        assert (len(server.posts), len(waits)) == (4, 3)

    @pytest.mark.parametrize(
        "asked", ["7", "7.0", email.utils.format_datetime(datetime.now(UTC) + timedelta(days=365))]
    )
    def test_a_server_is_not_asked_before_it_wants(self, asked, server, endpoint, waits):
        server.play(busy(429, retry_after=asked), OK)
        if "." in asked or asked.isdecimal():
            endpoint.post("/x", {})
            assert 7 <= waits[0] <= 7.5
        else:  # a year is too long to wait
            with pytest.raises(EndpointError, match=r"wait 31\d{6} s"):
                endpoint.post("/x", {})
            assert waits == []

    def test_retry_after_as_a_date(self):
        now = datetime(2026, 3, 2, 9, tzinfo=UTC)
        assert retry_after("Mon, 02 Mar 2026 09:00:30 GMT", now) == 30
        assert retry_after("Mon, 02 Mar 2026 08:00:00 GMT", now) == 0
        assert [retry_after(text) for text in (None, "", "soon", "-3", "nan", "inf")] == [None] * 6

    def test_pauses_grow_and_never_agree(self):
        drawn = {tried: {pause(tried, None, 0.5) for _ in range(200)} for tried in range(1, 12)}
        for tried, found in drawn.items():
            longest = min(0.5 * 2 ** (tried - 1), LONGEST_WAIT)
            assert longest / 2 <= min(found) < max(found) <= longest
            assert len(found) > 190
        assert 30 <= pause(1, 30.0, 0.5) <= 30.5


class TestNobodyThere:
    def test_a_refused_connection_names_place_and_remedy_at_once(self, waits):
        gone = ScriptedServer()
        gone.stop()
        with pytest.raises(EndpointError) as caught:
            Endpoint(gone.url).get("/models")
        assert str(caught.value).startswith(f"{gone.url}/models: no server answers there")
        assert "To do: start it, or check host and port" in str(caught.value)
        assert waits == []

    def test_a_server_that_went_away_is_waited_for(self, server, endpoint, waits):
        assert endpoint.get("/models")
        server.stop()
        with pytest.raises(EndpointError, match="no server answers"):
            endpoint.post("/x", {})
        assert len(waits) == 3

    def test_a_silent_server_is_left_after_the_timeout(self, server, waits):
        server.play(stall)
        start = time.monotonic()
        with pytest.raises(EndpointError, match=r"nothing came for 0\.2 s.*raise the timeout"):
            Endpoint(server.url, timeout=0.2).post("/x", {})
        assert 0.2 <= time.monotonic() - start < 5
        assert (len(server.posts), waits) == (1, [])

    def test_a_proxy_of_the_environment_is_not_asked_for_loopback(self, server, monkeypatch):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert Endpoint(server.url).get("/models") == {"data": server.models}


class TestAnswers:
    @pytest.mark.parametrize("body", [b"<html>hello</html>", b"", b"[1]", b'{"cut": '])
    def test_what_is_no_json_object_is_an_error(self, body, server, endpoint):
        server.play(answer(body))
        with pytest.raises(EndpointError, match=r"no JSON object.*with its /v1"):
            endpoint.post("/x", {})

    def test_redirects_are_not_followed(self, server, endpoint, key):
        elsewhere = ScriptedServer().play(OK)
        server.play(answer({}, 307, location=f"{elsewhere.url}/x"))
        with pytest.raises(EndpointError, match=f"sends us to {elsewhere.url}/x"):
            endpoint.post("/x", {})
        elsewhere.stop()
        assert elsewhere.asked == []

    @pytest.mark.parametrize(
        ("body", "words"),
        [
            ({"error": "plain"}, "plain"),
            ({"detail": "fastapi"}, "fastapi"),
            ({"error": {"message": "two\nlines."}}, "two lines"),
            ({"error": {"odd": 1}}, '{"error": {"odd": 1}}'),
            (b"<h1>Bad</h1>", "<h1>Bad</h1>"),
            (b"\xff\xfe", "\ufffd\ufffd"),
            (b"x" * 10**6, "x" * 500),
        ],
    )
    def test_the_server_s_words_are_passed_on(self, body, words, server, endpoint):
        server.play(answer(body, 400))
        with pytest.raises(EndpointError) as caught:
            endpoint.post("/x", {})
        assert caught.value.failure.detail == words


class TestStreams:
    def test_events_come_as_they_are_sent(self, server, endpoint):
        told = []
        server.play(events({"n": 1}, ": ping\n\n", {"n": 2}, wait=lambda stop: stop.wait(0.3)))
        start = time.monotonic()
        for event in endpoint.stream("/x", {}):
            told.append((event["n"], time.monotonic() - start < 0.25))
        assert told == [(1, True), (2, True)]

    def test_the_beginning_is_tried_again(self, server, endpoint, waits):
        server.play(busy(503), drop, events({"n": 1}))
        assert list(endpoint.stream("/x", {})) == [{"n": 1}]
        assert len(waits) == 2

    def test_what_has_begun_is_not(self, server, endpoint, waits):
        def hang_up(_):
            raise ConnectionError

        server.play(events({"n": 1}, "data: {cut", wait=hang_up))
        found = []
        # The connection ends without an end of the stream: that is for the caller to notice.
        for event in endpoint.stream("/x", {}):
            found.append(event)
        assert found == [{"n": 1}]
        assert (len(server.posts), waits) == (1, [])

    def test_an_error_inside_a_stream_is_raised(self, server, endpoint):
        server.play(events({"n": 1}, {"error": {"message": "engine died", "code": 500}}))
        stream = endpoint.stream("/x", {})
        assert next(stream) == {"n": 1}
        with pytest.raises(EndpointError, match="HTTP 500: engine died"):
            next(stream)

    def test_a_stream_that_stalls_is_left(self, server):
        server.play(events({"n": 1}, wait=lambda stop: stop.wait(20)))
        stream = Endpoint(server.url, timeout=0.2).stream("/x", {})
        assert next(stream) == {"n": 1}
        with pytest.raises(EndpointError, match="nothing came"):
            next(stream)

    def test_an_abandoned_stream_hangs_up(self, server, endpoint):
        noticed = []

        def wait(stop):
            stop.wait(0.3)
            noticed.append(True)

        server.play(events({"n": 1}, wait=wait), OK)
        stream = endpoint.stream("/x", {})
        next(stream)
        stream.close()
        assert endpoint.post("/x", {}) == {"fine": True}
        assert noticed == []


class TestAddresses:
    @pytest.mark.parametrize(
        ("url", "found"),
        [
            ("http://localhost:8000", ("http://localhost:8000/v1", True)),
            ("http://localhost:8000/", ("http://localhost:8000/v1", True)),
            ("http://127.0.0.1:1/v1/", ("http://127.0.0.1:1/v1", True)),
            ("http://[::1]:1/v1", ("http://[::1]:1/v1", True)),
            ("https://example.org/api/openai?x=1#y", ("https://example.org/api/openai", False)),
            ("http://10.0.0.7:8000/v1", ("http://10.0.0.7:8000/v1", False)),
        ],
    )
    def test_of_servers(self, url, found):
        assert base(url) == found

    @pytest.mark.parametrize("url", ["localhost:8000", "", "ftp://x/v1", "http://"])
    def test_of_none(self, url):
        with pytest.raises(BadInput, match="write http://HOST:PORT/v1"):
            base(url)

    def test_passwords_are_refused_and_not_shown(self):
        with pytest.raises(BadInput, match="holds a password") as caught:
            base("http://me:hunter2@example.org/v1")
        assert "hunter2" not in str(caught.value)


def test_every_http_error_is_understood():
    """What httpx may raise while it sends is one of the kinds that `_try` catches."""
    kinds = [httpx.ReadError, httpx.RemoteProtocolError, httpx.DecodingError, httpx.ReadTimeout]
    assert all(issubclass(kind, httpx.HTTPError) for kind in kinds)
