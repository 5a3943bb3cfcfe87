from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import io, pairs, votes
from canvas.teacher import RulesTeacher
from stages.label import main

LINES = (
    "[ASGN] Essay 1 @COURSE00000001 DUE 9D 50pts OPEN",
    "[QUIZ] Quiz 5 @COURSE00000002 DUE 1D 20pts OPEN",
    "[QUIZ] Quiz 6 @COURSE00000002 DUE 1D 20pts OPEN",
)


def pair(number, item_a, item_b):
    return {
        "pair_id": f"pair-{number}",
        "prompt": pairs.prompt(item_a, item_b, "pairs/01"),
        "pair_type": "due",
        "wording": "pairs/01",
        "item_a_id": "item-1",
        "item_b_id": "item-2",
        "item_a": item_a,
        "item_b": item_b,
    }


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("params.yaml").write_text("label: {teacher: rules}\n")
    io.write_rows(Path("pairs.jsonl"), [pair(0, *LINES[:2]), pair(1, *LINES[1:])])
    return tmp_path


def run():
    return CliRunner().invoke(main, ["pairs.jsonl", "out.jsonl", "metrics.json"])


def test_keeps_unanimous_pairs_and_counts_them(folder):
    assert run().exit_code == 0
    [row] = io.read_rows(folder / "out.jsonl")
    assert row["pair_id"] == "pair-0"
    assert row["chosen"].startswith("Do B first: this quiz")
    metrics = io.read_json(folder / "metrics.json")
    assert metrics["pairs"] == 2
    assert metrics["unanimous"] == 1


def test_votes_are_kept_outside_the_outs_and_read_again(folder):
    assert run().exit_code == 0
    path = votes.vote_path(folder / ".scratch" / "votes", RulesTeacher())
    before = path.read_bytes()
    # Votes that the teacher would never give prove that kept ones are used.
    path.write_bytes(before.replace(b'"choice":"B"', b'"choice":null'))
    assert run().exit_code == 0
    assert io.read_rows(folder / "out.jsonl") == []
    assert path.read_bytes().count(b"\n") == before.count(b"\n")


def test_unknown_teacher_is_named(folder):
    Path("params.yaml").write_text("label: {teacher: crystal-ball}\n")
    result = run()
    assert result.exit_code == 1
    assert "label.teacher" in result.output
    assert "use one of: rules" in result.output
    assert not (folder / "out.jsonl").exists()
