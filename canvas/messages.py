"""Conversations and tool declarations: refuse what the chat template would misplace or crash on."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from canvas.toolcall import render_call, render_response

Message = Mapping[str, Any]

# The names a thought comes under, first the one that chat templates read.
REASONING_KEYS = ("reasoning_content", "thinking", "reasoning")

_ROLES = ("system", "user", "assistant", "tool")
_TURN_MARKER = re.compile(r"<\|turn>|<turn\|>")
_ANY_MARKER = re.compile(
    r'<\|(?:"\||turn|channel|tool|tool_call|tool_response)>'
    r"|<(?:turn|channel|tool|tool_call|tool_response)\|>"
)
_OWN_FIELDS = {"description", "type", "required", "nullable"}


def validate_messages(messages: Sequence[Message], tools: Sequence[Message] | None = None) -> None:
    """Raise ValueError with place and reason on what the template would misplace or crash on."""
    calling: Message | None = None  # the message with calls that the next results belong to
    answered = 0
    for index, message in enumerate(messages):
        try:
            role = _role(message, index)
            if role == "tool":
                _check_result(message, calling, answered)
                answered += 1
                continue
            _check_answered(calling, answered)
            _check_text(message, role)
            calling, answered = (message, 0) if message.get("tool_calls") else (None, 0)
        except ValueError as error:
            raise ValueError(f"messages[{index}]: {error}") from error
    if calling and answered:
        _check_answered(calling, answered)
    for index, tool in enumerate(tools or ()):
        try:
            _check_tool(tool)
        except ValueError as error:
            raise ValueError(f"tools[{index}]: {error}") from error


def _role(message: Message, index: int) -> str:
    role = _mapping(message, "a message").get("role")
    if role not in _ROLES:
        raise ValueError(f"unknown role {role!r}")
    if role == "system" and index:
        raise ValueError("only the first message can be the system message")
    return role


def _check_answered(calling: Message | None, answered: int) -> None:
    calls = calling["tool_calls"] if calling else ()
    if answered != len(calls):
        raise ValueError(f"{len(calls)} calls before it have {answered} results")


def _check_text(message: Message, role: str) -> None:
    """Content, reasoning and calls of a message that is no tool result."""
    content, calls = message.get("content"), message.get("tool_calls")
    if role != "assistant":
        if calls:
            raise ValueError(f"tool_calls in a message of role {role} are not rendered")
        if not isinstance(content, str):
            raise ValueError(f"content must be text, not {type(content).__name__}")
        if found := _TURN_MARKER.search(content):
            raise ValueError(f"content contains the marker {found[0]}")
        return
    if content and calls:
        raise ValueError(
            "content and tool_calls in one message: the template writes the content behind the "
            "results; give it a message of its own before the calls"
        )
    for key in ("content", *REASONING_KEYS):
        text = message.get(key)
        if text is not None and not isinstance(text, str):
            raise ValueError(f"{key} must be text, not {type(text).__name__}")
        if text and (found := _ANY_MARKER.search(text)):
            raise ValueError(
                f"text contains the marker {found[0]}; calls belong in tool_calls, thoughts in "
                "reasoning_content"
            )
    if not isinstance(calls or [], list | tuple):
        raise ValueError(f"tool_calls must be a list, not {type(calls).__name__}")
    for call in calls or ():
        function = _mapping(_mapping(call, "a call").get("function"), "the function of a call")
        render_call(function.get("name"), function.get("arguments"))


def _check_result(message: Message, calling: Message | None, answered: int) -> None:
    """A tool result: behind calls, text, and shown under the name of the call that it answers."""
    if calling is None:
        raise ValueError("a tool result without an assistant message with tool_calls before it")
    calls = calling["tool_calls"]
    if answered == len(calls):
        raise ValueError("more tool results than calls")
    shown = message.get("name") or "unknown"
    meant = message.get("name") or calls[answered]["function"]["name"]
    for call in calls:
        if call.get("id") == message.get("tool_call_id"):
            shown = call["function"]["name"]
    if shown != meant:
        raise ValueError(
            f"the template would show this result of {meant!r} under the name {shown!r}; give the "
            "calls ids and the results tool_call_ids"
        )
    render_response(shown, message.get("content"))


def _check_tool(tool: Message) -> None:
    function = _mapping(_mapping(tool, "a tool").get("function"), "the function of a tool")
    render_response(function.get("name"), function.get("description"))
    parameters = _mapping(function.get("parameters") or {}, "parameters")
    if parameters and parameters.get("type") != "object":
        raise ValueError('parameters without "type": "object" leave a bracket open')
    _check_properties(parameters.get("properties") or {})


def _check_properties(properties: Message) -> None:
    for name, schema in _mapping(properties, "properties").items():
        kind = _mapping(schema, f"property {name!r}").get("type")
        if not isinstance(kind, str):
            raise ValueError(
                f"property {name!r}: type must be one name, not {kind!r}; for null write "
                '"nullable": true'
            )
        render_call("check", {name: [schema.get("description"), schema.get("enum")]})
        strays = sorted(set(schema) - _OWN_FIELDS)
        if kind == "object" and "properties" not in schema and strays:
            raise ValueError(f"property {name!r}: {strays} would be shown as properties of its own")
        _check_properties(schema.get("properties") or {})
        items = _mapping(schema.get("items") or {}, f"items of {name!r}")
        _check_properties(items.get("properties") or {})


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} must be a mapping, not {type(value).__name__}")
    return value
