"""Merging: one row a thing, one token a course, owners of contributor ids, stability."""

import copy
import json

import pytest

from canvas.intake import Fault
from canvas.merge import Contribution, collect, merge
from canvas.registry import TOKEN, Registry

KEY = b"a key for tests only"
STAMP = {"contributor_id": "quietheron96", "collected_at": "2026-03-01T10:00:00Z"}
COURSE = {
    "type": "course_snapshot",
    "course_name": "Software Design (21936)",
    "course_code": "CS_3704_21936_202601",
    "term": "2026 Spring",
    **STAMP,
    "assignments": [
        {
            "name": "Homework 1 for cs3704",
            "type": "ASGN",
            "due_at": "2026-03-05T04:59:59Z",
            "points_possible": 10,
            "submission_types": ["online_upload"],
            "submission_status": "NOT_SUBMITTED",
        },
        {
            "name": " homework 1  for CS 3704",
            "type": "ASGN",
            "due_at": None,
            "points_possible": None,
            "submission_types": [],
            "submission_status": "GRADED",
        },
    ],
}
ROSTER = {
    "type": "roster_snapshot",
    "course_name": "Software Design",
    "course_code": "CS 3704",
    **STAMP,
    "people": [
        {
            "name": "Raman, Priya",
            "role": "ta",
            "email": "praman4@example.edu",
            "sis_id": "N12345678",
        }
    ],
}
NEWS = {
    "type": "announcement_snapshot",
    "course_name": "Software Design",
    "course_code": "Cs 3704",
    **STAMP,
    "items": [
        {
            "title": "Room change for CS-3704",
            "posted_at": "2026-02-01T10:00:00Z",
            "author": "Priya Raman",
            "message": "Ask praman4 or Priya Raman, (540) 555-0134.",
        }
    ],
}
TODO = {
    "type": "todo_snapshot",
    **STAMP,
    "items": [
        {"type": "ASGN", "assignment_name": "HW", "due_at": None, "course_id": 18934},
        {"type": "ASGN", "assignment_name": "HW", "due_at": None, "course_id": "18934"},
    ],
}
SYLLABUS = {
    "type": "syllabus_snapshot",
    "course_name": "Software Design",
    "course_code": "CS3704",
    **STAMP,
    "body": "CS_3704, section 02",
}
SESSION = {
    "type": "session",
    **STAMP,
    "messages": [
        {"role": "user", "content": "What is due in CS 3704?"},
        {"role": "tool", "name": "x", "content": '{"code":"cs-3704"}'},
    ],
    "tools": [],
}
ALL = [COURSE, ROSTER, NEWS, TODO, SYLLABUS, SESSION]


def merged(*rows: dict, key: bytes = KEY):
    entries = [Contribution("a.jsonl", n, row, row["contributor_id"]) for n, row in enumerate(rows)]
    return merge(entries, Registry(key))


def of_kind(result, kind: str) -> list[dict]:
    return [row for row in result.corpus if row["kind"] == kind]


def test_every_type_gives_its_rows_under_one_course_token():
    result = merged(*ALL)
    kinds = {row["kind"] for row in result.corpus}
    assert kinds == {"course", "item", "person", "announcement", "todo", "syllabus"}
    assert len({row["course"] for row in result.corpus if "course" in row}) == 1
    assert len(result.sessions) == 1
    assert result.metrics["rows_in"] == 6


def test_no_identifier_survives_and_names_do():
    result = merged(*ALL)
    text = json.dumps([result.corpus, result.sessions], ensure_ascii=False)
    for leak in ("3704", "21936", "praman4", "N12345678", "18934", "quietheron96", "555"):
        assert leak not in text
    (person,) = of_kind(result, "person")
    assert person["name"] == "Raman, Priya"
    assert person["person"] == Registry(KEY).token("PERSON", "priya raman")
    (news,) = of_kind(result, "announcement")
    assert news["author"] == "Priya Raman"
    assert "Priya Raman" in news["message"]


def test_items_with_the_same_title_and_course_are_one():
    result = merged(COURSE)
    (item,) = of_kind(result, "item")
    assert item["points"] == 10
    assert item["status"] == "NOT_SUBMITTED"
    assert item["item_id"].startswith("item-")
    assert len(item["item_id"]) == len("item-") + 12
    assert item["collected_at"] == STAMP["collected_at"]
    assert TOKEN.fullmatch(item["contributor"])
    assert result.metrics["repeated"] == {"item": 1}
    assert len(of_kind(merged(TODO), "todo")) == 1


def test_merging_merged_tokens_changes_none():
    masked = copy.deepcopy(COURSE)
    masked["course_code"], masked["course_name"] = "@COURSE12345678", "Design"
    masked["contributor_id"] = "@PERSON12345678"
    masked["assignments"] = masked["assignments"][:1]
    masked["assignments"][0]["name"] = "Homework for @COURSE12345678"
    (item,) = of_kind(merged(masked), "item")
    assert item["course"] == "@COURSE12345678"
    assert item["contributor"] == "@PERSON12345678"
    assert item["title"] == "Homework for @COURSE12345678"


def test_another_contribution_changes_no_row():
    other = copy.deepcopy(COURSE)
    other |= {"course_code": "@COURSE11111111", "contributor_id": "@PERSON11111111"}
    other["course_name"] = "Design"
    before, after = merged(*ALL), merged(*ALL, other)
    assert after.corpus[: len(before.corpus)] == before.corpus
    assert len(after.corpus) > len(before.corpus)


def test_tokens_follow_the_key():
    one, two = (of_kind(merged(COURSE, key=k * 16), "item")[0] for k in (b"a", b"b"))
    assert one["course"] != two["course"]


@pytest.fixture
def files(tmp_path):
    def write(**rows: list[dict]):
        paths = []
        for name, content in rows.items():
            path = tmp_path / f"{name}.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in content))
            paths.append(path)
        return paths

    return write


def test_a_contributor_belongs_to_the_first_file(files):
    fine = {**TODO, "contributor_id": "other"}
    paths = files(a=[TODO], b=[TODO, fine, TODO])
    rows, faults = collect(paths, "")
    assert [(row.file, row.line) for row in rows] == [
        (paths[0].as_posix(), 1),
        (paths[1].as_posix(), 2),
    ]
    (fault,) = faults
    assert (fault.file, fault.line, fault.field) == (paths[1].as_posix(), 1, "contributor_id")
    assert "duplicate contributor, also in" in fault.reason
    assert f"{paths[0].as_posix()}:1" in fault.reason
    assert "these 2 rows" in fault.reason


def test_files_without_a_contributor_are_known_by_name(files):
    anonymous = {key: value for key, value in TODO.items() if key != "contributor_id"}
    rows, faults = collect(files(a=[anonymous], b=[anonymous]), "")
    assert [row.contributor for row in rows] == ["a", "b"]
    assert faults == []


def test_rows_masked_under_the_public_key_are_refused(files):
    rows, faults = collect(files(a=[{**TODO, "key_id": "0123"}]), "0123")
    assert rows == []
    assert isinstance(faults[0], Fault)
    assert faults[0].field == "key_id"
