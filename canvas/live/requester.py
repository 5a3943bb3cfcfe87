"""Requester: canvasapi's, but reading only, in bounded time, and patient with a busy Canvas.

Canvas answers 403 "Rate Limit Exceeded" (newer ones 429) where a token asks for too much at once,
and says in `X-Rate-Limit-Remaining` how much is left of a bucket that refills by itself
(https://canvas.instructure.com/doc/api/file.throttling.html).
"""

import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import requests
from canvasapi.exceptions import (
    CanvasException,
    Forbidden,
    InvalidAccessToken,
    RateLimitExceeded,
    ResourceDoesNotExist,
    Unauthorized,
)
from canvasapi.paginated_list import PaginatedList
from canvasapi.requester import Requester as _Requester
from canvasapi.util import combine_kwargs

from canvas.tools.base import ToolError

TIMEOUT = (10, 30)
ATTEMPTS = 5
# Seconds: the pause before the second attempt is up to FIRST, then up to twice as much, to LONGEST.
FIRST, LONGEST = 0.5, 8.0
# Below this much of the quota (700 when full, 10 a second come back) every request waits.
LOW, BREATH = 50.0, 1.0
_BUSY = (429, 500, 502, 503, 504)
_DROPPED = (
    requests.exceptions.ConnectionError,
    requests.exceptions.Timeout,
    requests.exceptions.ChunkedEncodingError,
)


class _Bearer(requests.auth.AuthBase):
    """Puts the token into a request, and nowhere else; no repr or dict shows it.

    Being there also keeps requests from taking other credentials out of a .netrc file.
    """

    __slots__ = ("_put",)

    def __init__(self, token: str):
        def put(request: requests.PreparedRequest) -> None:
            request.headers["Authorization"] = f"Bearer {token}"

        self._put = put

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        self._put(request)
        return request


class OtherAddress(CanvasException):
    """Canvas continues a list at another address than the one it was asked at."""


class Requester(_Requester):
    """GET requests to one Canvas, as one student; `sent` counts them."""

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ):
        """`base_url` without a path, such as `https://canvas.example.edu`."""
        super().__init__(base_url, "")
        self._session.auth = _Bearer(token)
        self._sleep, self._jitter = sleep, jitter
        self.sent = 0

    def request(self, method: str, endpoint: str | None = None, **kinds: Any) -> requests.Response:
        """Raises ValueError on all but GET: nothing in Canvas is ever changed."""
        if method != "GET":
            raise ValueError(f"{method} {endpoint}: this client only reads")
        return super().request(method, endpoint, use_auth=False, **kinds)

    def rows(self, endpoint: str, **parameters: Any) -> list[dict[str, Any]]:
        """All rows of a paginated list, as Canvas writes them.

        Plain ones: canvasapi's objects try every field of every row as a date, about 20 ms for one
        assignment.
        """
        pages = PaginatedList(
            lambda requester, row: row,
            self,
            "GET",
            endpoint,
            _kwargs=combine_kwargs(**parameters),
        )
        return list(pages)

    def _get_request(self, url, headers, params=None, **kinds) -> requests.Response:
        """One GET, tried again after dropped connections and busy answers; the last one counts."""
        for attempt in range(1, ATTEMPTS + 1):
            last = attempt == ATTEMPTS
            try:
                self.sent += 1
                response = self._session.get(url, headers=headers, params=params, timeout=TIMEOUT)
            except _DROPPED as error:
                if last or isinstance(error, requests.exceptions.SSLError):
                    raise
                self._sleep(self._pause(attempt))
                continue
            if last or not _is_busy(response):
                break
            self._sleep(self._pause(attempt, response.headers.get("Retry-After")))
        if _left(response) < LOW:
            self._sleep(BREATH)
        self._refuse_other_address(response)
        return response

    def _pause(self, attempt: int, wish: str | None = None) -> float:
        """Seconds to wait: what the server wishes, or a random share of a doubling time."""
        if wish and re.fullmatch("[0-9]{1,4}", wish):
            return min(float(wish), LONGEST) + self._jitter()
        return min(FIRST * 2 ** (attempt - 1), LONGEST) * self._jitter()

    def _refuse_other_address(self, response: requests.Response) -> None:
        following = response.links.get("next", {}).get("url", self.base_url)
        if not following.startswith(self.base_url):
            raise OtherAddress(urlsplit(following).netloc)


@contextmanager
def told(what: str) -> Iterator[None]:
    """What a request for `what` may raise, as a ToolError that says what the student can do.

    The cause is left out, for a traceback would show the request with all that is in it.
    """
    try:
        yield
    except InvalidAccessToken:
        raise ToolError(
            "Canvas refused the access token: it is wrong or has expired. The student has to make "
            "a new one in Canvas (Account, Settings, New Access Token) and set CANVAS_TOKEN to it"
        ) from None
    except RateLimitExceeded:
        raise ToolError(_LIMITED) from None
    except Forbidden as error:
        if "rate limit" in str(error).casefold():
            raise ToolError(_LIMITED) from None
        raise ToolError(f"Canvas does not let this student see {what}") from None
    except Unauthorized:
        raise ToolError(f"Canvas does not let this student see {what}") from None
    except ResourceDoesNotExist:
        raise ToolError(f"Canvas does not have {what}, or not for this student") from None
    except OtherAddress as error:
        raise ToolError(f"Canvas answers as {error}; set CANVAS_BASE_URL to that") from None
    except CanvasException as error:
        raise ToolError(f"Canvas could not answer for {what} ({_status(error)})") from None
    except requests.exceptions.SSLError:
        raise ToolError("the certificate of this Canvas is not valid; is CANVAS_BASE_URL right?"
                        ) from None  # fmt: skip
    except _DROPPED:
        raise ToolError("Canvas does not answer; is the network there, and CANVAS_BASE_URL right?"
                        ) from None  # fmt: skip
    except (requests.exceptions.RequestException, ValueError, KeyError, TypeError):
        raise ToolError(
            f"what stands at CANVAS_BASE_URL does not answer for {what} as Canvas does"
        ) from None


_LIMITED = "Canvas is limiting this student's requests; try again in a minute"


def _is_busy(response: requests.Response) -> bool:
    limited = response.status_code == 403 and "rate limit" in response.text[:200].casefold()
    return limited or response.status_code in _BUSY


def _left(response: requests.Response) -> float:
    """What is left of the quota; endless where the header says nothing."""
    text = response.headers.get("X-Rate-Limit-Remaining", "")
    return float(text) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) else float("inf")


def _status(error: CanvasException) -> str:
    found = re.search(r"status code (\d+)", str(error))
    return f"status {found[1]}" if found else type(error).__name__
