"""Coursework of a Canvas: facts, masked, with few requests."""

import json
from datetime import UTC, datetime

import pytest

from canvas.live.coursework import CanvasCoursework
from canvas.live.requester import Requester
from canvas.tools.base import ToolError
from tests.live import campus, canvas_server
from tests.live.campus import BIOLOGY, DESIGN, SECRETS, SEMINAR
from tests.live.canvas_server import TOKEN, assignment

NOW = datetime(2026, 3, 4, 16, 0, tzinfo=UTC)
SPAN = datetime(2026, 3, 4, 16, 0, tzinfo=UTC), datetime(2026, 3, 12, 7, 0, tzinfo=UTC)


@pytest.fixture
def server():
    with canvas_server.running() as canvas:
        campus.fill(canvas)
        yield canvas


@pytest.fixture
def coursework(server):
    requester = Requester(server.url, TOKEN, sleep=lambda seconds: None)
    return CanvasCoursework(requester, lambda: NOW)


def test_courses(server, coursework):
    biology, design, writing = coursework.courses
    assert (biology.course, biology.name, biology.instructor) == (
        "@COURSE1", "Introduction to Biology", "@PERSON1",
    )  # fmt: skip
    assert (biology.term, biology.score, biology.letter) == ("Spring 2026", 88.4, "B+")
    assert (design.course, design.name, design.score) == ("@COURSE2", "Software Design", None)
    assert (writing.course, writing.name, writing.term) == ("@COURSE3", "Writing", None)
    assert coursework.course("@COURSE2") == design
    assert coursework.course("@COURSE9") is None
    assert server.paths == ["courses"]
    (_, query) = server.asked[0]
    assert query["include[]"] == ["term", "teachers", "total_scores", "syllabus_body"]
    assert query["enrollment_state"] == ["active"]


def test_a_course_without_code_or_with_nothing_but_a_code(server, coursework):
    server.routes["courses"] = [
        canvas_server.course(1, None, "Advising"),
        canvas_server.course(2, "MATH 1225", "MATH 1225"),
    ]
    assert [c.name for c in coursework.courses] == ["Advising", "@COURSE2"]
    assert coursework.names.shown == {"@COURSE1": "Advising", "@COURSE2": "MATH 1225"}


def test_assignments_of_one_course_are_one_request(server, coursework):
    items = coursework.assignments_of("@COURSE1")
    assert [(i.title, i.type, i.points, i.status) for i in items] == [
        ("Lab Report: Cells", "ASGN", 30.0, "OPEN"),
        ("Quiz 1", "QUIZ", 10.0, "OPEN"),
        ("@COURSE1 Midterm Exam", "EXAM", 10.0, "OPEN"),
        ("Essay 1", "ASGN", 10.0, "MISSING"),
    ]
    assert coursework.assignments_of("@COURSE1") == items
    assert server.paths == ["courses", f"courses/{BIOLOGY}/assignments"]
    (_, query) = server.asked[1]
    assert query["include[]"] == ["submission"]


def test_the_planner_serves_all_questions_about_due_dates(server, coursework):
    items = coursework.due_between(*SPAN)
    assert [(i.title, i.course, i.type, i.status) for i in items] == [
        ("Quiz 1 (@COURSE1)", "@COURSE1", "QUIZ", "OPEN"),
        ("Lab Report: Cells", "@COURSE1", "ASGN", "OPEN"),
        ("Homework 1", "@COURSE2", "ASGN", "SUBMITTED"),
        ("Ask @PERSON2", "@COURSE2", "DISC", "OPEN"),
        ("Quiz 1 (@COURSE2)", "@COURSE2", "QUIZ", "GRADED"),
    ]
    assert len(coursework.due_between(SPAN[0], datetime(2026, 3, 6, tzinfo=UTC))) == 1
    assert [i.title for i in coursework.due_between(datetime(2026, 3, 19, tzinfo=UTC),
            datetime(2026, 4, 19, tzinfo=UTC))] == ["@COURSE1 Midterm Exam"]  # fmt: skip
    assert server.paths == ["courses", "planner/items"]
    coursework.due_between(datetime(2026, 2, 1, tzinfo=UTC), SPAN[1])
    assert server.paths == ["courses", "planner/items", "planner/items"]


def test_equal_titles_are_told_apart_and_either_name_is_understood(server, coursework):
    coursework.due_between(*SPAN)
    assert coursework.assignment("quiz 1 (@course2)").course == "@COURSE2"
    assert coursework.assignment("Lab report:  Cells").course == "@COURSE1"
    with pytest.raises(ToolError, match=r"which: Quiz 1 \(@COURSE1\); Quiz 1 \(@COURSE2\)"):
        coursework.assignment("Quiz 1")
    assert server.paths == ["courses", "planner/items"]


def test_equal_titles_within_a_course_are_numbered_by_date(server, coursework):
    server.routes[f"courses/{SEMINAR}/assignments"] = [
        assignment(21, SEMINAR, "Reading", None),
        assignment(22, SEMINAR, "Reading", "2026-03-12T06:59:59Z"),
        assignment(23, SEMINAR, "reading", "2026-03-05T06:59:59Z"),
    ]
    assert [i.title for i in coursework.assignments_of("@COURSE3")] == [
        "Reading (@COURSE3) #3",
        "Reading (@COURSE3) #2",
        "reading (@COURSE3) #1",
    ]
    assert coursework.assignment("Reading (@COURSE3) #2").due.day == 12


def test_a_title_not_seen_yet_is_looked_for_everywhere_once(server, coursework):
    assert coursework.assignment("Homework 1").course == "@COURSE2"
    assert coursework.assignment("Homework 99") is None
    assert coursework.assignment("Homework 98") is None
    assert sorted(server.paths) == sorted(
        ["courses", *(f"courses/{id_}/assignments" for id_ in (BIOLOGY, DESIGN, SEMINAR))]
    )


def test_planner_and_assignments_are_not_taken_for_two(coursework):
    coursework.due_between(*SPAN)
    titles = [i.title for i in coursework.assignments_of("@COURSE1")]
    assert titles == ["Lab Report: Cells", "Quiz 1 (@COURSE1)", "@COURSE1 Midterm Exam", "Essay 1"]
    assert coursework.assignment("Lab Report: Cells").points == 30


def test_announcements_are_masked_text_newest_first(server, coursework):
    news, welcome = coursework.announcements_of("@COURSE1")
    assert (news.title, news.posted) == ("Room Change", datetime(2026, 3, 2, 15, 0, tzinfo=UTC))
    assert news.message == (
        "Class on 2026-03-09 meets in Room 301, says @PERSON1.\n"
        "@PERSON2 opens the @COURSE1 lab: @URL1 or @EMAIL1"
    )
    assert welcome.title == "Welcome"
    assert coursework.announcements_of("@COURSE1") == [news, welcome]
    assert server.paths == ["courses", "announcements"]
    (_, query) = server.asked[1]
    assert query["context_codes[]"] == [f"course_{BIOLOGY}"]
    assert (query["start_date"], query["end_date"]) == (["2025-11-04"], ["2026-03-05"])


def test_authors_of_announcements_are_people(coursework):
    coursework.announcements_of("@COURSE1")
    (slides,) = coursework.announcements_of("@COURSE2")
    assert slides.message == "@PERSON4 has them."
    assert coursework.names.unmask("@PERSON4") == "Mary Roe"


def test_syllabus(server, coursework):
    assert coursework.syllabus("@COURSE1") == {
        "late_policy": "Late work: 10% off per day, at most 5 days; @COURSE4 rules do not apply.",
        "office_hours": "Office hours: Tuesday 13:00-14:30, with Prof. @PERSON1",
        "textbook": "Textbook: Foundations of Cells, edition 3",
    }
    design = coursework.syllabus("@COURSE2")
    assert design["text"] == "All of it is in the repository."
    assert not any(coursework.syllabus("@COURSE3").values())
    assert server.paths == ["courses"]


def test_nothing_of_the_record_is_left(coursework):
    coursework.time_zone()
    texts = [
        *(str(course) for course in coursework.courses),
        *(str(item) for item in coursework.assignments),
        *(str(item) for item in coursework.due_between(*SPAN)),
        *(str(notice) for notice in coursework.announcements),
        *(json.dumps(coursework.syllabus(c.course)) for c in coursework.courses),
    ]
    left = [(secret, text) for text in texts for secret in SECRETS if secret in text]
    assert left == []


def test_what_canvas_forbids_is_said_and_the_rest_goes_on(server, coursework):
    server.forbidden = {f"courses/{BIOLOGY}/assignments", "announcements"}
    with pytest.raises(ToolError, match="not let this student see assignments of @COURSE1"):
        coursework.assignments_of("@COURSE1")
    assert len(coursework.assignments_of("@COURSE2")) == 4
    server.forbidden.clear()
    assert len(coursework.assignments_of("@COURSE1")) == 4


def test_a_failure_is_not_remembered(server, coursework):
    server.moods = [(500, "{}", {})] * 5
    with pytest.raises(ToolError, match="the list of courses"):
        coursework.courses  # noqa: B018
    assert len(coursework.courses) == 3


def test_refresh_asks_anew_and_keeps_the_tokens(server, coursework):
    first = coursework.courses
    coursework.announcements_of("@COURSE1")
    server.routes["courses"] = [canvas_server.course(1, "OLD 1", "Old")] + server.routes["courses"]
    coursework.refresh()
    assert [c.course for c in coursework.courses] == [
        "@COURSE4",
        "@COURSE1",
        "@COURSE2",
        "@COURSE3",
    ]
    assert coursework.courses[1:] == first


def test_time_zone_of_the_profile(server, coursework):
    assert coursework.time_zone() == "America/Denver"
    assert coursework.names.mask("Ana Lopez") == "@PERSON1"
    assert server.methods == {"GET"}
