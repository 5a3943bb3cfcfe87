"""The Markdown report: what others wrote can neither break out of it nor be active in it."""

from canvas.audit.finding import Finding
from canvas.audit.report import MOST, markdown


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
