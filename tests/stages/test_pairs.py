from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import io
from stages.pairs import main

PARAMS = "pairs: {seed: 7, per_export: 12}\nsplit: {test_fraction: 0.2}\n"


def item(number, **changes):
    return {
        "kind": "item",
        "item_id": f"item-{number:04d}",
        "course": f"@COURSE{number % 3:08d}",
        "type": ("ASGN", "QUIZ", "DISC")[number % 3],
        "title": f"Homework {number}",
        "due_at": f"2026-03-{1 + number % 28:02d}T12:00:00Z",
        "points": float(number % 7),
        "status": ("GRADED", "NOT_SUBMITTED")[number % 2],
        "collected_at": "2026-03-14T12:00:00Z",
        "contributor": "@PERSON1",
    } | changes


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("params.yaml").write_text(PARAMS)
    return tmp_path


def run(rows):
    io.write_rows(Path("corpus.jsonl"), rows)
    return CliRunner().invoke(main, ["corpus.jsonl", "out/pairs.jsonl"], catch_exceptions=False)


def test_draws_pairs_of_items_only(folder):
    result = run([{"kind": "course", "course": "@COURSE1"}, *(item(n) for n in range(40))])
    assert result.exit_code == 0, result.output
    rows = io.read_rows(folder / "out" / "pairs.jsonl")
    assert len(rows) == 12
    assert set(rows[0]) == {
        "pair_id", "prompt", "pair_type", "wording",
        "item_a_id", "item_b_id", "item_a", "item_b",
    }  # fmt: skip


def test_says_what_was_left_out(folder):
    result = run([item(0), item(1, collected_at=None)])
    assert result.exit_code == 0
    assert "1 of 2 items have no collected_at" in result.output
    assert io.read_rows(folder / "out" / "pairs.jsonl") == []


def test_a_missing_parameter_is_named(folder):
    Path("params.yaml").write_text("pairs: {seed: 7}\nsplit: {test_fraction: 0.2}\n")
    result = run([item(0)])
    assert result.exit_code == 1
    assert "pairs.per_export" in result.output
    assert not (folder / "out").exists()
