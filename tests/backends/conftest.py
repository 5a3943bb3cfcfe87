"""Shared by the tests of servers: one on loopback, a key, pauses that are not made."""

import pytest

from tests.servers import ScriptedServer


@pytest.fixture
def server():
    running = ScriptedServer()
    yield running
    running.stop()


@pytest.fixture
def key(monkeypatch):
    """A key in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-TOPSECRET-0123456789")


@pytest.fixture
def waits(monkeypatch):
    """The pauses between tries, which are noted and not made."""
    made = []
    monkeypatch.setattr("canvas.backends.endpoint.time.sleep", made.append)
    return made


@pytest.fixture(autouse=True)
def no_key(monkeypatch, request):
    if "key" not in request.fixturenames:
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
