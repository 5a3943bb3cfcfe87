"""Find tool calls in model text: one forward pass, linear in its length, that never raises."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from canvas.toolcall.arguments import read_arguments
from canvas.toolcall.grammar import CALL_OPEN, LENIENT, RESPONSE_OPEN, STRICT, Dialect, ToolCall

_OPENER = re.compile(r"<\|(?:tool_call|tool_response|channel)>")
_BOUNDARY = re.compile(r"<tool_call\|>|<\|(?:tool_call|tool_response|channel|turn)>|<turn\|>")
_CLOSER = re.compile(r"\s*+<tool_call\|>")
_CUT_CLOSER = re.compile(r"\s*+(?:<[a-z_]*+\|?)?\Z")
_NO_CLOSER = re.compile(r"\s*+(?:\Z|(?=<\|tool_call>|<\|tool_response>|<turn\|>|<eos>))")
_RESPONSE_STEP = re.compile(r'<\|"\|>|<tool_response\|>')
_STOPPED = re.compile(r"\s*+(?:\Z|<\|turn>|<turn\|>)")
_CHANNEL = re.compile(r"<\|channel>|<channel\|>")


class Piece(NamedTuple):
    """A span of text that is not plain text: a call, a thought, or (neither) a tool response."""

    start: int
    end: int
    call: ToolCall | None = None
    thought: str | None = None


def parse_calls(text: str, *, lenient: bool = False) -> list[ToolCall]:
    """Every call in `text`, in order. Calls in tool responses and in closed thoughts are inert.

    A cut or malformed call is returned with complete=False and costs no other call. Where the
    strict reading fails, `lenient` mends the drift of real models and lists it in `repairs`.
    """
    return [piece.call for piece in scan(text, lenient=lenient) if piece.call is not None]


def scan(text: str, *, lenient: bool = False) -> Iterator[Piece]:
    """The calls, tool responses and thoughts of `text`, left to right; the gaps are plain text."""
    pos = 0
    while opener := _OPENER.search(text, pos):
        start, behind = opener.span()
        marker = opener[0]
        if marker == CALL_OPEN:
            call, pos = _read_call(text, behind, lenient)
            yield Piece(start, pos, call=call)
        elif marker == RESPONSE_OPEN:
            pos = _response_end(text, behind)
            yield Piece(start, pos)
        else:
            end, pos = _thought_end(text, behind)
            yield Piece(start, pos, thought=text[behind:end])


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
    pos = behind
    while step := _RESPONSE_STEP.search(text, pos):
        if step[0] == "<tool_response|>":
            return step.end()
        closing = text.find(step[0], step.end())
        if closing < 0:
            break
        pos = closing + len(step[0])
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
