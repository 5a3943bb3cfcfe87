"""What a stream of text needs: markers told from text across chunks, and ends trimmed."""

import re
from collections.abc import Iterator

Token = tuple[str, bool]
"""A piece of text, and whether it is a marker."""


class Lexer:
    """Splits chunks into text and markers, and keeps back what may be the start of a marker."""

    def __init__(self, markers: set[str]):
        longest_first = sorted(markers, key=len, reverse=True)
        self._find = re.compile("|".join(map(re.escape, longest_first))).finditer
        self._starts = {marker[:end] for marker in markers for end in range(1, len(marker))}
        self._longest = len(longest_first[0])
        self._kept = ""

    def feed(self, chunk: str) -> Iterator[Token]:
        """The tokens that have become certain."""
        window, self._kept = self._kept + chunk, ""
        # A marker holds one `<`, its first character.
        start = window.rfind("<", -self._longest)
        if start >= 0 and window[start:] in self._starts:
            window, self._kept = window[:start], window[start:]
        return self.split(window)

    def close(self) -> Iterator[Token]:
        """The last token, if any was kept back."""
        kept, self._kept = self._kept, ""
        return self.split(kept)

    def split(self, text: str) -> Iterator[Token]:
        """The tokens of a whole text."""
        pos = 0
        for found in self._find(text):
            if found.start() > pos:
                yield text[pos : found.start()], False
            yield found[0], True
            pos = found.end()
        if pos < len(text):
            yield text[pos:], False


class Stripped:
    """Text as `str.strip` leaves it, piece by piece: white space waits for what follows."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self.started = False

    def add(self, text: str) -> str:
        """What of the text so far has become certain."""
        if not text.strip():
            if self.started:
                self._waiting.append(text)
            return ""
        kept = text.rstrip()
        certain = "".join(self._waiting) + kept if self.started else kept.lstrip()
        self._waiting, self.started = [text[len(kept) :]], True
        return certain
