"""Intake: JSON Lines that nobody vouches for, read line by line in bounded memory."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from canvas.schema import VOCABULARY, problem

LINE_LIMIT = 8 * 2**20
_HEAD = 1024


@dataclass(frozen=True)
class Fault:
    """A bad row: its file, line and field, why it is bad, what to do, and its masked beginning."""

    file: str
    line: int
    field: str | None
    reason: str
    remedy: str
    excerpt: str = ""

    def row(self) -> dict:
        """As a line of the quarantine report."""
        return asdict(self)

    def __str__(self) -> str:
        field = f" field {self.field!r}:" if self.field else ""
        return f"{self.file}:{self.line}:{field} {self.reason}. To do: {self.remedy}."


def read(path: Path) -> Iterator[tuple[int, dict] | Fault]:
    """(line number, row) of each good row of a contribution file, a Fault in place of each bad one.

    Holds one line at a time, of a line beyond LINE_LIMIT bytes only the beginning. A byte order
    mark and blank lines are ignored.
    """
    name, seen = Path(path).as_posix(), False
    with Path(path).open("rb") as file:
        for number, (raw, size) in enumerate(_lines(file), 1):
            raw = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
            if raw.strip():
                seen = True
                yield _row(name, number, raw, size)
    if not seen:
        yield Fault(name, 1, None, "empty file", "export it again, or delete it")


def _lines(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Each line with its full size; of one beyond the limit only the head is kept."""
    while line := file.readline(LINE_LIMIT + 1):
        size, ended = len(line), line.endswith(b"\n")
        if size > LINE_LIMIT:
            line = line[:_HEAD]
            while not ended and (more := file.readline(LINE_LIMIT)):
                size, ended = size + len(more), more.endswith(b"\n")
        yield line, size


def _row(name: str, number: int, raw: bytes, size: int) -> tuple[int, dict] | Fault:
    try:
        if size > LINE_LIMIT:
            raise ValueError(f"line of {size:,} bytes, the limit is {LINE_LIMIT:,}")
        row = parse(raw)
        found = problem(row)
    except RecursionError:
        found = "", "nested too deep"
    except ValueError as error:
        found = "", str(error)
    if not found:
        return number, row
    field, reason = found
    return Fault(name, number, field or None, reason, "correct or delete the line", excerpt(raw))


def parse(raw: bytes) -> Any:
    """One JSON value. ValueError, in words, on bad UTF-8, bad JSON, NaN and duplicate keys."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"invalid UTF-8 at byte {error.start + 1}") from None
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        reason = "truncated line" if cut else "not JSON"
        raise ValueError(f"{reason} ({error.msg} at column {error.colno})") from None


def _object(pairs: list[tuple[str, Any]]) -> dict:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        double = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"duplicate key {shape(double)[:40]!r}")
    return found


def _constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def excerpt(raw: bytes, length: int = 80) -> str:
    """The shape of a line's beginning, which tells nothing of its content."""
    return " ".join(shape(raw[:400].decode("utf-8", errors="replace")).split())[:length]


def shape(text: str) -> str:
    """The text with each letter as x and digit as 0; words of the schema stay."""
    return re.sub(r"\w+", lambda word: _masked(word[0]), text)


def _masked(word: str) -> str:
    if word in VOCABULARY:
        return word
    return "".join("0" if c.isdigit() else "_" if c == "_" else "x" for c in word)
