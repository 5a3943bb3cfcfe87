"""Read arguments as real models sometimes write them, naming every repair.

What is mended ends at the next marker at the latest, since no token holds one: it costs no call.
"""

import json
import re
from typing import Any

from canvas.toolcall.grammar import INTEGER, NUMBER, QUOTE, to_integer, to_real

_LESS = r"<(?!\||tool_call\|>|turn\|>)"
_END = r"\s*+(?:[,}\])]|<tool_call\|>)"
_STRING = rf'<\|"\|>([^<]*+(?:{_LESS}[^<]*+)*+)<\|"\|>'
_TEXT = rf"\\.|{_LESS}|\|(?!>)"
_DOUBLE = rf'"(?:[^"\\<|]++|{_TEXT})*+"'
# A single quote closes where a key or a value may end: `'it's'` is one string.
_SINGLE = rf"""'(?:[^'\\<|]++|{_TEXT}|'(?!\s*+[:=]|{_END}|<\|"\|>))*+'"""
_BARE = rf"""[^\s{{}}\[\](),<|"'](?:[^{{}}\[\](),<|\n]++|{_LESS}|\|(?!>))*+"""
# opener; or integer, real, string, quoted and the quote behind it, or bare; then the delimiter
_value = re.compile(
    rf"\s*+(?:([{{\[])|(?:({INTEGER})(?={_END})|({NUMBER})(?={_END})|{_STRING}"
    rf'|({_DOUBLE}|{_SINGLE})(<\|"\|>)?+|({_BARE})(?={_END}))(?:\s*+([,}}\])]))?+)',
    re.DOTALL,
).match
_key = re.compile(
    rf"""\s*+(?:({_DOUBLE}|{_SINGLE})|{_STRING}|([^\s{{}}()\[\]:=,"'<|][^{{}}()\[\]:=,"'<|]*+))"""
    r"\s*+([:=])",
    re.DOTALL,
).match
_delimiter = re.compile(r"\s*+([,}\])])").match
_before_closer = re.compile(r"\s*+<tool_call\|>").match
_marker = re.compile(r"<(?:\||tool_call\|>|turn\|>)").search
_next_item = re.compile(r"[{}\[\],]").search
_next_key = re.compile(r",\s*+[^\W\d][\w.-]*+\s*+[:=]").search
_end = re.compile(_END).match

_WORDS = {"true": True, "false": False, "null": None, "none": None}
_ODD_NUMBER = re.compile(r"[+-]?(?:[0-9]++\.[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+|\+[0-9]++")
_NO_NUMBER = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_ESCAPE = re.compile(r"""\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])|\\(.)|\"""", re.DOTALL)

ABSENT = object()
Entry = tuple[str, Any, str | None, str | None, int]
"""Key (empty in arrays), value, its bracket if it is a container to be read, else the delimiter
behind it, and the end. The value is ABSENT where a container ends without another entry."""


class DriftReader:
    """Reads entries of one text; `repairs` gains what was mended (a dict keeps the order)."""

    def __init__(self, text: str):
        self.repairs: dict[str, None] = {}
        self._text = text
        # The next marker, and whether it is a quote that closes a string which none opened.
        self._next, self._closes = -1, False

    def repair(self, name: str) -> None:
        self.repairs[name] = None

    def entry(self, pos: int, keyed: bool, comma: bool) -> Entry | None:
        """The member of an object (`keyed`) or array at `pos`; `comma`: one stands before it."""
        while True:
            key, at = self._key(pos) if keyed else ("", pos)
            if at is not None:
                entry = self._value(key, at, keyed)
                if entry or keyed:
                    return entry
            after, end = delimiter_at(self._text, pos)
            if after is None and not _before_closer(self._text, pos):
                return None
            if comma or after == ",":
                self.repair("stray comma")
            if after != ",":
                return "", ABSENT, None, after, end
            pos, comma = end, True

    def lacks_bracket(self, pos: int) -> bool:
        """Whether the call is closed where a bracket should be."""
        found = bool(_before_closer(self._text, pos))
        if found:
            self.repair("missing bracket")
        return found

    def takes_bracket(self, bracket: str) -> bool:
        """Whether a wrong bracket may close the arguments."""
        if bracket != "]":
            self.repair("mismatched bracket")
        return bracket != "]"

    def _key(self, pos: int) -> tuple[str, int | None]:
        """A key and where its value begins, or None."""
        found = _key(self._text, pos)
        if found is None:
            return "", None
        quoted, marked, raw, sign = found.groups()
        if sign == "=":
            self.repair("key=value")
        if raw is not None:
            return raw.rstrip(), found.end()
        self.repair("quoted key")
        key = unquote(quoted) if quoted else marked
        return ("", None) if key is None else (key, found.end())

    def _value(self, key: str, pos: int, keyed: bool) -> Entry | None:
        token = _value(self._text, pos)
        if token is None or token[7]:
            end = self._unopened(pos, keyed)
            if end:
                self.repair("missing quote")
                string = self._text[pos:end].lstrip()
                return key, string, None, *delimiter_at(self._text, end + len(QUOTE))
            if token is None:
                return None
        opener, integer, real, string, quoted, stray, bare, after = token.groups()
        end = token.end()
        if opener:
            return key, {} if opener == "{" else [], opener, None, end
        if string is not None:
            return key, string, None, after, end
        if integer or real:
            value: Any = to_integer(integer) if integer else to_real(real)
        elif bare:
            word = bare.rstrip()
            if word.lower() in _WORDS:
                if word not in ("true", "false", "null"):
                    self.repair("Python literal")
                return key, _WORDS[word.lower()], None, after, end
            value = self._bare(word)
        else:
            self.repair("quoted string")
            if stray:
                self.repair("stray quote")
            value = unquote(quoted)
        return None if value is None else (key, value, None, after, end)

    def _bare(self, text: str) -> int | float | str | None:
        """What stands there without quotes: an odd number or a string."""
        if text[0] in "+-.0123456789" and _ODD_NUMBER.fullmatch(text):
            self.repair("number")
            return to_integer(text[1:]) if text.lstrip("+").isdigit() else to_real(text)
        if _NO_NUMBER.fullmatch(text):
            return None
        self.repair("unquoted string")
        return text

    def _unopened(self, pos: int, keyed: bool) -> int | None:
        """Where the quote stands that closes the value at `pos`, which none opened."""
        text = self._text
        if self._next < pos:
            marker = _marker(text, pos)
            self._next = marker.start() if marker else len(text)
            before = self._next - 1
            while before >= pos and text[before].isspace():
                before -= 1
            opens = before < pos or text[before] in ":=,{[("
            quote = text.startswith(QUOTE, self._next) and _end(text, self._next + len(QUOTE))
            self._closes = bool(quote) and not opens
        if not self._closes or (_next_key if keyed else _next_item)(text, pos, self._next):
            return None
        return self._next


def delimiter_at(text: str, pos: int) -> tuple[str | None, int]:
    """The delimiter at `pos` and its end; None where there is none."""
    found = _delimiter(text, pos)
    return (found[1], found.end()) if found else (None, pos)


def unquote(quoted: str) -> str | None:
    """The text of a JSON string; None where its escapes are not JSON's.

    In single quotes any other escape stands for itself, as in Python: patterns are written so.
    """
    if quoted[0] == "'":
        quoted = f'"{_ESCAPE.sub(_as_json, quoted[1:-1])}"'
    try:
        return json.loads(quoted, strict=False)
    except json.JSONDecodeError:
        return None


def _as_json(found: re.Match[str]) -> str:
    if found[0] == '"':
        return '\\"'
    if found[1] is None:
        return found[0]
    return "'" if found[1] == "'" else f"\\\\{found[1]}"
