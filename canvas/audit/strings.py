"""Every string of JSON Lines files, keys included, each distinct one scanned once."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from canvas.audit.finding import Finding, hide
from canvas.audit.recognisers import Rule, scan

_LITERAL = re.compile(rb'"(?:[^"\\]|\\.)*"')
# Ids that stages make of hashes: digits and letters by chance.
_OWN_ID = re.compile(rb'"(?:[a-z]+-)?[0-9a-f]{12,20}"')


class Place(NamedTuple):
    """Where a string was met first."""

    file: str
    line: int


class Texts:
    """Distinct strings of some files, with the place of each."""

    def __init__(self) -> None:
        self._places: dict[bytes, Place] = {}
        self._decoded: list[tuple[str, Place]] | None = None
        self.count = 0

    def add(self, path: Path, *, foreign: bool = False) -> None:
        """Take the strings of a file; of a foreign one, a line that is no JSON is one string."""
        name = Path(path).as_posix()
        with Path(path).open("rb") as file:
            for number, line in enumerate(file, 1):
                literals = _LITERAL.findall(line)
                if foreign and not _is_json(line):
                    literals.append(json.dumps(line.decode("utf-8", errors="replace")).encode())
                for literal in literals:
                    self.count += 1
                    if literal not in self._places:
                        self._places[literal] = Place(name, number)

    def items(self) -> list[tuple[str, Place]]:
        """Each string with its place, our own ids left out."""
        if self._decoded is None:
            self._decoded = [
                (_decoded(literal), place)
                for literal, place in self._places.items()
                if not _OWN_ID.fullmatch(literal)
            ]
        return self._decoded

    def scan(self, rules: tuple[Rule, ...], remedy: str) -> Iterator[Finding]:
        """Findings by these rules, in the order of the strings."""
        texts = self.items()
        starts, position = [], 0
        for text, _ in texts:
            starts.append(position)
            position += len(text) + 1
        for leak in sorted(scan("\n".join(text for text, _ in texts), rules)):
            index = bisect_right(starts, leak.start) - 1
            text, place = texts[index]
            shown = hide(text, leak.start - starts[index], leak.end - starts[index])
            yield Finding(*place, field_of(place, text), leak.kind, shown, remedy)


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _decoded(literal: bytes) -> str:
    try:
        return json.loads(literal)
    except ValueError:
        return literal.decode("utf-8", errors="replace")


def field_of(place: Place, text: str) -> str:
    """The path of the first field of a line that holds this string; `line` where there is none."""
    with Path(place.file).open("rb") as file:
        line = next(raw for number, raw in enumerate(file, 1) if number == place.line)
    try:
        found = (field for field, value in strings(json.loads(line)) if value == text)
        return next(found, "line")
    except (ValueError, RecursionError):
        return "line"


def strings(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """(field, string) of every string at any depth, of keys too, in the order of the text."""
    todo = [(field, value)]
    while todo:
        field, value = todo.pop()
        if isinstance(value, str):
            yield field or "text", value
        elif isinstance(value, dict):
            yield from ((f"{field or 'row'} (key)", key) for key in value)
            inner = [(f"{field}.{key}" if field else key, value[key]) for key in value]
            todo += reversed(inner)
        elif isinstance(value, list):
            inner = [(f"{field}[{index}]", entry) for index, entry in enumerate(value)]
            todo += reversed(inner)


def rows(path: Path) -> Iterator[tuple[int, Any]]:
    """(line number, JSON value) of a file; a line that is no JSON is given as its text."""
    with Path(path).open("rb") as file:
        for number, raw in enumerate(file, 1):
            try:
                yield number, json.loads(raw)
            except (ValueError, RecursionError):
                yield number, raw.decode("utf-8", errors="replace")
