"""Render conversations with the training chat template: jinja2 alone, as transformers would render.

The environment is that of `transformers.utils.chat_template_utils` (5.23): block trimming, loop
controls, the `generation` tag and the same filters and functions. Only its sandbox is left out,
which doubles the time: the template is a file of this package, and conversations are its data.
"""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import jinja2.ext

from canvas.messages import REASONING_KEYS, Message, validate_messages

__all__ = ["TEMPLATE_PATH", "assistant_spans", "render", "serving_template", "validate_messages"]

TEMPLATE_PATH = Path(__file__).parent / "templates" / "gemma4.jinja"
BOS = "<bos>"

Span = tuple[int, int]

# Without this comment llama-server takes a Gemma 4 template for an old one, and moves results of
# tools into the message with the calls (llama.cpp, common/chat.cpp, "Gemma4 format detection").
_LLAMA_SERVER = "{#- OpenAI Chat Completions: results of tools are messages of their own. -#}\n"
_GENERATION_TAG = re.compile(r"\{%-?\s*(?:end)?generation\s*-?%\}")


def render(
    messages: Sequence[Message],
    tools: Sequence[Message] | None = None,
    *,
    add_generation_prompt: bool = False,
    thinking: bool = False,
) -> str:
    """The conversation as prompt text, `<bos>` first. Raises ValueError where the template does."""
    text, _ = _render(messages, tools, add_generation_prompt, thinking)
    return text


def assistant_spans(
    messages: Sequence[Message], tools: Sequence[Message] | None = None, *, thinking: bool = False
) -> tuple[str, list[Span]]:
    """The rendered text and the [start, end) character spans that the model writes, in order.

    They cover thoughts, calls, the `<|tool_response>` that ends a call turn, answers and `<turn|>`.
    """
    return _render(messages, tools, False, thinking)


def serving_template() -> str:
    """The template without `generation` marks, for servers whose Jinja does not know the tag."""
    text = _GENERATION_TAG.sub("{#- -#}", TEMPLATE_PATH.read_text(encoding="utf-8"))
    return _LLAMA_SERVER + text


def _render(
    messages: Sequence[Message],
    tools: Sequence[Message] | None,
    add_generation_prompt: bool,
    thinking: bool,
) -> tuple[str, list[Span]]:
    tracker = _Tracker()
    variables = {
        "messages": [_with_reasoning(message) for message in messages],
        "tools": tools,
        "add_generation_prompt": add_generation_prompt,
        "enable_thinking": thinking,
        "bos_token": BOS,
        "generation_tracker": tracker,
    }
    try:
        for block in _template().generate(variables):
            tracker.blocks.append(block)
    except jinja2.TemplateError as error:
        raise ValueError(str(error)) from error
    return "".join(tracker.blocks), tracker.spans


def _with_reasoning(message: Message) -> Message:
    """The message with its thought under the name that the template reads, as transformers does."""
    for key in REASONING_KEYS:
        if message.get(key) is not None:
            return {**message, "reasoning_content": message[key]}
    return message


class _Tracker:
    """Where the generated blocks stand in the text of one rendering."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.spans: list[Span] = []
        self._counted = self._length = 0

    def mark(self, text: str) -> None:
        """Note that `text` comes next and is the model's; spans that touch become one."""
        self._length += sum(map(len, self.blocks[self._counted :]))
        self._counted = len(self.blocks)
        start, end = self._length, self._length + len(text)
        if self.spans and self.spans[-1][1] == start:
            start = self.spans.pop()[0]
        self.spans.append((start, end))


class _Generation(jinja2.ext.Extension):
    """The block tag `generation`: renders its body and tells the tracker of this rendering."""

    tags = {"generation"}  # noqa: RUF012 - declared so by jinja2

    def parse(self, parser: Any) -> jinja2.nodes.CallBlock:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_mark"), [], [], body).set_lineno(line)

    @jinja2.pass_context
    def _mark(self, context: jinja2.runtime.Context, caller: Any) -> str:
        text = caller()
        context["generation_tracker"].mark(text)
        return text


def _raise_exception(message: str) -> None:
    raise jinja2.TemplateError(message)


def _tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False) -> str:
    options = {"ensure_ascii": ensure_ascii, "indent": indent, "separators": separators}
    return json.dumps(value, sort_keys=sort_keys, **options)


def _strftime_now(pattern: str) -> str:
    return datetime.now().strftime(pattern)


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, jinja2.ext.loopcontrols]
    )
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _raise_exception
    environment.globals["strftime_now"] = _strftime_now
    return environment.from_string(TEMPLATE_PATH.read_text(encoding="utf-8"))
