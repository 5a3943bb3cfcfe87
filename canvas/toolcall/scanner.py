"""Find tool calls in model text: one forward pass, linear in its length, that never raises."""

import re

from canvas.toolcall.call import read_leniently, read_strictly
from canvas.toolcall.grammar import CALL_OPEN, QUOTE, RESPONSE_CLOSE, RESPONSE_OPEN, ToolCall
from canvas.toolcall.skeleton import read_whole

# start, end, and what stands there: a call, the text of a thought, or (None) a tool response
Piece = tuple[int, int, ToolCall | str | None]

_OPENER = r"<\|(tool_call|tool_response|channel)>|<tool_response\|>"
# `<|tool_call|>`, `<tool_call>` and `<tool_call:NAME{`
_DRIFTED = r"<\|tool_call\|>|<tool_call(?:>|(?=:))"
_opener = re.compile(_OPENER).search
_lenient_opener = re.compile(rf"{_OPENER}|{_DRIFTED}").search
_drifted = re.compile(_DRIFTED).search
_boundary = re.compile(
    r"<tool_call\|>|<\|(?:tool_call|tool_response|channel|turn)>|<turn\|>"
).search
# A key and its colon, or brackets too many in front of the closer.
_goes_on = re.compile(r"\s*+(?:[^{}:=,<|]++[:=]|[}\])\s]*+<tool_call\|>)").match
_stopped = re.compile(r"\s*+(?:\Z|<\|turn>|<turn\|>)").match
_in_thought = re.compile(r"<\|tool_response>|<\|channel>|<channel\|>|<\|turn>|<turn\|>").search


def parse_calls(text: str, *, lenient: bool = False) -> list[ToolCall]:
    """Every call in `text`, in order. Calls in tool responses and in closed thoughts are inert.

    A cut or malformed call is returned with complete=False and costs no other call. Where the
    strict reading fails, `lenient` mends the drift of real models and lists it in `repairs`.
    """
    calls = None if lenient and _drifted(text) else read_whole(text)
    if calls is None:
        calls = [found for _, _, found in scan(text, lenient=lenient) if type(found) is ToolCall]
    return calls


def scan(text: str, *, lenient: bool = False) -> list[Piece]:
    """The calls, tool responses and thoughts of `text`, left to right; the gaps are plain text."""
    search = _lenient_opener if lenient else _opener
    pieces: list[Piece] = []
    responses = pos = 0  # pieces up to the last response
    while opener := search(text, pos):
        start, pos = opener.span()
        if opener[0] == RESPONSE_CLOSE:
            # What looked like the end of the last response was a part of the result, and so is all
            # that came since.
            if responses:
                start = pieces[responses - 1][0]
                pieces[responses - 1 :] = [(start, pos, None)]
        elif opener[1] == "tool_response":
            behind, pos = pos, _response_end(text, pos)
            pieces.append((start, pos, None))
            responses = len(pieces) if pos > behind else responses
        elif opener[1] == "channel":
            behind = pos
            end, pos = _thought_end(text, behind)
            pieces.append((start, pos, text[behind:end]))
        else:
            call, pos = read_call(text, start, pos, lenient)
            pieces.append((start, pos, call))
    return pieces


def read_call(text: str, start: int, behind: int, lenient: bool) -> tuple[ToolCall, int]:
    """The call whose opener stands from `start` to `behind`, and where its text ends.

    Text behind the first boundary outside strings changes neither.
    """
    repairs: tuple[str, ...] = ()
    if lenient:
        (name, arguments, pos, outcome), repairs = read_leniently(text, behind)
    else:
        name, arguments, pos, outcome = read_strictly(text, behind)
    if outcome == "whole":
        if not text.startswith(CALL_OPEN, start):
            repairs = ("opener", *repairs)
        return ToolCall(name, arguments, True, repairs), pos
    # What a call that is well formed up to the end of the text has swallowed was in closed strings.
    end = len(text) if outcome == "cut" else _broken_end(text, behind, pos)
    return ToolCall(name, arguments, complete=False), end


def _broken_end(text: str, behind: int, pos: int) -> int:
    """Where reading goes on after a call that is malformed at `pos`.

    That is behind its closer or at the next marker: of those in strings too, since a string that
    is not closed may have swallowed calls, unless the text at `pos` shows that strings were closed.
    """
    boundary = _boundary(text, pos if _goes_on(text, pos) else behind)
    if boundary is None:
        return len(text)
    return boundary.end() if boundary[0] == "<tool_call|>" else boundary.start()


def _response_end(text: str, behind: int) -> int:
    """Behind the first closer outside strings; without one the rest is inert.

    Where the turn stops behind the opener, that is only the stop token of a call turn.
    """
    if _stopped(text, behind):
        return behind
    quotes = 0
    while (closer := text.find(RESPONSE_CLOSE, behind)) >= 0:
        quotes += text.count(QUOTE, behind, closer)
        behind = closer + len(RESPONSE_CLOSE)
        if quotes % 2 == 0:
            return behind
    return len(text)


def _thought_end(text: str, behind: int) -> tuple[int, int]:
    """Where the text of a thought ends, and where reading goes on.

    A tool response within it is opaque. A thought that is not closed ends at the next marker, so
    that it costs no call.
    """
    pos = behind
    while marker := _in_thought(text, pos):
        if marker[0] == "<channel|>":
            return marker.span()
        if marker[0] != RESPONSE_OPEN or _stopped(text, marker.end()):
            break
        pos = _response_end(text, marker.end())
    boundary = _boundary(text, behind)
    end = boundary.start() if boundary else len(text)
    return end, end
