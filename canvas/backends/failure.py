"""Why a server gave no answer, in words that name what happened and what to do."""

import email.utils
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx

from canvas.backends.key import Key
from canvas.io import BadInput

PASSING = frozenset({408, 425, 429, *range(500, 600)} - {501, 505})
"""Statuses that may be gone at the next try."""

_SHOWN = 500  # characters of a server's own words
_TOO_LONG = ("context length", "context size", "context window", "context_length", "exceed_context")


@dataclass(frozen=True)
class Failure:
    """Why one try failed. `status` is the HTTP status (0: no answer came), `detail` and `code` the
    server's own words, `asked` the seconds that it asked to wait; `absent`: nobody listens there;
    `passing`: another try may help."""

    reason: str
    remedy: str | None = None
    status: int = 0
    detail: str = ""
    code: str = ""
    absent: bool = False
    passing: bool = False
    asked: float | None = None


class EndpointError(BadInput):
    """A server that cannot be used; `failure` says why, `str` also where and what to do."""

    def __init__(self, url: str, failure: Failure):
        super().__init__(url, failure.reason, remedy=failure.remedy)
        self.failure = failure

    @property
    def too_long(self) -> bool:
        """Whether the prompt did not fit."""
        said = f"{self.failure.code} {self.failure.detail}".lower()
        return self.failure.status in (400, 413) and any(words in said for words in _TOO_LONG)


def breakdown(error: httpx.HTTPError, timeout: float, key: Key) -> Failure:
    """What it means that no answer came, or only a part of one."""
    words = key.hide(str(error)) or type(error).__name__
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return Failure(
            f"no server answers there ({words})",
            "start it, or check host and port",
            absent=True,
            passing=True,
        )
    if isinstance(error, httpx.TimeoutException):
        return Failure(
            f"nothing came for {timeout:g} s",
            "raise the timeout, or ask for fewer tokens or fewer conversations at once",
        )
    return Failure(f"the connection was dropped ({words})", "see the server's log", passing=True)


def refusal(status: int, text: str, headers: Mapping[str, str], key: Key) -> Failure:
    """What an answer other than 200 means."""
    detail, code = _words(text)
    said = f"HTTP {status}: {detail}" if detail else f"HTTP {status}"
    if status in (401, 403):
        wanted = "another key" if key else "a key"
        return Failure(
            f"the server wants {wanted} ({said})",
            f"put the key into the environment variable {key.variable}",
            status,
            detail,
            code,
        )
    if 300 <= status < 400:
        place = key.hide(headers.get("location", "elsewhere"))
        return Failure(f"the server sends us to {place} ({said})", "use that address", status)
    if status not in PASSING:
        return Failure(f"the server refuses ({said})", _remedy(status), status, detail, code)
    asked = retry_after(headers.get("retry-after"))
    late = f", wait {asked:.0f} s" if asked else ""
    return Failure(
        f"the server cannot answer now ({said}{late})",
        "try again later, ask for less at once, or see the server's log",
        status,
        detail,
        code,
        passing=True,
        asked=asked,
    )


def no_json(text: str) -> Failure:
    """An answer that is not what such a server sends."""
    return Failure(
        f"the answer is no JSON object: {text[:_SHOWN]!r}",
        "check that the address is that of an OpenAI-compatible server, with its /v1",
    )


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds that a Retry-After header asks for, in seconds or as an HTTP date; None: nothing."""
    if value is None:
        return None
    if re.fullmatch(r"\d+(\.\d+)?", value.strip()):
        return float(value)
    try:
        then = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    then = then.replace(tzinfo=then.tzinfo or UTC)
    return max(0.0, (then - (now or datetime.now(UTC))).total_seconds())


def _remedy(status: int) -> str | None:
    return "check the address, with its /v1, and the model's name" if status == 404 else None


def _words(text: str) -> tuple[str, str]:
    """What the body of an error says, in one line, and its code."""
    code = ""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    if isinstance(body, dict):
        error = body.get("error", body)
        if isinstance(error, dict):
            code = " ".join(str(error[name]) for name in ("code", "type") if error.get(name))
            error = error.get("message") or error.get("detail")
        text = error if isinstance(error, str) else text
    return " ".join(text.split())[:_SHOWN].rstrip("."), code
