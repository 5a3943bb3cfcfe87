"""Read the arguments of one call: an explicit stack, strings opaque, never raises."""

import re
from typing import Any, Literal

from canvas.toolcall.drift import ABSENT, DriftReader, Entry, delimiter_at
from canvas.toolcall.grammar import (
    CLOSERS,
    COLON_KEY,
    END,
    INTEGER,
    KEY,
    MAX_DEPTH,
    NUMBER,
    STRING,
    WORDS,
    is_mistaken,
    to_integer,
    to_real,
)

Outcome = Literal["whole", "cut", "broken"]

# Groups of a token: key; string, integer, real or word, and the delimiter behind it; or opener.
_VALUE = (
    rf"\s*+(?:(?:{STRING}|({INTEGER}){END}|({NUMBER}){END}|(true|false|null){END})"
    r"(?:\s*+([,}\])]))?+|([{\[]))"
)
_in_object = re.compile(rf"({KEY}):{_VALUE}").match
_with_colon = re.compile(rf"\s*+({COLON_KEY}):(?!\s){_VALUE}").match
_in_array = re.compile(rf"(){_VALUE}").match
# In a raw key an assignment is unlikely enough to be read as drift.
_assigns = re.compile(r"[^\W\d][\w.-]*+\s*+=\s*+\S").match
# What a cut text may still hold at its end: the start of a key, a word, a number or a marker.
_cut_before_value = re.compile(r'[^{}<|]*+(?:<\|?"?\|?)?\Z').match
_cut_after_value = re.compile(r"\s*+\Z").match


def read_arguments(
    text: str, pos: int, drift: DriftReader | None = None, bracket: str = "{"
) -> tuple[dict[str, Any], int, Outcome]:
    """Arguments from just behind their opening bracket: (arguments, end, outcome).

    "cut": the text ended where more of a well-formed call could follow. "broken": what stands at
    the end, an entry or what should be a delimiter, is no part of a call. Unless "whole", only
    arguments read to their end are there. From what the strict reading refuses, `drift` reads on.
    """
    root: dict[str, Any] = {}
    box: Any = root
    closer, drifting = CLOSERS[bracket], bracket != "{"
    stack: list[tuple[Any, str, str]] = []
    after, end = delimiter_at(text, pos)
    if after == closer:
        return root, end, "whole"
    after = ""
    while True:
        entry = None if drifting else _entry(text, pos, closer != "]")
        if entry is None or (drift and _assigns(entry[0])):
            if entry is None and not drifting and _cut_before_value(text, pos):
                return root, pos, "cut"
            entry = (drift and drift.entry(pos, closer != "]", after == ",")) or entry
            if entry is None:
                return root, pos, "broken"
            drifting = True
        key, value, opener, after, end = entry
        if opener:
            if len(stack) == MAX_DEPTH:
                return root, pos, "broken"
            stack.append((box, key, closer))
            box, closer, pos, after = value, CLOSERS[opener], end, ""
            continue
        start, pos = pos, end
        if value is ABSENT:
            pass
        elif closer == "]":
            box.append(value)
        else:
            box[key] = value
        while after != ",":
            if after is None and drift and drift.lacks_bracket(pos):
                after = closer
            if after is None:
                cut = _cut_after_value(text, pos)
                return root, (pos if cut else start), ("cut" if cut else "broken")
            if after != closer and not (drift and not stack and drift.takes_bracket(after)):
                return root, pos - 1, "broken"
            if not stack:
                return root, pos, "whole"
            value = box
            box, key, closer = stack.pop()
            if closer == "]":
                box.append(value)
            else:
                box[key] = value
            after, pos = delimiter_at(text, pos)


def _entry(text: str, pos: int, keyed: bool) -> Entry | None:
    """A member of an object (`keyed`) or array as the format has it, or None."""
    token = (_in_object(text, pos) or _with_colon(text, pos)) if keyed else _in_array(text, pos)
    if token is None:
        return None
    key, string, integer, real, word, after, opener = token.groups()
    key, end = key.strip(), token.end()
    if key and is_mistaken(key):
        return None
    if string is not None:
        return key, string, None, after, end
    if integer or real:
        number = to_integer(integer) if integer else to_real(real)
        return None if number is None else (key, number, None, after, end)
    if word:
        return key, WORDS[word], None, after, end
    value: Any = {} if opener == "{" else []
    closer, behind = delimiter_at(text, end)
    if closer != CLOSERS[opener]:
        return key, value, opener, None, end
    return key, value, None, *delimiter_at(text, behind)
