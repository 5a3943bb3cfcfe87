"""Every string of files, keys included: each distinct line read once, each string scanned once.

What is written in disguise is looked at in the clear as well: JSON inside strings at any depth,
escapes, HTML entities, percent signs, zero-width and compatibility characters.
"""

import html
import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from canvas.audit.finding import Finding, hide
from canvas.audit.recognisers import Rule, scan

# A string, also one that is cut (or each quote would be read to the end), or a number long enough
# to be an id.
_LITERAL = re.compile(rb'"[^"\\]*(?:\\.?[^"\\]*)*(?:"|\Z)|(?<=[:,\[ ])\d{5,}(?=[,}\] ]|$)', re.S)
# Outside of strings only, and so never inside one: what is repeated most in rows of ours.
_JOINT = b'{"type":"function"'
# Ids that stages make of hashes: digits and letters by chance. Digits alone may be a card's number.
_OWN_ID = re.compile(
    r"(?:trajectory|kto|pair|item|contributed)-[0-9a-f]{12,20}|(?=\d*[a-f])[0-9a-f]{12,20}"
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.S)
_WHITE = {"n": "\n", "t": "\t", "r": "\r", "b": " ", "f": " "}
# Disguises over disguises that are undone; without end, `%252525…` would take quadratic time.
_DISGUISES = 6
_OPENERS = ("{", "[", '"')


class Place(NamedTuple):
    """Where a string was met first."""

    file: str
    line: int


class Texts:
    """Distinct strings of some files, with the place of each."""

    def __init__(self) -> None:
        self._lines: set[bytes] = set()
        self._parts: set[bytes] = set()
        self._literals: dict[bytes, Place] = {}
        self._texts: dict[str, Place] = {}
        self._items: list[tuple[str, Place]] = []
        self._numbers: dict[str, Place] = {}

    def add(self, path: Path, *, foreign: bool = False) -> Iterator[tuple[int, Any]]:
        """Take the strings of a file, and yield (line number, value) of each line not seen before.

        The value is the line's JSON, or the line itself where it is none; of a foreign file the
        line is then one string more.
        """
        for number, line in _lines(Path(path)):
            if not line or line in self._lines:
                continue
            self._lines.add(line)
            place = Place(Path(path).as_posix(), number)
            self._take(line, place)
            value = _json(line)
            if value is _NO_JSON:
                value = line.decode("utf-8", errors="replace")
                if foreign:
                    self.put([(value, place)])
            yield number, value

    def _take(self, line: bytes, place: Place) -> None:
        for part in line.split(_JOINT):
            if part not in self._parts:
                self._parts.add(part)
                for literal in _LITERAL.findall(part):
                    self._literals.setdefault(literal, place)

    def __len__(self) -> int:
        self._decode()
        return len(self._texts)

    def items(self) -> list[tuple[str, Place]]:
        """Each string with its place; our own ids are left out."""
        self._decode()
        if len(self._items) < len(self._texts):
            self._items = list(self._texts.items())
        return self._items

    def numbers(self) -> list[tuple[str, Place]]:
        """Each number of five digits or more that stands outside of strings."""
        self._decode()
        return list(self._numbers.items())

    def _decode(self) -> None:
        # Strings that are JSON hold strings in turn, each shorter than what holds it.
        while self._literals:
            found, self._literals = self._literals, {}
            quoted = {raw: place for raw, place in found.items() if raw[:1] == b'"'}
            for raw, place in found.items():
                if raw not in quoted:
                    self._numbers.setdefault(raw.decode(), place)
            self.put(zip(_decoded(list(quoted)), quoted.values(), strict=True))

    def put(self, texts: Iterable[tuple[str, Place]]) -> None:
        """Take texts; of one that is JSON what is in it, of a disguised one also the plain text."""
        for text, place in texts:
            if text[:1] in _OPENERS and _json(text) is not _NO_JSON:
                self._take(text.encode("utf-8", errors="surrogatepass"), place)
                continue
            for _ in range(_DISGUISES):
                if text in self._texts or _OWN_ID.fullmatch(text):
                    break
                self._texts[text] = place
                text = _plain(text)

    def scan(self, rules: tuple[Rule, ...], remedy: str) -> Iterator[Finding]:
        """Findings by these rules, in the order of the strings."""
        texts = self.items()
        found = []
        for needs in dict.fromkeys(rule.needs for rule in rules):
            some = [entry for entry in texts if needs.search(entry[0])] if needs else texts
            found += _scan(some, tuple(rule for rule in rules if rule.needs is needs))
        order = {text: number for number, (text, _) in enumerate(texts)}
        for text, place, leak in sorted(found, key=lambda entry: (order[entry[0]], entry[2])):
            shown = hide(text, leak.start, leak.end)
            yield Finding(*place, field_of(place, text), leak.kind, shown, remedy)


def _scan(texts: list[tuple[str, Place]], rules: tuple[Rule, ...]) -> Iterator[tuple]:
    """(text, place, leak within the text) of texts that are read as one, a line each."""
    starts, position = [], 0
    for text, _ in texts:
        starts.append(position)
        position += len(text) + 1
    for leak in scan("\n".join(text for text, _ in texts), rules):
        index = bisect_right(starts, leak.start) - 1
        text, place = texts[index]
        start = leak.start - starts[index]
        yield text, place, leak._replace(start=start, end=leak.end - starts[index])


_NO_JSON = object()


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """(number, line) of a file, stripped; a JSON document is one line."""
    if path.suffix == ".json":
        yield 1, path.read_bytes().strip()
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            yield number, line.strip()


def _json(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NO_JSON


def _decoded(literals: list[bytes]) -> list[str]:
    """The strings that JSON literals stand for; bad escapes and bytes as they are."""
    texts = _json(b"[" + b",".join(literals) + b"]")
    if texts is not _NO_JSON:
        return texts
    values = ((raw, _json(raw)) for raw in literals)
    return [
        raw.strip(b'"').decode("utf-8", errors="replace") if value is _NO_JSON else value
        for raw, value in values
    ]


def _plain(text: str) -> str:
    if "\\" in text:
        text = _ESCAPE.sub(_character, text)
    if "&" in text and ";" in text:
        text = html.unescape(text)
    if "%" in text:
        text = unquote(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(c for c in text if unicodedata.category(c) != "Cf")
    return text


def _character(escape: re.Match) -> str:
    return chr(int(escape[1], 16)) if escape[1] else _WHITE.get(escape[2], escape[2])


def field_of(place: Place, text: str) -> str:
    """The path of the first field of a line that holds this string; `line` where there is none."""
    value = _json(next(line for number, line in _lines(Path(place.file)) if number == place.line))
    if value is _NO_JSON:
        return "line"
    return next((field for field, said in strings(value) if text in _revealed(said)), "line")


def _revealed(text: str) -> set[str]:
    texts = Texts()
    texts.put([(text, Place("", 0))])
    texts._decode()
    return {text, *texts._texts}


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
    """(line number, JSON value) of each line; one that is no JSON is given as its text."""
    for number, line in _lines(Path(path)):
        value = _json(line)
        yield number, line.decode("utf-8", errors="replace") if value is _NO_JSON else value
