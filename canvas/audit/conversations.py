"""Conversations of rows: what is said in them, and whether they survive rendering and parsing."""

import re
from collections.abc import Iterator

from jinja2 import TemplateError

from canvas.audit.finding import Finding
from canvas.audit.splits import Row
from canvas.io import dumps
from canvas.messages import validate_messages
from canvas.template import render
from canvas.toolcall import parse_calls, render_call

# What else a row of each kind of file must have, and of which type.
_FIELDS = {
    "trajectory": {"messages": list, "tools": list},
    "kto": {"prompt": list, "completion": list, "tools": list, "label": bool},
    "preference": {
        "prompt": str,
        "item_a_id": str,
        "item_b_id": str,
        "chosen": str,
        "rejected": str,
    },
}
_MARKER = re.compile(r"<\||\|>")
_ERRORS = (KeyError, TypeError, AttributeError, ValueError, TemplateError, RecursionError)


def said(row: dict) -> str:
    """What the user says in a row of any kind, a turn a line."""
    turns = row.get("messages", row.get("prompt"))
    if isinstance(turns, str):
        return turns
    return "\n".join(turn["content"] for turn in turns or () if turn["role"] == "user")


class Reader:
    """Checks rows; what is alike in form is rendered by the template once.

    The template copies contents without looking at them as long as no marker is in them, so rows
    that differ in contents and in the arguments of calls alone are rendered alike.
    """

    def __init__(self) -> None:
        self._forms: set[str] = set()
        self._tools: set[str] = set()

    def unparsed(self, rows: list[Row]) -> Iterator[Finding]:
        """A finding for each row that lacks a field, or whose calls are not read as they are."""
        for path, number, row in rows:
            if reason := self._fault(path.stem.rpartition("_")[0], row):
                field, reason = reason
                yield Finding(path.as_posix(), number, field, "does not parse", reason, "row")

    def _fault(self, kind: str, row: object) -> tuple[str, str] | None:
        if not isinstance(row, dict):
            return "line", "no JSON object"
        for field, form in _FIELDS.get(kind, {}).items():
            if not isinstance(row.get(field), form):
                return field, f"no {form.__name__}"
        if kind == "trajectory":
            reason = self._lost(row["messages"], row["tools"])
            return ("messages", reason) if reason else None
        if kind == "kto":
            reason = self._lost(row["prompt"] + row["completion"], row["tools"])
            return ("completion", reason) if reason else None
        return None

    def _lost(self, messages: list[dict], tools: list[dict]) -> str | None:
        """Why a conversation is not read back as it is, or None if it is."""
        try:
            new = [tool for tool in tools if dumps(tool) not in self._tools]
            self._tools.update(map(dumps, new))
            calls = _calls(messages)
            if not all(_reads_back(*call) for call in calls):
                return "a call is not read as it is"
            form = dumps([_form(message) for message in messages])
            if form in self._forms and not new and _is_plain(messages):
                return None
            text = render(messages, new)
            if [(call.name, call.arguments) for call in parse_calls(text)] != calls:
                return "the calls are read as other calls"
            if not all(message["content"].strip() in text for message in messages):
                return "a message is not in the rendered text"
        except _ERRORS as error:
            return f"malformed row ({type(error).__name__})"
        self._forms.add(form)
        return None


def _is_plain(messages: list[dict]) -> bool:
    """Whether the template copies the contents of this conversation as they are."""
    if any(
        "<" in message["content"] and _MARKER.search(message["content"]) for message in messages
    ):
        return False
    try:
        validate_messages(messages)
    except ValueError:
        return False
    return True


def _calls(messages: list[dict]) -> list[tuple[str, dict]]:
    calls = [call["function"] for m in messages for call in m.get("tool_calls") or []]
    return [(call["name"], call["arguments"]) for call in calls]


def _reads_back(name: str, arguments: dict) -> bool:
    (call,) = parse_calls(render_call(name, arguments)) or (None,)
    return bool(call and call.complete and (call.name, call.arguments) == (name, arguments))


def _form(message: dict) -> list:
    """Of a message what the template decides by: role, fields, blank content, number of calls."""
    content = message["content"]
    return [
        message["role"],
        sorted(message),
        bool(content.strip()),
        content == content.strip(),
        len(message.get("tool_calls") or ()),
    ]
