"""A model that plays scripts, in process or as a server, and a student for it to plan for."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from canvas.backends.base import Reply
from canvas.backends.scripted import Plan, ScriptedBackend
from canvas.world import World

MONDAY = "2026-03-02T09:00"
GYM = ("Gym", "2026-03-03T18:00", 60)
PARTY = ("Party", "2026-03-07T20:00", 120)


def coursework() -> World:
    """Two courses, one with something due."""
    report = {"title": "Lab Report", "course": "@COURSE1", "type": "ASGN", "points": 10}
    return World.from_dict(
        {
            "now": MONDAY,
            "courses": [
                {"course": "@COURSE1", "name": "Organic Chemistry", "score": 91.5, "letter": "A-"},
                {"course": "@COURSE2", "name": "World History"},
            ],
            "assignments": [report | {"due": "2026-03-04T23:59"}],
        }
    )


def create(title: str, start: str, minutes: int = 60) -> tuple[str, dict]:
    """A call."""
    return "calendar.create_event", {"title": title, "start": start, "minutes": minutes}


LOOK = ("calendar.list_events", {"start": "2026-03-02", "end": "2026-03-08"})
READ = create("Read @COURSE1", "2026-03-04T10:00")
WRITE = create("Write", "2026-03-05T10:00", 90)
MOVE = ("calendar.modify_event", {"event": "E1", "start": "2026-03-03T19:00"})
DELETE = ("calendar.delete_event", {"event": "E2"})

SCRIPTS = {
    "hello": ([], "Hello."),
    "grade": ([("canvas.get_grades", {"course": "@COURSE1"})], "You have 91.5 in @COURSE1."),
    "read": ([READ], "Added it."),
    "both": ([[READ, WRITE]], "Two added."),
    "move": ([LOOK, MOVE], "Moved E1."),
    "delete": ([LOOK, DELETE], "Deleted E2."),
    "all": ([LOOK, [READ, MOVE, DELETE, WRITE]], "All done."),
    "wrong": ([("canvas.get_grades", {"course": "@COURSE9"})], "I could not find that."),
    "trap": ([create("Tea \x1b[2J[red]now", "2026-03-04T10:00")], "\x1b]0;x\x07\x1b[31m[b]Hi"),
    "silence": ([], ""),
    "endless": ([LOOK] * 20, "Never."),
}


class Script(ScriptedBackend):
    """For each request plays the script of its first word.

    `asked` are the prompts it saw, `delay` the seconds that a turn takes.
    """

    def __init__(self):
        super().__init__(_play)
        self.asked: list[list[dict]] = []
        self.delay = 0.0

    def chat(self, messages: list[dict], tools: list[dict], **sampling) -> Reply:
        """The next turn of the script of the latest request."""
        self.asked.append(messages)
        time.sleep(self.delay)
        latest = max(n for n, message in enumerate(messages) if message["role"] == "user")
        return super().chat(messages[latest:], tools, **sampling)


def _play(text: str) -> Plan:
    steps, answer = SCRIPTS.get(text.split()[0].casefold(), ([], "What?"))
    for step in steps:
        _results = yield step
    return answer


@contextmanager
def serving(script: Script) -> Iterator[str]:
    """The address of an OpenAI-compatible server that plays the script."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads, server.script = True, script
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self._send("application/json", json.dumps({"data": [{"id": "script"}]}))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = self.server.script.chat(_as_ours(body["messages"]), body.get("tools") or [])
        calls = [_call(place, call) for place, call in enumerate(reply.calls)]
        pieces = [{"content": word} for word in reply.content.partition(" ") if word]
        deltas = [*pieces, *([{"tool_calls": calls}] if calls else [])]
        events = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
        events.append({"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"})
        lines = [json.dumps({"choices": [event]}) for event in events]
        self._send("text/event-stream", "".join(f"data: {x}\n\n" for x in [*lines, "[DONE]"]))

    def _send(self, kind: str, text: str):
        content = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with suppress(BrokenPipeError):  # the student did not wait
            self.wfile.write(content)

    def log_message(self, *_):
        """Say nothing."""


def _call(place: int, call) -> dict:
    function = {"name": call.name, "arguments": json.dumps(call.arguments)}
    return {"index": place, "id": f"c{place}", "type": "function", "function": function}


def _as_ours(messages: list[dict]) -> list[dict]:
    for message in messages:
        for call in message.get("tool_calls") or ():
            call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    return messages
