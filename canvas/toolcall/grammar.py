"""The tool-call format of Gemma 4's canonical chat template: markers, tokens and ToolCall.

    <|tool_call>call:NAME{KEY:VALUE,KEY:VALUE}<tool_call|>

NAME and KEY are raw text. A VALUE is a string between two `<|"|>` (nothing is escaped), a number as
Python writes it, `true`, `false`, `null`, an object `{KEY:VALUE}` or an array `[VALUE,VALUE]`.
White space between tokens is allowed, though the template writes none.

What the format cannot carry, `render_call` refuses, and a call that holds it reads as incomplete:
- strings with `<|"|>`; NaN and infinities; integers of more than MAX_DIGITS digits;
- more than MAX_DEPTH objects and arrays in each other;
- an empty name; names and keys with `{`, `}`, `<|` or `|>`, or with white space at their ends;
- keys that begin with a comma or stand in JSON's quotes;
- keys with a colon, unless each is followed by a word (`xml:lang`) and there is no comma.
"""

import re
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

CALL_OPEN, CALL_CLOSE = "<|tool_call>", "<tool_call|>"
RESPONSE_OPEN, RESPONSE_CLOSE = "<|tool_response>", "<tool_response|>"
CHANNEL_OPEN, CHANNEL_CLOSE = "<|channel>", "<channel|>"
TURN_OPEN, TURN_CLOSE = "<|turn>", "<turn|>"
QUOTE = '<|"|>'

# The template gives up at 197. Whatever reads arguments later (`json`, `==`) recurses as it does,
# and Python's limit is 1,000.
MAX_DEPTH = 200
# Python converts no longer integer to or from text.
MAX_DIGITS = 4300

CLOSERS = {"{": "}", "[": "]", "(": ")"}
WORDS = {"true": True, "false": False, "null": None}


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


# All repeats are possessive: nothing is ever read twice.
# Raw text holds neither `<|` nor `|>`. Every marker has one of them, so none can be swallowed.
_RAW = r"(?:[^{}%s<|]++|<(?!\|)|\|(?!>))*+"
KEY = _RAW % ":"
NAME = re.compile(rf"{KEY}(?::{KEY})*+")
HEAD = re.compile(rf"\s*+call:({NAME.pattern})\{{")
# A colon within a key is told from the one behind it by what follows: no value is such a word.
_WITH_COLONS = rf"{_RAW % ':,'}(?::[^\W\d][\w.-]*+%s)++"
COLON_KEY = _WITH_COLONS % "(?=:)"

END = r"(?=\s*+[,}\])])"
INTEGER = r"-?(?:0|[1-9][0-9]*+)"
NUMBER = rf"{INTEGER}(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+"
STRING = r'<\|"\|>([^<]*+(?:<(?!\|"\|>)[^<]*+)*+)<\|"\|>'

_ANY_KEY = re.compile(f"{KEY}|{_WITH_COLONS % ''}")


def is_key(key: str) -> bool:
    """Whether text without white space at its ends reads back as a key."""
    return bool(_ANY_KEY.fullmatch(key)) and not is_mistaken(key)


def is_mistaken(key: str) -> bool:
    """Whether raw text in a key's place is a doubled comma or a JSON-quoted key."""
    return key[:1] == "," or (key[:1] in ('"', "'") and key[-1] == key[0] and len(key) > 1)


def to_integer(text: str) -> int | None:
    """The value of an INTEGER; None beyond Python's limit."""
    return int(text) if len(text) <= MAX_DIGITS or len(text.lstrip("-")) <= MAX_DIGITS else None


def to_real(text: str) -> float | None:
    """The value of a NUMBER with a point or an exponent; None if it is not finite."""
    number = float(text)
    return number if isfinite(number) else None
