"""Strings of files: found at any depth, keys too; findings name line and field."""

import json
import time

import pytest

from canvas.audit.recognisers import EVERYTHING
from canvas.audit.strings import Texts, strings


def scanned(tmp_path, *lines: str, foreign: bool = False):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(line + "\n" for line in lines))
    texts = Texts()
    list(texts.add(path, foreign=foreign))
    return [(f.line, f.field, f.kind) for f in texts.scan(EVERYTHING, "corpus")]


def test_leaks_in_values_and_keys_at_any_depth(tmp_path):
    deep = {"a": [{"b": {"c": "CS 3704"}}], "x@example.edu": 1}
    found = scanned(tmp_path, '{"fine":"text"}', json.dumps(deep))
    assert found == [(2, "a[0].b.c", "course code"), (2, "row (key)", "e-mail address")]


def test_json_escapes_hide_nothing(tmp_path):
    assert scanned(tmp_path, r'{"a":"\u0043\u0053 3704"}') == [(1, "a", "course code")]
    inner = json.dumps({"m": json.dumps({"code": "CS 3704"})})
    assert scanned(tmp_path, inner) == [(1, "m", "course code")]


@pytest.mark.parametrize(
    "text",
    [
        r"\u0043S 3704",
        "CS&nbsp;3704",
        "CS%203704",
        "C\u200bS 3704",
        "\uff23\uff33 \uff13\uff17\uff10\uff14",
        json.dumps({"m": r"\u0043S 3704"}),
        json.dumps([json.dumps({"CS 3704": json.dumps([1])})]),
    ],
)
def test_disguises_hide_nothing(tmp_path, text):
    assert scanned(tmp_path, json.dumps({"a": [text]})) == [(1, "a[0]", "course code")]


@pytest.mark.parametrize("line", ['\\"' * 100_000, '"' * 100_001, '"\\', "\\" * 100_001])
def test_lines_that_are_no_json_take_no_time(tmp_path, line):
    started = time.process_time()
    assert scanned(tmp_path, line, foreign=True) == []
    assert time.process_time() - started < 20, "quadratic"


def test_own_ids_are_left_out_and_card_numbers_are_not(tmp_path):
    assert scanned(tmp_path, '{"row_id":"trajectory-4111111111111111"}') == []
    assert scanned(tmp_path, '{"key_id":"cc36ee1234567890"}') == []
    assert scanned(tmp_path, '{"key_id":"4111111111111111"}') == [(1, "key_id", "card number")]


def test_lines_are_given_once_with_their_value(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a":1}\n\nno JSON\n{"a":1}\n[2]\n')
    texts = Texts()
    assert list(texts.add(path)) == [(1, {"a": 1}), (3, "no JSON"), (5, [2])]
    assert list(texts.add(path)) == []


def test_numbers_outside_of_strings(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": 12345, "n": 1234, "t": "67890", "in": '{"x":[54321]}'}))
    texts = Texts()
    list(texts.add(path))
    assert [text for text, _ in texts.numbers()] == ["12345", "54321"]


@pytest.mark.parametrize(
    "text",
    [
        "\\" * 200_000, '{"' * 50_000, "[" * 100_000, "&" * 100_000, "%" + "25" * 200_000,
        "&" + "amp;" * 200_000, "\u200b" * 200_000, "a@" * 100_000, "a" * 300_000 + " x@y.",
        "1." * 100_000, ":" * 100_000 + "a:" * 100_000, "12 " + "Ab " * 100_000,
    ],
)  # fmt: skip
def test_odd_text_takes_no_time(tmp_path, text):
    started = time.process_time()
    assert scanned(tmp_path, json.dumps({"a": text})) == []
    assert time.process_time() - started < 20, "quadratic"


def test_what_is_no_json_counts_in_foreign_files(tmp_path):
    assert scanned(tmp_path, "mail x@example.edu", foreign=True) == [(1, "line", "e-mail address")]


def test_excerpts_do_not_repeat_the_leak(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a":"Ask Priya at p.raman@example.edu today"}\n')
    texts = Texts()
    list(texts.add(path))
    (finding,) = texts.scan(EVERYTHING, "corpus")
    assert "raman" not in str(finding)
    assert "Priya" not in str(finding)
    assert f"{path.as_posix()}:1: a: e-mail address" in str(finding)


def test_paths_of_strings():
    assert list(strings({"a": ["x", {"b": "y"}]})) == [
        ("row (key)", "a"),
        ("a[0]", "x"),
        ("a[1] (key)", "b"),
        ("a[1].b", "y"),
    ]
