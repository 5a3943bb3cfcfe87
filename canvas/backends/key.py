"""The API key of a server: read from the environment when a request leaves, and kept nowhere."""

import os

import httpx

from canvas.io import BadInput


class Key(httpx.Auth):
    """The key in an environment variable, if it is set; no attribute or repr holds it.

    Raises BadInput, without showing it, on a key that no HTTP header can carry.
    """

    def __init__(self, variable: str):
        self.variable = variable
        if not self._can_be_sent():
            raise BadInput(variable, "holds characters that no key has", remedy="set it again")

    def __bool__(self) -> bool:
        return bool(self._value())

    def __repr__(self) -> str:
        return f"Key({self.variable!r})"

    def auth_flow(self, request: httpx.Request):
        """Add the key to a request, as httpx asks for it."""
        if self:
            request.headers["Authorization"] = f"Bearer {self._value()}"
        yield request

    def hide(self, text: str) -> str:
        """Text from elsewhere without the key: servers echo it in their errors."""
        return text.replace(self._value(), f"[{self.variable}]") if self else text

    def _value(self) -> str:
        return os.environ.get(self.variable, "").strip()

    def _can_be_sent(self) -> bool:
        value = self._value()
        return value.isascii() and value.isprintable() and " " not in value
