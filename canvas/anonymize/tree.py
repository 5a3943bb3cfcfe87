"""Masking of JSON values: every string at any depth, keys too, JSON inside strings too."""

import json
from collections.abc import Callable
from typing import Any

from canvas.io import dumps

# Fields whose text is a title: the stricter policy.
TITLES = frozenset(
    ("title", "titles", "name", "course_name", "assignment_name", "items", "first", "focus")
)


def walk(value: Any, mask: Callable[[str, str], str], kind: str = "prose") -> Any:
    """The value with `mask(text, kind)` of each string; kind is `title` under a key of TITLES."""
    if isinstance(value, dict):
        return {
            mask(key, "title"): walk(entry, mask, "title" if key in TITLES else "prose")
            for key, entry in value.items()
        }
    if isinstance(value, list):
        return [walk(entry, mask, kind) for entry in value]
    return _text(value, mask, kind) if isinstance(value, str) else value


def _text(text: str, mask: Callable[[str, str], str], kind: str) -> str:
    """The text masked; where it is a JSON object or list, each of its strings."""
    if text[:1] in ("{", "["):
        try:
            inner = json.loads(text)
            masked = walk(inner, mask)
            return text if masked == inner else dumps(masked)
        except (ValueError, RecursionError):  # no JSON, or nested too deep: masked as it stands
            return mask(text, kind)
    return mask(text, kind)
