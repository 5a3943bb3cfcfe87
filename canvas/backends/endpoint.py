"""HTTP to one OpenAI-compatible server: timeouts, retries, streams."""

import ipaddress
import json
import random
import time
from collections.abc import Callable, Iterator

import httpx

from canvas.backends import sse
from canvas.backends.failure import EndpointError, Failure, breakdown, no_json, refusal
from canvas.backends.key import Key
from canvas.io import BadInput

LONGEST_WAIT = 60.0
"""Seconds; a server that asks for more with Retry-After is not waited for."""

_CONNECT = 10.0  # seconds to connect within


class Endpoint:
    """A server by its base URL. Threads may share it.

    `timeout` are the seconds without a byte before giving up, `retries` how often a request is sent
    again after 408, 425, 429, 5xx or a dropped connection, `backoff` the first pause in seconds
    (see `pause`), `variable` the environment variable that may hold a key. A server that never
    answered is not waited for. Raises BadInput on an address that cannot be used and EndpointError
    where a key would travel in the clear.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout: float = 120.0,
        retries: int = 4,
        backoff: float = 0.5,
        connections: int = 8,
        variable: str = "OPENAI_API_KEY",
    ):
        self.url, ours = base(url)
        self.key = Key(variable)
        if self.key and self.url.startswith("http:") and not ours:
            raise EndpointError(
                self.url,
                Failure(
                    f"the key in {variable} would travel unencrypted",
                    f"use https or an SSH tunnel, or unset {variable}",
                ),
            )
        self._timeout, self._retries, self._backoff = timeout, retries, backoff
        self._met = False
        self._client = httpx.Client(
            auth=self.key,
            timeout=httpx.Timeout(timeout, connect=min(timeout, _CONNECT), pool=None),
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
            trust_env=not ours,  # a proxy of the environment cannot see this machine's loopback
        )

    def get(self, path: str) -> dict:
        """The JSON object at `path`. Raises EndpointError."""
        return self._document(self._shown(self._answer("GET", path, None).content))

    def post(self, path: str, body: dict) -> dict:
        """The JSON object that answers `body`. Raises EndpointError."""
        return self._document(self._shown(self._answer("POST", path, body).content))

    def stream(self, path: str, body: dict) -> Iterator[dict]:
        """The JSON objects of the server-sent events that answer `body`, up to `[DONE]`.

        Sent again only until the stream begins. Raises EndpointError where it breaks off.
        """
        response, failure = self._answer("POST", path, body, stream=True), None
        try:
            for data in map(self.key.hide, sse.events(response.iter_bytes())):
                if data == "[DONE]":
                    return
                event = self._document(data)
                if event.get("error"):
                    failure = refusal(_status(event), data, {}, self.key)
                    break
                yield event
        except httpx.HTTPError as error:
            failure = breakdown(error, self._timeout, self.key)
        finally:
            response.close()
        if failure:
            raise EndpointError(self.url + path, failure)

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _answer(self, method: str, path: str, body: dict | None, stream=False) -> httpx.Response:
        """The response with status 200, after as many tries as it takes."""
        for tried in range(1, self._retries + 2):
            found = self._try(method, path, body, stream)
            if isinstance(found, httpx.Response):
                return found
            waits = found.passing and (self._met or not found.absent)
            if not waits or tried > self._retries or (found.asked or 0) > LONGEST_WAIT:
                break
            time.sleep(pause(tried, found.asked, self._backoff))
        # Raised outside of any handler: frames of HTTP errors hold headers, and those the key.
        raise EndpointError(self.url + path, found)

    def _try(
        self, method: str, path: str, body: dict | None, stream: bool
    ) -> httpx.Response | Failure:
        try:
            request = self._client.build_request(method, self.url + path, json=body)
            response = self._client.send(request, stream=stream)
            self._met = True
            if response.status_code == 200:
                return response
            response.read()
        except httpx.HTTPError as error:
            return breakdown(error, self._timeout, self.key)
        text = self._shown(response.content)
        return refusal(response.status_code, text, response.headers, self.key)

    def _shown(self, content: bytes) -> str:
        """What a server sent, as it may be shown."""
        return self.key.hide(content.decode("utf-8", errors="replace"))

    def _document(self, text: str) -> dict:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise EndpointError(self.url, no_json(text))
        return found


def pause(
    tried: int,
    asked: float | None,
    backoff: float,
    draw: Callable[[float, float], float] = random.uniform,
) -> float:
    """Seconds until the next try, drawn so that who failed together does not return together.

    What the server asked for and up to `backoff` more; else half to all of `backoff`, doubled with
    every try.
    """
    if asked is not None:
        return asked + draw(0, backoff)
    longest = min(backoff * 2 ** (tried - 1), LONGEST_WAIT)
    return draw(longest / 2, longest)


def base(url: str) -> tuple[str, bool]:
    """The base URL, with `/v1` where it has no path, and whether it is this machine's own.

    Raises BadInput on what is no address, or holds a password.
    """
    try:
        parts = httpx.URL(url)
    except httpx.InvalidURL:
        parts = httpx.URL("")
    if parts.userinfo:
        raise BadInput(
            parts.host, "its address holds a password", remedy="leave that out of the address"
        )
    if parts.scheme not in ("http", "https") or not parts.host:
        raise BadInput(url, "no address of a server", remedy="write http://HOST:PORT/v1")
    text = str(parts.copy_with(query=None, fragment=None)).rstrip("/")
    return (text if parts.path.strip("/") else f"{text}/v1"), _is_ours(parts.host)


def _is_ours(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def _status(event: dict) -> int:
    """The HTTP status that an error inside a stream stands for; 500 where it names none."""
    error = event["error"]
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 300 <= code < 600 else 500
