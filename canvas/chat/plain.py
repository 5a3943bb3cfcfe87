"""Text from outside as it may be printed: no control characters, no escape sequences."""

import re
import unicodedata

# Whole escape sequences (ECMA-48): CSI, then strings such as OSC up to their end, then the rest.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
# Joiners of emoji and of several scripts; every other format character can hide or reorder text.
_JOINERS = "\u200c\u200d"
_ELLIPSIS = "…"


def plain(text: str) -> str:
    """The text without escape sequences, control, format and surrogate characters.

    Line breaks of any kind become `\\n`, tabs a space.
    """
    text = _ESCAPES.sub("", text).replace("\r\n", "\n").replace("\t", " ")
    if text.isascii() and text.isprintable():
        return text
    return "".join(filter(None, map(_shown, text)))


def one_line(text: str, width: int | None = None) -> str:
    """The plain text on one line, runs of spaces as one; cut with `…` to `width` characters."""
    text = " ".join(plain(text).split())
    if width is None or len(text) <= width:
        return text
    return text[: max(width - 1, 0)].rstrip() + _ELLIPSIS


def _shown(character: str) -> str:
    if character in "\n\r\v\f\x85\u2028\u2029":
        return "\n"
    if character in _JOINERS or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co"):
        return character
    return ""
