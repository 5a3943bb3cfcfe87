"""The tool-call codec of Gemma 4's canonical chat template: text to calls and back."""

from canvas.toolcall.grammar import ToolCall
from canvas.toolcall.render import render_call, render_response
from canvas.toolcall.reply import ParsedReply, parse_reply
from canvas.toolcall.scanner import parse_calls
from canvas.toolcall.stream import Event, StreamParser

__all__ = [
    "Event",
    "ParsedReply",
    "StreamParser",
    "ToolCall",
    "parse_calls",
    "parse_reply",
    "render_call",
    "render_response",
]
