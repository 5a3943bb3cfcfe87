"""Canvas's JSON as facts: types, states, grades, times."""

from datetime import UTC, datetime

import pytest

from canvas.live import records
from tests.live.canvas_server import announcement, assignment, course, planned

DUE = "2026-03-06T06:59:59Z"


def read(**fields):
    return records.assignment(assignment(7, 1, fields.pop("name", "Lab 3"), DUE, **fields))


def test_an_assignment():
    item = read(points_possible=12.5)
    assert (item.course, item.title, item.type, item.points, item.status) == (
        1, "Lab 3", "ASGN", 12.5, "OPEN",
    )  # fmt: skip
    assert item.due == datetime(2026, 3, 6, 6, 59, tzinfo=UTC)
    assert read(published=False) is None
    assert read(points_possible=None).points == 0


@pytest.mark.parametrize(
    ("fields", "type_"),
    [
        ({"submission_types": ["online_quiz"], "is_quiz_assignment": True}, "QUIZ"),
        ({"submission_types": ["external_tool"], "is_quiz_lti_assignment": True}, "QUIZ"),
        ({"submission_types": ["discussion_topic"]}, "DISC"),
        ({"submission_types": ["on_paper"], "name": "Midterm Exam"}, "EXAM"),
        ({"submission_types": ["online_quiz"], "name": "Exam 2"}, "EXAM"),
        ({"submission_types": ["online_quiz"], "name": "FINAL"}, "EXAM"),
        ({"submission_types": ["none"], "name": "Mid-term 1"}, "EXAM"),
        ({"name": "Final Project"}, "ASGN"),
        ({"name": "Exam 1 Corrections"}, "ASGN"),
        ({"submission_types": ["online_quiz"], "name": "Practice Exam"}, "QUIZ"),
        ({"submission_types": ["discussion_topic"], "name": "Exam questions"}, "DISC"),
        ({"name": "Example sheet"}, "ASGN"),
    ],
)
def test_types(fields, type_):
    assert read(**fields).type == type_


@pytest.mark.parametrize(
    ("submission", "status"),
    [
        ({}, "OPEN"),
        ({"missing": True}, "MISSING"),
        ({"submitted_at": DUE, "workflow_state": "submitted"}, "SUBMITTED"),
        ({"submitted_at": DUE, "workflow_state": "submitted", "late": True}, "SUBMITTED"),
        ({"submitted_at": DUE, "workflow_state": "pending_review"}, "SUBMITTED"),
        ({"submitted_at": DUE, "workflow_state": "graded", "grade": "9", "score": 9.0}, "GRADED"),
        ({"workflow_state": "graded", "grade": "9", "score": 9.0}, "GRADED"),
        # Graded, but the grade is not posted yet.
        ({"submitted_at": DUE, "workflow_state": "graded"}, "SUBMITTED"),
        # The late policy's automatic zero.
        ({"workflow_state": "graded", "grade": "0", "score": 0.0, "missing": True}, "MISSING"),
        ({"excused": True}, "GRADED"),
        ({"submitted_at": DUE, "workflow_state": "graded", "grade": "2",
          "redo_request": True}, "OPEN"),
    ],
)  # fmt: skip
def test_states(submission, status):
    assert read(submission=submission).status == status


@pytest.mark.parametrize(
    ("flags", "status"),
    [
        ({}, "OPEN"),
        ({"missing": True}, "MISSING"),
        ({"missing": True, "graded": True}, "MISSING"),
        ({"submitted": True}, "SUBMITTED"),
        ({"submitted": True, "late": True}, "SUBMITTED"),
        ({"submitted": True, "graded": True}, "GRADED"),
        ({"graded": True}, "GRADED"),
        ({"excused": True}, "GRADED"),
        ({"submitted": True, "graded": True, "redo_request": True}, "OPEN"),
    ],
)
def test_states_in_the_planner(flags, status):
    item = records.planned(planned(assignment(7, 1, "Lab 3", DUE), **flags))
    assert item.status == status


@pytest.mark.parametrize("kind", ["assignment", "quiz", "discussion_topic"])
def test_planner_and_assignment_are_one_item(kind):
    row = assignment(7, 1, "Lab  3", DUE)
    item = records.planned(planned(row, kind))
    assert item.identity == records.assignment(row).identity
    assert item.type == {"assignment": "ASGN", "quiz": "QUIZ", "discussion_topic": "DISC"}[kind]


def test_what_in_the_planner_is_no_coursework():
    row = planned(assignment(7, 1, "Lab 3", DUE))
    for kind in ("announcement", "calendar_event", "planner_note", "wiki_page"):
        assert records.planned(row | {"plannable_type": kind}) is None
    assert records.planned(row | {"submissions": False}).status == "OPEN"
    assert records.planned(row | {"plannable": {**row["plannable"], "due_at": None}}) is None


@pytest.mark.parametrize(
    ("fields", "grade"),
    [
        ({"score": 91.55, "grade": "A-"}, (91.55, "A-")),
        ({"score": 91, "grade": None}, (91.0, None)),
        ({}, (None, None)),
        ({"enrollments": []}, (None, None)),
        ({"enrollments": [{"type": "ta", "computed_current_score": 3.0}]}, (None, None)),
        (
            {"enrollments": [{"type": "StudentEnrollment", "computed_current_score": 3.0}]},
            (3, None),
        ),
    ],
)
def test_grades(fields, grade):
    assert records.grade(course(1, "A 1", "A", **fields)) == grade


def test_terms():
    assert records.term(course(1, "A 1", "A")) == "Spring 2026"
    assert records.term(course(1, "A 1", "A", term={"id": 1, "name": "Default Term"})) is None
    assert records.term({}) is None


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-06T06:59:59Z", datetime(2026, 3, 6, 6, 59, tzinfo=UTC)),
        ("2026-03-05T23:59:59-07:00", datetime(2026, 3, 6, 6, 59, tzinfo=UTC)),
        (None, None),
        ("", None),
    ],
)
def test_moments(text, moment):
    assert records.moment(text) == moment


def test_times_without_zone_are_refused():
    with pytest.raises(ValueError, match="without a zone"):
        records.moment("2026-03-06T06:59:59")


def test_messages_are_text_and_short():
    row = announcement(1, "News", DUE, "<p>Class <b>moves</b>.</p>" + "x " * 900, "Bo")
    assert records.message(row).startswith("Class moves.\nx x")
    assert len(records.message(row)) <= records.MAX_MESSAGE
