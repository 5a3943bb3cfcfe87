"""Write calls and tool responses exactly as the canonical chat template does, or refuse."""

import math
from collections.abc import Mapping
from typing import Any

from canvas.toolcall.grammar import (
    CALL_CLOSE,
    CALL_OPEN,
    MAX_DEPTH,
    NAME,
    QUOTE,
    RESPONSE_CLOSE,
    RESPONSE_OPEN,
    is_key,
)


def render_call(name: str, arguments: Mapping[str, Any]) -> str:
    """The call as text; `parse_calls` reads back the same name and arguments (tuples as lists).

    Raises ValueError on what the format cannot carry: a string with `<|"|>`, a name or key that
    would not read back, NaN, infinities, types other than JSON's, more than MAX_DEPTH levels.
    """
    if not isinstance(arguments, Mapping):
        raise ValueError(f"arguments must be a mapping, not {type(arguments).__name__}")
    return f"{CALL_OPEN}call:{_name(name)}{_object(arguments, 0)}{CALL_CLOSE}"


def render_response(name: str, text: str) -> str:
    """The result of a call as text. Raises ValueError where name or text cannot be carried."""
    if not isinstance(text, str):
        raise ValueError(f"a tool response must be text, not {type(text).__name__}")
    return f"{RESPONSE_OPEN}response:{_name(name)}{{value:{_string(text)}}}{RESPONSE_CLOSE}"


def _name(name: str) -> str:
    if not isinstance(name, str) or not name or name != name.strip() or not NAME.fullmatch(name):
        raise ValueError(f"the format cannot carry the tool name {name!r}")
    return name


def _key(key: Any) -> str:
    if not isinstance(key, str) or key != key.strip() or not is_key(key):
        raise ValueError(f"the format cannot carry the key {key!r}")
    return key


def _string(text: str) -> str:
    if QUOTE in text:
        raise ValueError(f"the format cannot carry a string that contains {QUOTE}")
    return QUOTE + text + QUOTE


def _object(mapping: Mapping[str, Any], depth: int) -> str:
    keys = sorted((_key(key) for key in mapping), key=str.lower)
    return "{" + ",".join(f"{key}:{_value(mapping[key], depth)}" for key in keys) + "}"


def _value(value: Any, depth: int) -> str:
    if isinstance(value, str):
        return _string(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping | list | tuple):
        if depth == MAX_DEPTH:
            raise ValueError(f"arguments are nested more than {MAX_DEPTH} levels deep")
        if isinstance(value, Mapping):
            return _object(value, depth + 1)
        return "[" + ",".join(_value(item, depth + 1) for item in value) + "]"
    raise ValueError(f"the format cannot carry {value!r} ({type(value).__name__})")
