"""Strings of files: found at any depth, keys too; findings name line and field."""

import json

from canvas.audit.recognisers import EVERYTHING
from canvas.audit.strings import Texts, strings


def scanned(tmp_path, *lines: str, foreign: bool = False):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(line + "\n" for line in lines))
    texts = Texts()
    texts.add(path, foreign=foreign)
    return [(f.line, f.field, f.kind) for f in texts.scan(EVERYTHING, "corpus")]


def test_leaks_in_values_and_keys_at_any_depth(tmp_path):
    deep = {"a": [{"b": {"c": "CS 3704"}}], "x@example.edu": 1}
    found = scanned(tmp_path, '{"fine":"text"}', json.dumps(deep))
    assert found == [(2, "a[0].b.c", "course code"), (2, "row (key)", "e-mail address")]


def test_json_escapes_hide_nothing(tmp_path):
    assert scanned(tmp_path, r'{"a":"\u0043\u0053 3704"}') == [(1, "a", "course code")]
    inner = json.dumps({"m": json.dumps({"code": "CS 3704"})})
    assert scanned(tmp_path, inner) == [(1, "m", "course code")]


def test_own_ids_are_left_out(tmp_path):
    assert scanned(tmp_path, '{"row_id":"trajectory-4111111111111111"}') == []


def test_what_is_no_json_counts_in_foreign_files(tmp_path):
    assert scanned(tmp_path, "mail x@example.edu", foreign=True) == [(1, "line", "e-mail address")]


def test_excerpts_do_not_repeat_the_leak(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a":"Ask Priya at p.raman@example.edu today"}\n')
    texts = Texts()
    texts.add(path)
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
