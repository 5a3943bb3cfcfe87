"""The tool-call format of Gemma 4's canonical chat template: markers, token patterns and ToolCall.

    <|tool_call>call:NAME{KEY:VALUE,KEY:VALUE}<tool_call|>

NAME and KEY are raw text. A VALUE is a string between two `<|"|>` (nothing is escaped), a number as
Python writes it, `true`, `false`, `null`, an object `{KEY:VALUE}` or an array `[VALUE,VALUE]`.
"""

import re
from dataclasses import dataclass, field
from typing import Any

CALL_OPEN, CALL_CLOSE = "<|tool_call>", "<tool_call|>"
RESPONSE_OPEN, RESPONSE_CLOSE = "<|tool_response>", "<tool_response|>"
THOUGHT_OPEN, THOUGHT_CLOSE = "<|channel>thought\n", "\n<channel|>"
TURN_OPEN, TURN_CLOSE = "<|turn>", "<turn|>"
QUOTE = '<|"|>'

# Deeper values are refused both ways: `json` and `==` recurse, and Python's limit is 1,000.
MAX_DEPTH = 200
# Python converts no longer integer to or from text.
MAX_DIGITS = 4300


@dataclass(slots=True)
class ToolCall:
    """One call read from model text.

    complete: False when the call was cut or is malformed; `name` and `arguments` then hold what was
    read before that (whole top-level arguments only) and must not be executed.
    repairs: what the lenient reading mended, in order of appearance; empty for a well-formed call.
    """

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    complete: bool = True
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialect:
    """The token patterns of one way of reading; their group names say what was matched."""

    head: re.Pattern[str]
    entry: re.Pattern[str]
    value: re.Pattern[str]
    lenient: bool = False


# Raw text holds neither `<|` nor `|>`. Every marker has one of them, so none can be swallowed.
# All repeats are possessive: nothing is ever read twice.
_RAW = r"(?:[^{}%s<|]++|<(?!\|)|\|(?!>))*+"
NAME = re.compile(_RAW % "")
KEY = re.compile(_RAW % ":")

_END = r"(?=\s*+[,}\])])"
_STRING = r'(?P<string><\|"\|>)'
_FLOAT = (
    rf"(?P<float>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++(?:[eE][+-]?[0-9]++)?|[eE][+-]?[0-9]++)){_END}"
)
_INT = rf"(?P<int>-?(?:0|[1-9][0-9]*+)){_END}"
_OPEN = r"(?P<open>[{\[])"


def _value(*kinds: str) -> str:
    return rf"\s*+(?:{'|'.join(kinds)})"


_STRICT_VALUE = _value(_STRING, _INT, _FLOAT, rf"(?P<word>true|false|null){_END}", _OPEN)
STRICT = Dialect(
    head=re.compile(rf"\s*+call:(?P<name>{KEY.pattern}(?::{KEY.pattern})*+)(?P<bracket>\{{)"),
    entry=re.compile(rf"(?P<key>{KEY.pattern}):{_STRICT_VALUE}"),
    value=re.compile(_STRICT_VALUE),
)

_JSON = r"""(?:"(?:[^"\\<]++|\\.|<(?!\|))*+"|'(?:[^'\\<]++|\\.|<(?!\|))*+')"""
_BARE = r"""[^{}()\[\]:=,"'<|]"""
_LENIENT_VALUE = _value(
    _STRING,
    _INT,
    _FLOAT,
    rf"(?P<word>true|false|null|True|False|None){_END}",
    rf"(?P<quoted>{_JSON})",
    _OPEN,
)
LENIENT = Dialect(
    head=re.compile(rf"\s*+(?P<call>call:)?(?P<name>{_BARE}++)(?P<bracket>[{{(])"),
    entry=re.compile(
        rf'\s*+(?:(?P<quoted_key>{_JSON}|<\|"\|>[^<]*+<\|"\|>)\s*+|(?P<key>{_BARE}++))'
        rf"(?P<sign>[:=]){_LENIENT_VALUE}"
    ),
    value=re.compile(_LENIENT_VALUE),
    lenient=True,
)
WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}

# The common call, of scalars under plain keys: one match checks it, one findall reads it.
_PLAIN = r"[A-Za-z0-9_.-]++"
_PLAIN_NUMBER = r"-?(?:0|[1-9][0-9]{0,17}+)(?:\.[0-9]++)?"
_FLAT = rf'{_PLAIN}:(?:<\|"\|>[^<]*+<\|"\|>|{_PLAIN_NUMBER}|true|false|null)'
_FLAT_CALL = rf"call:(?P<name>{_PLAIN})\{{(?P<flat>(?:{_FLAT}(?:,{_FLAT})*+)?+)\}}<tool_call\|>"
FLAT_ENTRY = re.compile(rf'({_PLAIN}):(?:<\|"\|>([^<]*+)<\|"\|>|([^,<]++))')

OPENER = re.compile(rf"<\|(?:tool_call>(?:{_FLAT_CALL})?+|tool_response>|channel>)")
