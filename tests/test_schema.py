"""Row checks: what is wrong is named by its path in the row."""

import copy

import pytest

from canvas.schema import problem

COURSE = {
    "type": "course_snapshot",
    "course_name": "Statics",
    "course_code": "MECH 2104",
    "term": "2026 Spring",
    "contributor_id": "someone",
    "collected_at": "2026-05-04T18:50:00.500701+00:00",
    "assignments": [
        {
            "name": "Homework 1",
            "type": "ASGN",
            "due_at": "2026-02-14T04:00:00Z",
            "points_possible": 2.0,
            "submission_types": ["external_tool"],
            "submission_status": "GRADED",
        }
    ],
}
OTHERS = [
    {"type": "todo_snapshot", "items": []},
    {
        "type": "announcement_snapshot",
        "course_name": "Statics",
        "course_code": "MECH 2104",
        "items": [{"title": "Hi", "posted_at": None, "author": None, "message": ""}],
    },
    {"type": "syllabus_snapshot", "course_name": "A", "course_code": "B", "body": "text"},
    {
        "type": "roster_snapshot",
        "course_name": "A",
        "course_code": "B",
        "people": [{"name": "N", "role": "ta", "email": "a@example.edu", "sis_id": 12}],
    },
    {
        "type": "session",
        "messages": [{"role": "assistant", "content": "", "tool_calls": [{"function": {}}]}],
        "tools": [{"type": "function"}],
    },
]


@pytest.mark.parametrize("row", [COURSE, *OTHERS], ids=lambda row: row["type"])
def test_good_rows_pass(row):
    assert problem(row) is None


@pytest.mark.parametrize(
    ("path", "value", "field", "reason"),
    [
        (["type"], 3, "type", "must be one of"),
        (["course_code"], None, "course_code", "must be text, is null"),
        (["course_name"], "  ", "course_name", "is empty"),
        (["collected_at"], "yesterday", "collected_at", "is no ISO-8601 time"),
        (["assignments"], {}, "assignments", "must be a list, is an object"),
        (["assignments", 0], "x", "assignments[0]", "must be an object, is text"),
        (["assignments", 0, "name"], 7, "assignments[0].name", "must be text, is a number"),
        (["assignments", 0, "type"], "HW", "assignments[0].type", "must be one of ASGN"),
        (["assignments", 0, "due_at"], 5, "assignments[0].due_at", "must be an ISO-8601"),
        (
            ["assignments", 0, "points_possible"],
            "2",
            "assignments[0].points_possible",
            "must be a number, is text",
        ),
        (["assignments", 0, "points_possible"], True, "assignments[0].points_possible", "is true"),
        (["assignments", 0, "points_possible"], 1e999, "assignments[0].points_possible", "from 0"),
        (["assignments", 0, "points_possible"], -1, "assignments[0].points_possible", "from 0"),
        (
            ["assignments", 0, "submission_types", 0],
            None,
            "assignments[0].submission_types[0]",
            "must be text, is null",
        ),
        (["assignments", 0, "submission_status"], [], "assignments[0].submission_status", "one of"),
        (["assignments", 0, "name"], "a\ud800", "assignments[0].name", "surrogate"),
        (["assignments", 0, "name"], "a" * 1_000_001, "assignments[0].name", "1,000,001 char"),
    ],
)
def test_wrong_value_is_named_by_path(path, value, field, reason):
    row = copy.deepcopy(COURSE)
    target = row
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    found = problem(row)
    assert found is not None
    assert found[0] == field
    assert reason in found[1]


@pytest.mark.parametrize("name", ["name", "type", "due_at", "submission_status"])
def test_missing_field_of_an_assignment(name):
    row = copy.deepcopy(COURSE)
    del row["assignments"][0][name]
    assert problem(row) == (f"assignments[0].{name}", "missing field")


def test_strings_deep_in_a_session_are_checked():
    row = copy.deepcopy(OTHERS[-1])
    row["messages"][0]["tool_calls"] = [{"function": {"arguments": {"title": "\ud800"}}}]
    field = "messages[0].tool_calls[0].function.arguments.title"
    assert problem(row) == (field, "holds half of a surrogate pair")


def test_unknown_fields_are_allowed():
    assert problem({**COURSE, "account": {"id": 4}}) is None
