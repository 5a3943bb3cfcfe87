"""Two files of verdicts are compared scenario by scenario."""

from pathlib import Path

import pytest

from canvas import io
from canvas.benchmark.comparison import by_tier, read
from canvas.reliability import compare


def write(path: Path, tier: str = "basic", **runs: list[list[str]]) -> Path:
    rows = [{"tier": tier, "scenario": name, "failed": failed} for name, failed in runs.items()]
    io.write_rows(path, rows)
    return path


def test_counts_of_runs_that_passed(tmp_path):
    path = write(tmp_path / "a.jsonl", one=[[], ["facts"]], two=[["state", "facts"]])
    assert read(path, "f16") == {("basic", "one"): (1, 2), ("basic", "two"): (0, 1)}


def test_rows_of_one_model_file(tmp_path):
    row = {"tier": "basic", "scenario": "one"}
    rows = [{**row, "file": "f16", "failed": [[]]}, {**row, "file": "Q8_0", "failed": [["facts"]]}]
    io.write_rows(tmp_path / "a.jsonl", rows)
    assert read(tmp_path / "a.jsonl", "f16") == {("basic", "one"): (1, 1)}
    assert read(tmp_path / "a.jsonl", "Q8_0") == {("basic", "one"): (0, 1)}
    with pytest.raises(io.BadInput, match="nothing about Q2_K"):
        read(tmp_path / "a.jsonl", "Q2_K")


def test_tiers_apart(tmp_path):
    a = write(tmp_path / "a.jsonl", one=[[]], two=[["facts"]], three=[["facts"]])
    b = write(tmp_path / "b.jsonl", three=[[]], two=[[]], one=[[]])
    found = by_tier(a, b, "f16")
    assert list(found) == ["basic"]
    assert (found["basic"].scenarios, found["basic"].a, found["basic"].b) == (3, 1 / 3, 1)
    pairs = [(1, 1), (0, 1), (0, 1)], [(1, 1), (1, 1), (1, 1)]
    assert found["basic"].difference == compare(*pairs, 0)


@pytest.mark.parametrize(
    "row",
    [{"tier": "basic", "scenario": "one"}, {"scenario": "one", "failed": [[]]}, {"failed": []}],
)
def test_other_rows_are_refused(tmp_path, row):
    io.write_rows(tmp_path / "a.jsonl", [row])
    with pytest.raises(io.BadInput, match="no verdict") as caught:
        read(tmp_path / "a.jsonl", "f16")
    assert caught.value.line == 1


def test_the_scenarios_must_be_the_same(tmp_path):
    a = write(tmp_path / "a.jsonl", one=[[]], two=[[]])
    b = write(tmp_path / "b.jsonl", one=[[]])
    with pytest.raises(io.BadInput, match="two") as caught:
        by_tier(a, b, "f16")
    assert caught.value.path == b
