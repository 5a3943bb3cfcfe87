"""Every kind of canary, planted anywhere and in any spelling that JSON allows, is found."""

import html
import json
import random
from functools import cache
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from canvas import io
from canvas.audit.canaries import Canaries, find
from canvas.audit.strings import Texts

PLANTED = io.read_json(Path("data/sample/planted.json"))
KINDS = sorted({canary["kind"] for canary in PLANTED})
ROWS = [
    {"kind": "item", "item_id": "item-0123456789ab", "title": "Essay", "points": 10.0, "due": None},
    {"messages": [{"role": "user", "content": "Hi"},
                  {"role": "tool", "content": json.dumps({"a": [{"title": "Lab 2"}], "b": 3})}],
     "tools": [{"type": "function", "function": {"name": "x.y", "parameters": {"p": {}}}}]},
    {"prompt": "A or B?", "chosen": "Do A first.", "votes": ["A", "A"], "deep": [[[{"x": []}]]]},
]  # fmt: skip


@cache
def canaries() -> Canaries:
    return Canaries(PLANTED)


def of_kind(kind: str) -> list[str]:
    return [canary["value"] for canary in PLANTED if canary["kind"] == kind]


def escaped(text: str) -> str:
    """Every character as a JSON escape."""
    units = text.encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


SPELLINGS = {
    "as it is": str,
    "upper": str.upper,
    "lower": str.lower,
    "in a sentence": lambda text: f"(see {text}).",
    "between quotes": lambda text: f'He said "{text}"',
    "escaped": escaped,
    "escaped twice": lambda text: json.dumps(escaped(text)),
    "entities": lambda text: "".join(f"&#{ord(c)};" for c in text),
    "markup": lambda text: f"<b>{html.escape(text)}</b>",
    "percent": lambda text: quote(text, safe=""),
    "as JSON": lambda text: json.dumps({"x": [text]}),
    "as JSON in JSON": lambda text: json.dumps([json.dumps({text: 1})]),
    "cut JSON": lambda text: json.dumps({"x": [text]})[:-2],
    "hard spaces": lambda text: text.replace(" ", "\u00a0"),
    "soft hyphens": "\u00ad".join,
    "full width": lambda text: "".join(
        chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text
    ),
}


def plant(value, text: str, rng: random.Random):
    """The JSON value with `text` somewhere: in place of a leaf, as a new key, or in a list."""
    if isinstance(value, dict) and (not value or rng.random() < 0.2):
        return {**value, text: rng.choice([1, None, "x", []])}
    if isinstance(value, dict):
        key = rng.choice(list(value))
        return {**value, key: plant(value[key], text, rng)}
    if isinstance(value, list) and (not value or rng.random() < 0.2):
        return [*value, text]
    if isinstance(value, list):
        place = rng.randrange(len(value))
        return [*value[:place], plant(value[place], text, rng), *value[place + 1 :]]
    return text


@pytest.mark.parametrize("kind", KINDS)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_a_canary_is_found_wherever_it_is_planted(tmp_path, kind, data):
    value = data.draw(st.sampled_from(of_kind(kind)), "value")
    spelling = data.draw(st.sampled_from(sorted(SPELLINGS)), "spelling")
    rng = random.Random(data.draw(st.integers(0, 2**32), "seed"))
    number = rng.randrange(len(ROWS))
    text = SPELLINGS[spelling](value)
    rows = [plant(row, text, rng) if n == number else row for n, row in enumerate(ROWS)]
    path = tmp_path / "rows.jsonl"
    ascii_only = data.draw(st.booleans(), "ascii")
    path.write_text(
        "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows), encoding="utf-8"
    )
    texts = Texts()
    list(texts.add(path, foreign=True))
    found = list(find(canaries(), [*texts.items(), *texts.numbers()]))
    assert kind in {finding.kind.removeprefix("planted ") for finding in found}
    assert {finding.line for finding in found} == {number + 1}


def test_rows_without_any_are_clean(tmp_path):
    path = tmp_path / "rows.jsonl"
    io.write_rows(path, ROWS)
    texts = Texts()
    list(texts.add(path))
    assert list(find(canaries(), texts.items())) == []
