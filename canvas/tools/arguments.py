"""Arguments of a call: hostile values refused first, then the tool's JSON schema."""

from typing import Any

from jsonschema.exceptions import ValidationError

from canvas.tools.base import Tool, ToolError

MAX_DEPTH = 3
MAX_VALUES = 100
MAX_TEXT = 1000
MAX_NUMBER = 10**9
# Text that could open or close a turn, call or string of the chat format.
SPECIAL = ("<|", "|>")


def check(tool: Tool, arguments: Any) -> dict[str, Any]:
    """The arguments as a dict of their own, whole floats as integers where integers are asked for.

    Raises ToolError, in words that name the argument and what is allowed.
    """
    if not isinstance(arguments, dict):
        raise ToolError("arguments must be an object")
    _refuse_hostile(arguments)
    properties = tool.declaration["parameters"]["properties"]
    # The first error in the order of the declared arguments, so that the text is deterministic.
    order = [*properties, None]
    errors = sorted(tool.validator.iter_errors(arguments), key=lambda e: order.index(_place(e)))
    if errors:
        raise ToolError(_words(errors[0], list(properties)))
    return {
        key: int(value) if properties[key].get("type") == "integer" else value
        for key, value in arguments.items()
    }


def _refuse_hostile(arguments: dict) -> None:
    """Raises ToolError on what JSON or the chat format cannot carry, or no tool here needs."""
    queue: list[tuple[Any, int]] = [(arguments, 0)]
    for seen, (value, depth) in enumerate(queue):
        if depth > MAX_DEPTH:
            raise ToolError("arguments are nested too deep")
        if seen > MAX_VALUES or (isinstance(value, dict | list) and len(value) > MAX_VALUES):
            raise ToolError(f"arguments must have at most {MAX_VALUES} values")
        if isinstance(value, dict):
            queue.extend((part, depth + 1) for pair in value.items() for part in pair)
            if not all(isinstance(key, str) for key in value):
                raise ToolError("argument names must be text")
        elif isinstance(value, list):
            queue.extend((part, depth + 1) for part in value)
        else:
            _refuse_scalar(value)


def _refuse_scalar(value: Any) -> None:
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise ToolError(f"text must have at most {MAX_TEXT} characters")
        if any(mark in value for mark in SPECIAL) or not value.isprintable():
            raise ToolError("text must be one line of printable characters without chat marks")
    elif isinstance(value, int | float):
        if not -MAX_NUMBER <= value <= MAX_NUMBER:  # false for NaN too
            raise ToolError(f"numbers must lie within {MAX_NUMBER} of 0")
    elif value is not None:
        raise ToolError("arguments must be JSON values")


def _place(error: ValidationError) -> str | None:
    return str(error.path[0]) if error.path else None


def _words(error: ValidationError, known: list[str]) -> str:
    """One schema error without the model's own text, which may be long."""
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"missing argument {', '.join(missing)}"
    if error.validator == "additionalProperties":
        return f"unknown argument; known: {', '.join(known) or 'none'}"
    where = " of ".join(
        f"item {part + 1}" if isinstance(part, int) else part for part in reversed(error.path)
    )
    if error.validator == "enum":
        return f"{where} must be one of {', '.join(error.validator_value)}"
    return f"{where} must be {_kind(error.validator_value)}"


def _kind(type_: str) -> str:
    return {"integer": "a whole number", "string": "text", "array": "a list"}.get(
        type_, f"a {type_}"
    )
