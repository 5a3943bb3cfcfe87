"""Spans: what a recogniser found in a text, merged where they overlap, then replaced by tokens."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from canvas.registry import TOKEN, Registry

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
# Invisible characters hide identifiers; joiners stay between characters that are not ASCII.
_INVISIBLE = re.compile(
    r"[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
    r"|(?<=[\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?=[\x00-\x7f])"
)


# Kinds of which a shape or a check digit leaves little doubt.
_CHECKED = frozenset(("CARD", "EMAIL", "IBAN", "IP", "SSN", "URL"))


class Span(NamedTuple):
    """text[start:end] is of this kind; `value` is what its token stands for."""

    start: int
    end: int
    kind: str
    value: str


def visible(text: str) -> str:
    """The text without invisible characters, full-width letters and digits as ASCII."""
    return text if text.isascii() else _INVISIBLE.sub("", text).translate(_WIDE)


def merge(spans: Iterable[Span]) -> list[Span]:
    """Spans in order; overlapping ones become one, of the kind and value of the longest."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not merged or span.start >= merged[-1].end:
            merged.append(span)
            continue
        last = merged[-1]
        longest = max(last, span, key=lambda s: (s.end - s.start, s.kind in _CHECKED))
        merged[-1] = Span(last.start, max(last.end, span.end), longest.kind, longest.value)
    return merged


def replace(text: str, spans: Iterable[Span], registry: Registry) -> str:
    """The text with each span as its token. A span that cuts into a token is left out."""
    tokens = [match.span() for match in TOKEN.finditer(text)] if "@" in text else []
    kept = [span for span in spans if not any(_cuts(span, *token) for token in tokens)]
    parts, position = [], 0
    for span in merge(kept):
        parts += text[position : span.start], registry.token(span.kind, span.value)
        position = span.end
    return "".join([*parts, text[position:]])


def _cuts(span: Span, start: int, end: int) -> bool:
    """Whether they overlap, unless the span holds the token and more (a URL with a token in it)."""
    if span.end <= start or span.start >= end:
        return False
    return not (span.start <= start and end <= span.end and span.end - span.start > end - start)
