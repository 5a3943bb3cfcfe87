"""Chats as OpenAI's specification has them on the wire: messages out, answers in."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from canvas import io
from canvas.backends.base import Reply
from canvas.backends.turns import read_reply
from canvas.toolcall import ToolCall

FINISHES = {"stop": "stop", "tool_calls": "stop", "function_call": "stop", "length": "length"}


def messages_out(messages: list[dict], arguments_as_text: bool = True) -> list[dict]:
    """The conversation for the wire: every call and every result with an id, arguments as needed.

    Results without an id belong to the calls before them, in order.
    """
    sent, open_ids, number = [], [], 0
    for message in messages:
        message = dict(message)
        if message.get("tool_calls"):
            calls = []
            for call in message["tool_calls"]:
                number += 1
                calls.append(_call_out(call, number, arguments_as_text))
            message["tool_calls"], open_ids = calls, [call["id"] for call in calls]
        elif message["role"] == "tool":
            expected = open_ids.pop(0) if open_ids else "call_0"
            message.setdefault("tool_call_id", expected)
        sent.append(message)
    return sent


def _call_out(call: Mapping[str, Any], number: int, as_text: bool) -> dict:
    function = dict(call["function"])
    arguments = function.get("arguments") or {}
    if as_text and not isinstance(arguments, str):
        function["arguments"] = io.dumps(arguments)
    elif not as_text and isinstance(arguments, str):
        function["arguments"] = json.loads(arguments)
    return {"id": f"call_{number}", "type": "function", **call, "function": function}


@dataclass(frozen=True)
class Limits:
    """The tokens that a turn may have, and prompt and turn together (None: unknown)."""

    turn: int
    window: int | None = None

    def reached(self, prompt: int, made: int) -> bool:
        """Whether a turn of `made` tokens was ended by a limit, or just before it."""
        return made >= self.turn or (self.window is not None and prompt + made >= self.window)


def read_text(answer: dict, lenient: bool = False) -> Reply:
    """The Reply of a completion: text that carries the model's own markers. Raises ValueError on an
    answer that is none."""
    choice = _choice(answer)
    return _reply(answer, choice, _text(choice, "text"), lenient)


def read_chat(answer: dict, limits: Limits, lenient: bool = False) -> Reply:
    """The Reply of a chat completion, its calls read by the server or, where it left them in the
    text, here. Raises ValueError on an answer that is none.

    Of a turn that reached a limit, the last call that the server read counts as cut: servers
    (vLLM 0.32) close a call that was cut and hand it on as whole.
    """
    choice = _choice(answer)
    message = choice.get("message") or {}
    reply = _reply(answer, choice, _text(message, "content"), lenient)
    thinking = _text(message, "reasoning_content") or _text(message, "reasoning")
    thinking = "\n".join(filter(None, (thinking.strip(), reply.thinking)))
    functions = [call.get("function") or {} for call in message.get("tool_calls") or []]
    if not functions or reply.finish == "error":
        return replace(reply, thinking=thinking)
    calls = [_call_in(function) for function in functions]
    finish = reply.finish
    if limits.reached(reply.prompt_tokens, reply.completion_tokens):
        finish = "length"
    if finish == "length":
        calls[-1].complete = False
    # Calls that the server left in the text beside those that it read are ones it could not read.
    calls += [call for call in reply.calls if not call.complete]
    # The text of the calls is lost; ids of the server's would make equal turns different.
    raw = io.dumps({"content": reply.raw, "tool_calls": functions})
    return replace(reply, calls=calls, raw=raw, finish=finish, thinking=thinking)


def _choice(answer: dict) -> dict:
    choices = answer.get("choices")
    if not (isinstance(choices, list) and choices and isinstance(choices[0], dict)):
        raise ValueError(f"an answer without choices: {io.dumps(answer)[:200]}")
    return choices[0]


def _text(holder: dict, key: str) -> str:
    text = holder.get(key) or ""
    if not isinstance(text, str):
        raise ValueError(f"{key} is no text: {io.dumps(text)[:200]}")
    return text


def _reply(answer: dict, choice: dict, text: str, lenient: bool) -> Reply:
    """The Reply as the text has it."""
    usage = answer.get("usage") or {}
    prompt, made = usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0
    finish = FINISHES.get(choice.get("finish_reason"))
    if finish is None:
        problem = f"the server ended the turn with {choice.get('finish_reason')!r}"
        return Reply(problem, [], text, "error", prompt, made)
    return read_reply(text, finish, prompt, made, lenient)


def _call_in(function: Mapping[str, Any]) -> ToolCall:
    """A call that the server read; not complete where its arguments are no JSON object."""
    name, arguments = function.get("name") or "", function.get("arguments") or "{}"
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            arguments = None
    if not name or not isinstance(arguments, dict):
        return ToolCall(name, complete=False)
    return ToolCall(name, arguments)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
