"""Stage anonymize in a temporary folder: people known from the corpus, sessions, models."""

import pytest
from click.testing import CliRunner

from canvas import io
from canvas.registry import SAMPLE_KEY, Registry
from stages.anonymize import main

STAMP = {"collected_at": None, "contributor": "@PERSON12345678"}
CORPUS = [
    {"kind": "person", "course": "@COURSE11111111", "person": "@PERSON22222222", "role": "ta",
     "name": "Rose Field", "email": "@EMAIL33333333", "sis_id": None, **STAMP},
    {"kind": "announcement", "course": "@COURSE11111111", "title": "Guest: Dr. Okafor",
     "posted_at": None, "author": "Field, Rose", **STAMP,
     "message": "Ask Rose or Rianka in Nairobi."},
    {"kind": "item", "item_id": "item-0", "title": "Interview with Chip", "status": "GRADED",
     "type": "ASGN", "points": 1.0, "due_at": None, "submission_types": [], **STAMP},
    {"kind": "course", "course": "@COURSE11111111", "name": "Rose Growing", "term": None, **STAMP},
    {"kind": "syllabus", "course": "@COURSE11111111", "body": "Taught by\nPriya Raman.", **STAMP},
]  # fmt: skip
CONTRIBUTED = {"messages": [{"role": "user", "content": "mail Priya Raman"}], "tools": []}
RECORDED = {
    "session_id": "s1",
    "wording": "due/1",
    "outcome": "pass",
    "messages": [
        {"role": "user", "content": 'When is "Essay Draft" in @COURSE7 due? Thx'},
        {
            "role": "tool",
            "name": "x",
            "content": '{"instructor":"@PERSON3","due":"2026-03-04T14:00"}',
        },
    ],
    "tools": [
        {"type": "function", "function": {"name": "canvas.get_todo", "description": "To do."}}
    ],
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    io.write_rows(tmp_path / "merged/corpus.jsonl", CORPUS)
    io.write_rows(tmp_path / "merged/sessions.jsonl", [CONTRIBUTED])
    io.write_rows(tmp_path / "recorded.jsonl", [RECORDED])
    (tmp_path / "key.txt").write_bytes(SAMPLE_KEY.read_bytes())
    (tmp_path / "params.yaml").write_text("anonymize: {ner: null}\n")
    return tmp_path


def run():
    arguments = ["merged", "recorded.jsonl", "key.txt", "clean", "metrics.json"]
    return CliRunner().invoke(main, arguments)


def test_names_become_tokens_by_field(place):
    assert run().exit_code == 0
    person, news, item, course, syllabus = io.read_rows(place / "clean/corpus.jsonl")
    rose = Registry.load(SAMPLE_KEY).token("PERSON", "rose field")
    assert "name" not in person
    assert "email" not in person
    assert person["person"] == "@PERSON22222222"
    assert news["author"] == rose
    assert news["message"].startswith(f"Ask {rose} or @PERSON")
    assert "@PLACE" in news["message"]
    assert "Okafor" not in news["title"]
    assert item["title"].startswith("Interview with @PERSON")
    assert item["points"] == 1.0
    assert course["name"] == "Rose Growing"
    assert syllabus["body"].startswith("Taught by\n@PERSON")


def test_recorded_sessions_stay_and_contributed_ones_are_masked(place):
    run()
    contributed, recorded = io.read_rows(place / "clean/sessions.jsonl")
    assert recorded == RECORDED
    assert contributed["messages"][0]["content"].startswith("mail @PERSON")
    metrics = io.read_json(place / "metrics.json")
    assert (metrics["corpus"], metrics["sessions"], metrics["sessions_changed"]) == (5, 2, 1)
    assert metrics["masked"]["PERSON"] >= 4
    assert metrics["labelled"]["kinds"]["EMAIL"]["recall"] >= 0.99
    assert 0 < metrics["labelled"]["over_prose"] <= 0.005


def test_a_model_that_is_not_installed_stops_the_stage(place):
    (place / "params.yaml").write_text("anonymize: {ner: en_core_web_none}\n")
    result = run()
    assert result.exit_code == 1
    assert "'en_core_web_none' is not installed" in result.output
    assert not (place / "clean").exists()
