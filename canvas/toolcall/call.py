"""Read one call, strictly or mending the drift seen from real Gemma 4 models.

Nothing is guessed where text may have been cut: a string in `<|"|>` must be closed, and a call ends
at its `<tool_call|>` or, with every bracket closed, where the turn ends or the next marker stands.
"""

import re
from typing import Any

from canvas.toolcall.arguments import Outcome, read_arguments
from canvas.toolcall.drift import DriftReader
from canvas.toolcall.grammar import CLOSERS, HEAD

_closer = re.compile(r"\s*+<tool_call\|>").match
_cut_closer = re.compile(r"\s*+(?:<[a-z_]*+\|?)?\Z").match

_fence = re.compile(r"\s*+```\w*+").match
_json = re.compile(r"\s*+(?:call:\s*+)?\{").match
# Without `call:` (its colon or a dash may be left) the name is one word.
_head = re.compile(
    r"""\s*+(?:call:\s*+([^\s{}()\[\]=,"'<|][^{}()\[\]=,"'<|]*+)|(?:[:-]\s*+)?([\w.:/-]*\w)\s*+)"""
    r"([{(]|(?=<tool_call\|>))"
).match
_doubled = re.compile(r"\s*+\{").match
_odd_closer = re.compile(r"([}\])>\s]*+)(?:```\s*+)?<tool_call\|>").match
_no_closer = re.compile(
    r"\s*+(?:```\s*+)?(?:\Z|(?=<\|(?:tool_call|tool_response|channel|turn)>|<turn\|>|<eos>|<pad>))"
).match
_ARGUMENTS = ("arguments", "parameters", "args")

# name, arguments, where reading stopped, outcome
Read = tuple[str, dict[str, Any], int, Outcome]


def read_strictly(text: str, behind: int) -> Read:
    """What stands behind an opener; the end is that of the call if it is whole."""
    head = HEAD.match(text, behind)
    name = head[1].strip() if head else ""
    if not head or not name:
        return "", {}, behind, "broken"
    arguments, pos, outcome = read_arguments(text, head.end())
    if outcome == "whole":
        if closer := _closer(text, pos):
            return name, arguments, closer.end(), "whole"
        outcome = "cut" if _cut_closer(text, pos) else "broken"
    return name, arguments, pos, outcome


def read_leniently(text: str, behind: int) -> tuple[Read, tuple[str, ...]]:
    """The same with everything mended that can be, and the names of the repairs."""
    drift = DriftReader(text)
    head = HEAD.match(text, behind)
    if head and "(" in head[1] and (read := read_strictly(text, behind))[3] == "whole":
        return read, ()
    pos, outer = behind, ""
    if fence := _fence(text, pos):
        drift.repair("code fence")
        pos = fence.end()
    if opened := _json(text, pos):
        drift.repair("JSON call")
        read = _from_json(*read_arguments(text, opened.end(), drift))
    else:
        read, outer = _native(text, pos, drift)
    name, arguments, pos, outcome = read
    if outcome != "whole":
        return read, ()
    if closer := _odd_closer(text, pos):
        brackets = "".join(closer[1].split())
        if brackets != outer:
            drift.repair("extra bracket" if brackets else "missing bracket")
    elif not outer and (closer := _no_closer(text, pos)):
        drift.repair("missing closer")
    else:
        cut = _cut_closer(text, pos)
        return (name, arguments, pos, "cut" if cut else "broken"), ()
    return (name, arguments, closer.end(), "whole"), tuple(drift.repairs)


def _native(text: str, pos: int, drift: DriftReader) -> tuple[Read, str]:
    """A call in the format's own way, and the bracket that must follow where they are doubled."""
    head = HEAD.match(text, pos)
    if head and head[1].strip() and "(" not in head[1]:
        called, word, bracket = head[1], None, "{"
    elif head := _head(text, pos):
        called, word, bracket = head.groups()
    else:
        return ("", {}, pos, "broken"), ""
    name, pos, outer = (called or word).strip(), head.end(), ""
    if called is None:
        drift.repair("missing call:")
    if not bracket:
        drift.repair("missing bracket")
        return (name, {}, pos, "whole" if called else "broken"), ""
    if bracket == "(":
        drift.repair("parentheses")
    if doubled := _doubled(text, pos):
        if bracket == "{":
            drift.repair("doubled bracket")
        outer, bracket, pos = CLOSERS[bracket], "{", doubled.end()
    return (name, *read_arguments(text, pos, drift, bracket)), outer


def _from_json(members: dict[str, Any], pos: int, outcome: Outcome) -> Read:
    """A call from `{"name": ..., "arguments": {...}}`, also within `{"function": ...}`."""
    if isinstance(members.get("function"), dict):
        members = members["function"]
    name = members.get("name")
    arguments = next((members[key] for key in _ARGUMENTS if key in members), {})
    if isinstance(arguments, str) and arguments.startswith("{"):
        inner, end, read = read_arguments(arguments, 1, DriftReader(arguments))
        arguments = inner if read == "whole" and end == len(arguments) else None
    if not isinstance(name, str) or not name.strip() or not isinstance(arguments, dict):
        return "", {}, pos, "cut" if outcome == "cut" else "broken"
    return name.strip(), arguments, pos, outcome
