"""A real HTTP server on loopback that plays a script: answers, failures, streams."""

import contextlib
import json
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class ScriptedServer:
    """Plays one act of `acts` for each POST, the last one for ever; `asked` notes every request.

    A GET of /v1/models lists `models`; `most` is the largest number of POSTs at the same time.
    """

    def __init__(self):
        self.acts, self.asked = deque(), []
        self.models = [{"id": "nano", "owned_by": "somebody"}]
        self.list_models = None
        self.active = self.most = 0
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"scripted": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def play(self, *acts):
        """Set the script; an act is a function of the request's handler."""
        self.acts = deque(acts)
        return self

    @property
    def posts(self):
        return [asked for asked in self.asked if asked["method"] == "POST"]

    def next_act(self):
        with self._lock:
            return self.acts.popleft() if len(self.acts) > 1 else self.acts[0]

    @contextlib.contextmanager
    def counted(self):
        with self._lock:
            self.active += 1
            self.most = max(self.most, self.active)
        try:
            yield
        finally:
            with self._lock:
                self.active -= 1

    def stop(self):
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self._note(None)
        act = self.scripted.list_models or answer({"data": self.scripted.models})
        act(self)

    def do_POST(self):
        self.body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._note(self.body)
        with self.scripted.counted(), contextlib.suppress(ConnectionError):
            self.scripted.next_act()(self)

    def _note(self, body):
        self.scripted.asked.append(
            {
                "method": self.command,
                "path": self.path,
                "key": self.headers.get("Authorization"),
                "body": body,
            }
        )

    def log_message(self, *_):
        pass


def answer(body, status=200, **headers):
    """An act: JSON (or bytes as they are), with a status and headers (`retry_after=1`)."""

    def act(handler):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in {"content-length": len(content), **headers}.items():
            handler.send_header(name.replace("_", "-"), str(value))
        handler.end_headers()
        handler.wfile.write(content)

    return act


def drop(handler):
    """An act: hang up without a word."""
    handler.close_connection = True
    handler.connection.shutdown(2)


def half(handler):
    """An act: promise an answer and hang up in the middle of it."""
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True


def stall(handler):
    """An act: say nothing until the test is over."""
    handler.scripted.stopping.wait(30)
    handler.close_connection = True


def events(*chunks, last="data: [DONE]\n\n", wait=None):
    """An act: a stream of server-sent events; texts are sent as they are, the rest as JSON.

    `wait` is called with the server's `stopping` event before the last piece.
    """

    def act(handler):
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.send_header("connection", "close")
        handler.end_headers()
        for chunk in chunks:
            text = chunk if isinstance(chunk, str) else f"data: {json.dumps(chunk)}\n\n"
            handler.wfile.write(text.encode())
            handler.wfile.flush()
        if wait:
            wait(handler.scripted.stopping)
        handler.wfile.write(last.encode())
        handler.close_connection = True

    return act


def said(text, finish="stop", **message):
    """The body of a chat completion."""
    return {
        "choices": [{"message": {"content": text, **message}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3},
    }
