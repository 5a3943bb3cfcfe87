"""Stage merge in a temporary folder: outs, quarantine, limits, nothing half-written."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import io
from canvas.registry import SAMPLE_KEY
from stages.merge import main
from tests.test_merge import ALL, COURSE, TODO


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("sample", "collab"):
        (tmp_path / folder).mkdir()
    (tmp_path / "key.txt").write_bytes(SAMPLE_KEY.read_bytes())
    (tmp_path / "params.yaml").write_text("merge: {max_bad_rows: 3}\nanonymize: {k_min: 2}\n")
    write(tmp_path / "sample/a.jsonl", *ALL)
    return tmp_path


def write(path: Path, *rows: dict, tail: bytes = b"") -> None:
    path.write_bytes("".join(json.dumps(row) + "\n" for row in rows).encode() + tail)


def run():
    arguments = ["sample", "collab", "key.txt", "merged", "metrics/merge.json"]
    return CliRunner().invoke(main, arguments)


def test_writes_corpus_sessions_quarantine_and_metrics(place):
    result = run()
    assert result.exit_code == 0, result.output
    corpus = io.read_rows(place / "merged/corpus.jsonl")
    assert {row["kind"] for row in corpus} >= {"item", "course", "person", "todo"}
    assert len(io.read_rows(place / "merged/sessions.jsonl")) == 1
    assert io.read_rows(place / "merged/quarantine.jsonl") == []
    metrics = io.read_json(place / "metrics/merge.json")
    assert metrics["rows_in"] == len(ALL)
    assert metrics["quarantined"] == 0
    assert metrics["masked"]["COURSE"] > 0


def test_two_runs_write_the_same_bytes(place):
    run()
    first = {path.name: path.read_bytes() for path in (place / "merged").iterdir()}
    run()
    assert {path.name: path.read_bytes() for path in (place / "merged").iterdir()} == first


BAD = [
    (b'{"type":"course_snapshot","course_na\n', "truncated line", None),
    (json.dumps({**COURSE, "assignments": "x"}).encode() + b"\n", "must be a list", "assignments"),
    (b'{"type":"syllabus_snapshot","course_name":"A"}\n', "missing field", "course_code"),
    (b"\xff\xfe\n", "invalid UTF-8", None),
    (b'{"x":"' + b"y" * 20_000_000 + b'"}\n', "20,000,009 bytes", None),
]


@pytest.mark.parametrize(("line", "reason", "field"), BAD, ids=[bad[1] for bad in BAD])
def test_bad_line_is_named_and_rows_beside_it_survive(place, line, reason, field):
    write(place / "collab/b.jsonl", {**TODO, "contributor_id": "b"}, tail=line)
    result = run()
    assert result.exit_code == 0, result.output
    (fault,) = io.read_rows(place / "merged/quarantine.jsonl")
    assert (fault["file"], fault["line"], fault["field"]) == ("collab/b.jsonl", 2, field)
    assert reason in fault["reason"]
    assert "collab/b.jsonl:2" in result.output
    todos = [r for r in io.read_rows(place / "merged/corpus.jsonl") if r["kind"] == "todo"]
    assert len(todos) == 1 + (0 if todos[0]["contributor"] else 1)


def test_empty_file_and_duplicate_contributor(place):
    (place / "collab/empty.jsonl").touch()
    write(place / "collab/twin.jsonl", TODO, {**TODO, "contributor_id": "new"})
    assert run().exit_code == 0
    first, second = io.read_rows(place / "merged/quarantine.jsonl")
    assert (first["file"], first["line"], first["reason"]) == (
        "collab/empty.jsonl",
        1,
        "empty file",
    )
    assert (second["file"], second["line"]) == ("collab/twin.jsonl", 1)
    assert "duplicate contributor, also in sample/a.jsonl:1" in second["reason"]


def test_too_many_bad_rows_stop_the_stage_and_leave_a_report(place):
    write(place / "collab/b.jsonl", tail=b"{\n" * 4)
    result = run()
    assert result.exit_code == 1
    assert "4 bad rows, merge.max_bad_rows allows 3" in result.output
    assert "collab/b.jsonl:1: truncated line" in result.output
    assert not (place / "merged").exists()
    assert len(io.read_rows(place / ".scratch/quarantine.jsonl")) == 4


def test_quarantine_shows_nothing_of_the_row(place):
    write(place / "collab/b.jsonl", {**TODO, "items": [{"assignment_name": "Call Priya Raman"}]})
    run()
    text = (place / "merged/quarantine.jsonl").read_text()
    assert "Priya" not in text
    assert "quietheron96" not in text.replace("duplicate", "")


def test_sets_of_courses_that_few_share_are_warned_about(place):
    result = run()
    assert result.exit_code == 0
    assert "sets of courses in a term have fewer contributors than anonymize.k_min" in result.output
