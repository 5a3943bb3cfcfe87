"""Find tool calls in model text: one forward pass, linear in its length, that never raises."""

import re
from collections.abc import Iterator
from typing import Any

from canvas.toolcall.arguments import read_arguments
from canvas.toolcall.grammar import (
    CALL_OPEN,
    FLAT_ENTRY,
    LENIENT,
    OPENER,
    QUOTE,
    RESPONSE_CLOSE,
    RESPONSE_OPEN,
    STRICT,
    WORDS,
    Dialect,
    ToolCall,
)

_BOUNDARY = re.compile(r"<tool_call\|>|<\|(?:tool_call|tool_response|channel|turn)>|<turn\|>")
_CLOSER = re.compile(r"\s*+<tool_call\|>")
_CUT_CLOSER = re.compile(r"\s*+(?:<[a-z_]*+\|?)?\Z")
_NO_CLOSER = re.compile(r"\s*+(?:\Z|(?=<\|tool_call>|<\|tool_response>|<turn\|>|<eos>))")
_STOPPED = re.compile(r"\s*+(?:\Z|<\|turn>|<turn\|>)")
_CHANNEL = re.compile(r"<\|channel>|<channel\|>")


# start, end, and what stands there: a call, the text of a thought, or (None) a tool response
Piece = tuple[int, int, ToolCall | str | None]


def parse_calls(text: str, *, lenient: bool = False) -> list[ToolCall]:
    """Every call in `text`, in order. Calls in tool responses and in closed thoughts are inert.

    A cut or malformed call is returned with complete=False and costs no other call. Where the
    strict reading fails, `lenient` mends the drift of real models and lists it in `repairs`.
    """
    return [found for _, _, found in scan(text, lenient=lenient) if type(found) is ToolCall]


def scan(text: str, *, lenient: bool = False) -> Iterator[Piece]:
    """The calls, tool responses and thoughts of `text`, left to right; the gaps are plain text."""
    search, pos = OPENER.search, 0
    while opener := search(text, pos):
        start, pos = opener.span()
        name, flat = opener.groups()
        if name is not None:
            yield start, pos, ToolCall(name, _flat_arguments(flat))
        elif opener[0] == CALL_OPEN:
            call, pos = _read_call(text, pos, lenient)
            yield start, pos, call
        elif opener[0] == RESPONSE_OPEN:
            pos = _response_end(text, pos)
            yield start, pos, None
        else:
            behind = pos
            end, pos = _thought_end(text, behind)
            yield start, pos, text[behind:end]


def _flat_arguments(flat: str) -> dict[str, Any]:
    """Arguments without nesting, whose form the opener's pattern has checked."""
    arguments: dict[str, Any] = {}
    for key, string, scalar in FLAT_ENTRY.findall(flat):
        if not scalar:
            arguments[key] = string
        elif scalar in WORDS:
            arguments[key] = WORDS[scalar]
        else:
            arguments[key] = float(scalar) if "." in scalar else int(scalar)
    return arguments


def _read_call(text: str, behind: int, lenient: bool) -> tuple[ToolCall, int]:
    """The call whose opener ends at `behind`, and where its text ends."""
    call, end = _read_as(STRICT, text, behind)
    if lenient and not call.complete:
        mended, mended_end = _read_as(LENIENT, text, behind)
        if mended.complete:
            return mended, mended_end
    return call, end


def _read_as(dialect: Dialect, text: str, behind: int) -> tuple[ToolCall, int]:
    head = dialect.head.match(text, behind)
    name = head["name"].strip() if head else ""
    if not head or not name:
        return ToolCall("", complete=False), _broken_end(text, behind)
    repairs: dict[str, None] = {}
    if dialect.lenient:
        if head["call"] is None:
            repairs["missing call:"] = None
        if head["bracket"] == "(":
            repairs["parentheses"] = None
    arguments, pos, outcome = read_arguments(text, head.end(), head["bracket"], dialect, repairs)
    if outcome == "whole":
        if closer := _CLOSER.match(text, pos):
            return ToolCall(name, arguments, repairs=tuple(repairs)), closer.end()
        if dialect.lenient and (gap := _NO_CLOSER.match(text, pos)):
            return ToolCall(name, arguments, repairs=(*repairs, "missing closer")), gap.end()
        outcome = "cut" if _CUT_CLOSER.match(text, pos) else "broken"
    # What a call that is well formed up to the end of the text has swallowed was in closed strings.
    end = len(text) if outcome == "cut" else _broken_end(text, behind)
    return ToolCall(name, arguments, complete=False), end


def _broken_end(text: str, behind: int) -> int:
    """Where reading goes on after a malformed call: behind its closer or at the next marker."""
    boundary = _BOUNDARY.search(text, behind)
    if boundary is None:
        return len(text)
    return boundary.end() if boundary[0] == "<tool_call|>" else boundary.start()


def _response_end(text: str, behind: int) -> int:
    """The end of a tool response; strings are opaque, and without its end the rest is inert.

    Where the turn stops behind the marker it is only the stop token of a call turn.
    """
    if _STOPPED.match(text, behind):
        return behind
    quotes = 0
    while (closer := text.find(RESPONSE_CLOSE, behind)) >= 0:
        quotes += text.count(QUOTE, behind, closer)
        end = closer + len(RESPONSE_CLOSE)
        if quotes % 2 == 0:
            return end
        behind = end
    return len(text)


def _thought_end(text: str, behind: int) -> tuple[int, int]:
    """Where the text of a thought ends, and where reading goes on.

    A thought that is not closed ends at the next marker, so that it costs no call.
    """
    channel = _CHANNEL.search(text, behind)
    if channel and channel[0] == "<channel|>":
        return channel.span()
    boundary = _BOUNDARY.search(text, behind)
    end = boundary.start() if boundary else len(text)
    return end, end
