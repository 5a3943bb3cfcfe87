"""A real CalDAV server for the tests: Radicale in a process of its own, on loopback."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

USER, PASSWORD = "ana", "correct horse"
_MAKE = """<?xml version="1.0" encoding="utf-8"?>
<D:mkcol xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>
<D:resourcetype><D:collection/><C:calendar/></D:resourcetype>
<D:displayname>{name}</D:displayname>
<C:supported-calendar-component-set><C:comp name="{kind}"/></C:supported-calendar-component-set>
</D:prop></D:set></D:mkcol>"""


class Radicale:
    """The running server; every method is another client's doing."""

    def __init__(self, port: int):
        self.url = f"http://127.0.0.1:{port}/"
        self.home = f"{self.url}{USER}/"
        self._session = requests.Session()
        self._session.auth = USER, PASSWORD

    def make(self, path: str, name: str, kind: str = "VEVENT") -> str:
        """A new collection; returns its address."""
        url = f"{self.home}{path}/"
        self._send("MKCOL", url, _MAKE.format(name=name, kind=kind))
        return url

    def put(self, url: str, text: str) -> None:
        """Write a resource, whatever was there."""
        self._send("PUT", url, text)

    def get(self, url: str) -> str:
        """The text of a resource, or of a whole collection."""
        return self._send("GET", url).text.replace("\r\n", "\n")

    def delete(self, url: str) -> None:
        """Delete a resource or collection."""
        self._send("DELETE", url)

    def property(self, url: str, xml: str) -> None:
        """Set a property of a collection."""
        self._send(
            "PROPPATCH",
            url,
            '<D:propertyupdate xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">'
            f"<D:set><D:prop>{xml}</D:prop></D:set></D:propertyupdate>",
        )

    def names(self, url: str) -> set[str]:
        """The addresses of the resources of a collection."""
        answer = self._send("PROPFIND", url, headers={"Depth": "1"})
        return set(re.findall("<href>([^<]+[.]ics)</href>", answer.text))

    def _send(self, method: str, url: str, body: str = "", **kinds) -> requests.Response:
        answer = self._session.request(method, url, data=body.encode(), timeout=10, **kinds)
        answer.raise_for_status()
        return answer


@contextmanager
def running(folder: Path) -> Iterator[Radicale]:
    """Start the server with one user, and stop it."""
    (folder / "users").write_text(f"{USER}:{PASSWORD}\n")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {
        "server-hosts": f"127.0.0.1:{port}",
        "auth-type": "htpasswd",
        "auth-htpasswd-filename": folder / "users",
        "auth-htpasswd-encryption": "plain",
        "auth-delay": 0,
        "storage-filesystem-folder": folder / "collections",
        "logging-level": "error",
    }
    command = [sys.executable, "-m", "radicale", "--config", ""]
    command += [part for key, value in options.items() for part in (f"--{key}", str(value))]
    process = subprocess.Popen(command)
    try:
        _wait(port, process)
        yield Radicale(port)
    finally:
        process.terminate()
        process.wait(10)


def _wait(port: int, process: subprocess.Popen, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert process.poll() is None, "Radicale did not start"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("Radicale does not listen")
