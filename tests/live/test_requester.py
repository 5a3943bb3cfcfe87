"""Requests to Canvas: pages, quotas, bad moments, and a token that shows up nowhere."""

import copy
import logging
import pickle
import traceback

import pytest

from canvas.live.requester import ATTEMPTS, LONGEST, Requester, told
from canvas.tools.base import ToolError
from tests.live import canvas_server
from tests.live.canvas_server import BUSY, LIMITED, LIMITED_429, TOKEN

ROWS = [{"id": number} for number in range(250)]


@pytest.fixture
def server():
    with canvas_server.running() as canvas:
        canvas.routes["courses"] = ROWS
        yield canvas


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def requester(server, pauses):
    return Requester(server.url, TOKEN, sleep=pauses.append, jitter=lambda: 0.5)


def rows(requester):
    with told("the list"):
        return requester.rows("courses", include=["term", "teachers"])


@pytest.mark.parametrize(("size", "requests"), [(100, 3), (7, 36), (1000, 3)])
def test_all_pages_are_read(server, requester, size, requests):
    server.page = size
    assert rows(requester) == ROWS
    assert len(server.asked) == requests == requester.sent
    assert all(query["include[]"] == ["term", "teachers"] for _, query in server.asked)


@pytest.mark.parametrize("mood", [LIMITED, LIMITED_429, BUSY, (500, "{}", {}), "drop", "cut"])
def test_bad_moments_on_any_page_are_sat_out(server, requester, pauses, mood):
    server.moods = ["", mood, mood, "", mood]
    assert rows(requester) == ROWS
    assert requester.sent == 6
    assert len(pauses) == 3


def test_pauses_double_with_jitter_and_heed_the_server(server, requester, pauses):
    server.moods = [BUSY, BUSY, BUSY, LIMITED_429, ""]
    rows(requester)
    assert pauses == [0.25, 0.5, 1.0, 1.5]


def test_pauses_are_bounded(requester):
    assert max(requester._pause(attempt) for attempt in range(1, 99)) <= LONGEST
    assert requester._pause(1, "3600") <= LONGEST + 1
    assert requester._pause(1, "soon") == 0.25


def test_a_low_quota_slows_down(server, requester, pauses):
    server.quota = 20.0
    rows(requester)
    assert pauses == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("moods", "reason"),
    [
        ([LIMITED] * ATTEMPTS, "limiting this student's requests; try again in a minute"),
        ([LIMITED_429] * ATTEMPTS, "limiting this student's requests; try again in a minute"),
        ([BUSY] * ATTEMPTS, r"could not answer for the list \(status 503\)"),
        (["drop"] * ATTEMPTS, "Canvas does not answer"),
        (["cut"] * ATTEMPTS, "Canvas does not answer"),
        ([(403, '{"status":"unauthorized"}', {})], "does not let this student see the list"),
        ([(401, '{"status":"unauthenticated"}', {})], "does not let this student see the list"),
        ([(401, "<html>", {})], "what stands at CANVAS_BASE_URL does not answer"),
        ([(404, "{}", {})], "Canvas does not have the list"),
        ([(422, "{}", {})], "could not answer for the list"),
        ([(200, "<html>Log in", {})], "what stands at CANVAS_BASE_URL does not answer"),
        ([(302, "", {"Location": "/login"})], "Canvas does not have the list"),
    ],
)
def test_failures_in_words(server, requester, moods, reason):
    server.moods = list(moods)
    with pytest.raises(ToolError, match=reason):
        rows(requester)


def test_a_wrong_token_says_what_to_do(server):
    with pytest.raises(ToolError, match=r"New Access Token.* set CANVAS_TOKEN"):
        rows(Requester(server.url, "wrong"))
    assert len(server.asked) == 1


def test_nobody_there():
    with canvas_server.running() as canvas:
        url = canvas.url
    with pytest.raises(ToolError, match="Canvas does not answer; is the network there"):
        rows(Requester(url, TOKEN, sleep=lambda seconds: None))


def test_pages_at_another_address(server, requester):
    server.link_host = "https://school.instructure.example"
    with pytest.raises(
        ToolError, match=r"answers as school\.instructure\.example; set CANVAS_BASE"
    ):
        rows(requester)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_is_ever_changed(server, requester, method):
    with pytest.raises(ValueError, match="only reads"):
        requester.request(method, "courses")
    assert server.asked == []


def test_the_token_shows_up_nowhere(server, requester, caplog):
    """Not in reprs, attributes, logs, errors or the frames of a traceback."""
    caplog.set_level(logging.DEBUG)
    server.moods = [(500, "{}", {})] * ATTEMPTS
    with pytest.raises(ToolError) as why:
        rows(requester)
    trace = traceback.TracebackException.from_exception(why.value, capture_locals=True)
    told_all = [
        repr(requester),
        repr(vars(requester)),
        repr(vars(requester._session)),
        caplog.text,
        "".join(trace.format()),
        str(why.value),
    ]
    assert len(caplog.records) > 0
    assert not any(TOKEN in text or TOKEN[-4:] in text for text in told_all)


def test_credentials_of_a_netrc_file_are_not_sent(server, tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login other password other\n")
    monkeypatch.setenv("NETRC", str(netrc))
    assert rows(Requester(server.url, TOKEN)) == ROWS


def test_the_token_cannot_be_copied_out(requester):
    with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
        pickle.dumps(requester._session.auth)
    assert TOKEN not in repr(copy.copy(requester._session.auth))
