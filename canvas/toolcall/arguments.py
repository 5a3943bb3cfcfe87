"""Read the arguments of one call: an explicit stack, strings opaque, never raises."""

import json
import math
import re
from typing import Any, Literal

from canvas.toolcall.grammar import MAX_DEPTH, MAX_DIGITS, QUOTE, WORDS, Dialect

Outcome = Literal["whole", "cut", "broken"]

_DELIMITER = re.compile(r"\s*+([,}\])])")
_CLOSERS = {"{": "}", "[": "]", "(": ")"}
# What a cut text may still hold at its end: the start of a key, a word, a number or a marker.
_CUT_BEFORE_VALUE = re.compile(r'[^{}<|]*+(?:<\|?"?\|?)?\Z')
_CUT_AFTER_VALUE = re.compile(r"\s*+\Z")
_SINGLE_QUOTED = re.compile(r'\\.|"', re.DOTALL)


def read_arguments(
    text: str, pos: int, bracket: str, dialect: Dialect, repairs: dict[str, None]
) -> tuple[dict[str, Any], int, Outcome]:
    """Arguments from just behind their opening `bracket`: (arguments, end, outcome).

    "cut": the text ended where more of a well-formed call could follow. Unless "whole", only
    arguments read to their end are there. `repairs` gains names of repairs (a dict keeps order).
    """
    root: dict[str, Any] = {}
    box: dict[str, Any] | list[Any] = root
    closer, key = _CLOSERS[bracket], ""
    stack: list[tuple[dict[str, Any] | list[Any], str, str]] = []
    delimiter = _DELIMITER.match(text, pos)
    if delimiter and delimiter[1] == closer:
        return root, delimiter.end(), "whole"
    while True:
        in_object = type(box) is dict
        token = (dialect.entry if in_object else dialect.value).match(text, pos)
        if token is None:
            return root, pos, "cut" if _CUT_BEFORE_VALUE.match(text, pos) else "broken"
        if in_object:
            key = _key(token, dialect, repairs)
            if key is None:
                return root, pos, "broken"
        kind, pos = token.lastgroup, token.end()
        if kind == "string":
            end = text.find(QUOTE, pos)
            if end < 0:
                return root, pos, "broken"
            value: Any = text[pos:end]
            pos = end + len(QUOTE)
        elif kind == "open":
            if len(stack) == MAX_DEPTH:
                return root, pos, "broken"
            stack.append((box, key, closer))
            closer = _CLOSERS[token["open"]]
            box = {} if closer == "}" else []
            delimiter = _DELIMITER.match(text, pos)
            if not delimiter or delimiter[1] != closer:
                continue
            value, pos = box, delimiter.end()
            box, key, closer = stack.pop()
        else:
            value = _scalar(token, repairs)
            if value is _BAD:
                return root, pos, "broken"
        while True:
            if type(box) is dict:
                box[key] = value
            else:
                box.append(value)
            delimiter = _DELIMITER.match(text, pos)
            if delimiter is None:
                return root, pos, "cut" if _CUT_AFTER_VALUE.match(text, pos) else "broken"
            pos = delimiter.end()
            if delimiter[1] == ",":
                break
            if delimiter[1] != closer:
                return root, pos, "broken"
            if not stack:
                return root, pos, "whole"
            value = box
            box, key, closer = stack.pop()


_BAD = object()


def _key(token: re.Match[str], dialect: Dialect, repairs: dict[str, None]) -> str | None:
    """The key of an entry; None where it is no key of this dialect."""
    if not dialect.lenient:
        key = token["key"].strip()
        return key if is_key(key) else None
    if token["sign"] == "=":
        repairs["key=value"] = None
    if token["quoted_key"] is None:
        return token["key"].strip()
    repairs["quoted key"] = None
    quoted = token["quoted_key"]
    return quoted[len(QUOTE) : -len(QUOTE)] if quoted.startswith(QUOTE) else _unquote(quoted)


def is_key(key: str) -> bool:
    """Whether stripped raw text can be a key: a doubled comma or a JSON-quoted key is a mistake."""
    return not key or (key[0] != "," and not (key[0] in "\"'" and key[-1] == key[0] and key[1:]))


def _scalar(token: re.Match[str], repairs: dict[str, None]) -> Any:
    """The value of a number, word or JSON-quoted string; _BAD where there is none."""
    kind, raw = token.lastgroup, token[token.lastgroup]
    if kind == "int":
        return int(raw) if len(raw) <= MAX_DIGITS else _BAD
    if kind == "float":
        number = float(raw)
        return number if math.isfinite(number) else _BAD
    if kind == "word":
        if raw[0] in "TFN":
            repairs["Python literal"] = None
        return WORDS[raw]
    repairs["quoted string"] = None
    string = _unquote(raw)
    return _BAD if string is None else string


def _unquote(quoted: str) -> str | None:
    """The text of a JSON string, also in single quotes; None where its escapes are not JSON's."""
    if quoted[0] == "'":
        fixes = {"\\'": "'", '"': '\\"'}
        inner = _SINGLE_QUOTED.sub(lambda found: fixes.get(found[0], found[0]), quoted[1:-1])
        quoted = f'"{inner}"'
    try:
        return json.loads(quoted, strict=False)
    except json.JSONDecodeError:
        return None
