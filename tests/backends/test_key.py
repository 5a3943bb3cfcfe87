"""The API key: sent where it must be, and nowhere to be seen."""

import contextlib
import copy
import logging
import os
import pickle
import traceback

import pytest

from canvas.backends import OpenAIBackend
from canvas.backends.endpoint import Endpoint
from canvas.backends.failure import EndpointError
from canvas.io import BadInput
from tests.servers import answer, drop, events, half, said, stall

SECRET = "sk-TOPSECRET-0123456789"
HELLO = [{"role": "user", "content": "Hello"}]


def echo(status):
    """A server that shows the key that it was sent, everywhere it can."""

    def act(handler):
        key = handler.headers["Authorization"]
        body = {"error": {"message": f"bad key {key}", "code": key, "type": key}}
        headers = {"location": f"http://x/{key.split()[1]}"} if status == 307 else {}
        answer(body, status, **headers)(handler)

    return act


def echo_text(handler):
    answer(f"<p>{handler.headers['Authorization']}</p>".encode())(handler)


def echo_stream(handler):
    events({"error": {"message": handler.headers["Authorization"]}})(handler)


def echo_choice(handler):
    answer({"choices": handler.headers["Authorization"]})(handler)


def everything_shown(error):
    """The traceback as the most talkative tools print it, with the variables of every frame."""
    tale = traceback.TracebackException.from_exception(error, capture_locals=True)
    return "".join(tale.format()) + str(error) + repr(error) + repr(vars(error))


def test_the_key_is_sent(server, key):
    server.play(answer(said("Hi")))
    assert OpenAIBackend(server.url).chat(HELLO, []).content == "Hi"
    assert {asked["key"] for asked in server.asked} == {f"Bearer {SECRET}"}


def test_no_key_no_header(server):
    server.play(answer(said("Hi")))
    OpenAIBackend(server.url).chat(HELLO, [])
    assert {asked["key"] for asked in server.asked} == {None}


def test_another_variable_may_hold_it(server, key, monkeypatch):
    monkeypatch.setenv("OUR_KEY", "other\n")
    server.play(answer(said("Hi")))
    OpenAIBackend(server.url, key_from="OUR_KEY").chat(HELLO, [])
    assert {asked["key"] for asked in server.asked} == {"Bearer other"}


@pytest.mark.parametrize(
    "act",
    [echo(status) for status in (307, 400, 401, 403, 404, 429, 500)]
    + [echo_text, echo_choice, drop, half, stall],
    ids=[
        "307",
        "400",
        "401",
        "403",
        "404",
        "429",
        "500",
        "text",
        "choice",
        "drop",
        "half",
        "stall",
    ],
)
def test_no_error_shows_it(act, server, key, caplog):
    caplog.set_level(logging.INFO)
    server.play(act)
    backend = OpenAIBackend(server.url, retries=1, backoff=0.01, timeout=0.3)
    with pytest.raises(EndpointError) as caught:
        backend.chat(HELLO, [])
    shown = everything_shown(caught.value)
    assert "chat/completions" in shown
    assert SECRET not in shown
    assert SECRET not in "".join(record.getMessage() for record in caplog.records)


def test_no_error_of_a_stream_shows_it(server, key):
    server.play(echo_stream)
    with pytest.raises(EndpointError) as caught:
        list(OpenAIBackend(server.url).stream(HELLO, []))
    assert "[OPENAI_API_KEY]" in str(caught.value)
    assert SECRET not in everything_shown(caught.value)


def test_no_log_shows_it(server, key, caplog):
    caplog.set_level(logging.DEBUG)
    server.play(answer(said("Hi")))
    OpenAIBackend(server.url).chat(HELLO, [])
    assert any("chat/completions" in record.getMessage() for record in caplog.records)
    assert SECRET not in "".join(f"{vars(record)}" for record in caplog.records)


def test_no_object_holds_it(server, key):
    backend = OpenAIBackend(server.url)
    seen, todo = set(), [backend]
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        assert SECRET not in repr(item)
        todo += list(getattr(item, "__dict__", {}).values())
        if isinstance(item, dict):
            todo += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple | set | frozenset):
            todo += list(item)
    assert len(seen) > 50
    for copied in (copy.copy, pickle.dumps):
        with contextlib.suppress(TypeError, AttributeError, pickle.PicklingError):
            assert SECRET not in repr(copied(backend._endpoint.key))


@pytest.mark.parametrize("bad", ["two words", "line\nbreak", "nul\0", "schlüssel", "\x1b[0m"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(bad, server, monkeypatch):
    monkeypatch.setitem(os.environ, "OPENAI_API_KEY", bad.replace("\0", "\x01"))
    with pytest.raises(BadInput, match="OPENAI_API_KEY: holds characters") as caught:
        Endpoint(server.url)
    tale = traceback.TracebackException.from_exception(caught.value.with_traceback(None))
    assert bad not in "".join(tale.format()) + str(caught.value)


@pytest.mark.parametrize("url", ["http://example.org/v1", "http://192.0.2.1:8000"])
def test_it_does_not_travel_in_the_clear(url, key):
    with pytest.raises(EndpointError, match=r"unencrypted.*use https"):
        Endpoint(url)


def test_without_a_key_plain_http_is_fine():
    assert Endpoint("http://example.org").url == "http://example.org/v1"


def test_the_error_of_a_missing_key_names_the_variable(server):
    server.play(answer({"error": "no key"}, 401))
    with pytest.raises(EndpointError, match=r"wants a key .*variable OPENAI_API_KEY"):
        OpenAIBackend(server.url).chat(HELLO, [])
