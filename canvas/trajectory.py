"""Trajectories: sessions that passed, as SFT rows that round-trip through template and parser."""

import re
from collections.abc import Iterable

from jinja2 import TemplateError

from canvas import io, seeds
from canvas.template import assistant_spans
from canvas.toolcall import parse_calls

_SPACES = re.compile(r"\s+")


def passed(session: dict) -> bool:
    """Whether a session may be learned from; a contributed one without an outcome may."""
    return session.get("outcome", "pass") == "pass"


def session_key(session: dict) -> str:
    """The session's id, or for a contributed one a hash of its messages."""
    return session.get("session_id") or f"contributed-{_digest(io.dumps(session['messages']))}"


def wording_key(session: dict) -> str:
    """The wording's id, or for a contributed session a hash of what its user said."""
    if "wording" in session:
        return session["wording"]
    said = (message["content"] for message in session["messages"] if message["role"] == "user")
    return f"contributed-{_digest(_SPACES.sub(' ', ' '.join(said)).strip().casefold())}"


def build(sessions: Iterable[dict]) -> tuple[list[dict], list[dict]]:
    """(rows, quarantine), each sorted by row id; a session that occurs twice gives one row."""
    rows, quarantine = {}, {}
    for session in filter(passed, sessions):
        key = session_key(session)
        row_id = f"trajectory-{_digest(key)}"
        messages, tools = session["messages"], session["tools"]
        reason = fault(messages, tools)
        if reason is None:
            rows[row_id] = {
                "row_id": row_id,
                "wording": wording_key(session),
                "messages": messages,
                "tools": tools,
            }
        else:
            quarantine[row_id] = {"row_id": row_id, "session": key, "reason": reason}
    return [rows[key] for key in sorted(rows)], [quarantine[key] for key in sorted(quarantine)]


def fault(messages: list[dict], tools: list[dict]) -> str | None:
    """Why a conversation does not survive rendering and parsing, or None if it does."""
    try:
        reason = _misplaced(messages) or _undeclared(messages, tools)
        if reason:
            return reason
        text, spans = assistant_spans(messages, tools)
    except (ValueError, TypeError, KeyError, TemplateError) as error:
        return f"cannot be rendered: {error}"
    learned = [text[start:end] for start, end in spans]
    parsed = [call for part in learned for call in parse_calls(part)]
    if not all(call.complete for call in parsed):
        return "a rendered call parses as cut"
    if [(call.name, call.arguments) for call in parsed] != _calls(messages):
        return "the rendered calls parse as other calls"
    lost = [m["content"] for m in messages if _answers(m) and not _within(m["content"], learned)]
    return f"an answer is not in the rendered turns: {lost[0][:40]!r}" if lost else None


def _misplaced(messages: list[dict]) -> str | None:
    """What the canonical template would drop or move: results without a call, text beside calls;
    and an end on anything but an answer or a call."""
    before = None
    for message in messages:
        if message["role"] == "tool" and before not in ("call", "tool"):
            return "a tool result follows no call"
        if message.get("tool_calls") and message.get("content"):
            return "text and calls in one message"
        before = "call" if message.get("tool_calls") else message["role"]
    if before not in ("call", "assistant"):
        return "the last message is not the assistant's"
    return None


def _undeclared(messages: list[dict], tools: list[dict]) -> str | None:
    declared = {tool["function"]["name"] for tool in tools}
    unknown = [name for name, _ in _calls(messages) if name not in declared]
    return f"calls a tool that is not declared: {unknown[0]}" if unknown else None


def _calls(messages: list[dict]) -> list[tuple[str, dict]]:
    return [
        (call["function"]["name"], call["function"]["arguments"])
        for message in messages
        for call in message.get("tool_calls") or ()
    ]


def _answers(message: dict) -> bool:
    return message["role"] == "assistant" and bool(message.get("content"))


def _within(content: str, parts: list[str]) -> bool:
    return any(content.strip() in part for part in parts)


def _digest(text: str) -> str:
    return f"{seeds.stable_hash(text):016x}"
