"""Study tools: their formulas, by hand and as properties."""

import json
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from canvas.tools import Toolbox
from canvas.tools.study import optimal_gap, session_offsets
from canvas.world import World

NOW = "2026-03-04T09:00"  # a Wednesday


def make(*items: tuple[str, str, float, str]) -> World:
    """A world of one course with items (title, due, points, status)."""
    keys = ("title", "due", "points", "status")
    return World.from_dict({
        "now": NOW,
        "courses": [{"course": "@COURSE7", "name": "Ecology"}],
        "assignments": [
            {"course": "@COURSE7", "type": "ASGN", **dict(zip(keys, item, strict=True))}
            for item in items
        ],
    })  # fmt: skip


def call(name: str, world: World | None = None, **arguments):
    """The parsed result of one study call."""
    return json.loads(Toolbox(world or make()).call(f"study.{name}", arguments))


@pytest.mark.parametrize(
    ("days", "gap"), [(1, 1), (5, 1), (7, 1), (10, 2), (30, 4), (70, 8), (365, 18), (700, 35)]
)
def test_optimal_gap(days, gap):
    assert optimal_gap(days) == gap


@given(st.integers(7, 1000))
def test_the_gap_grows_while_its_share_stays_in_the_published_range(days):
    assert optimal_gap(days + 1) >= optimal_gap(days)
    # Half a day of rounding on either side of 20 % (a week) to 5 % (a year).
    assert 0.05 * days - 0.5 <= optimal_gap(days) <= 0.20 * days + 0.5


@given(st.integers(1, 400), st.integers(1, 10))
def test_sessions_are_distinct_start_today_and_end_before_the_test(days, sessions):
    assume(sessions <= days)
    offsets = session_offsets(days, sessions)
    assert len(offsets) == sessions
    assert offsets[0] == 0
    assert offsets[-1] <= days - 1
    assert all(later > earlier for earlier, later in pairwise(offsets))


@given(st.integers(1, 400), st.integers(3, 10))
def test_gaps_expand(days, sessions):
    assume(optimal_gap(days) * sessions * (sessions - 1) // 2 <= days - 1)
    offsets = session_offsets(days, sessions)
    gaps = [later - earlier for earlier, later in pairwise(offsets)]
    assert gaps == [optimal_gap(days) * (k + 1) for k in range(sessions - 1)]


@pytest.mark.parametrize(
    ("exam", "sessions", "expected"),
    [
        ("2026-03-05", 1, ["2026-03-04"]),
        ("2026-03-09", 5, [f"2026-03-0{day}" for day in (4, 5, 6, 7, 8)]),
        ("2026-03-14", 4, ["2026-03-04", "2026-03-05", "2026-03-08", "2026-03-13"]),
        ("2026-04-03", 4, ["2026-03-04", "2026-03-08", "2026-03-16", "2026-03-28"]),
    ],
)
def test_spaced_schedule(exam, sessions, expected):
    result = call("spaced_schedule", exam_date=exam, sessions=sessions)
    assert result == {"sessions": expected}


@pytest.mark.parametrize(
    ("exam", "sessions", "reason"),
    [
        ("2026-03-14", 0, "sessions must be from 1 to 10"),
        ("2026-03-14", 11, "sessions must be from 1 to 10"),
        ("2026-03-04", 1, "exam_date must be at least 1 day after 2026-03-04"),
        ("2026-03-07", 4, "exam_date must be at least 4 days after 2026-03-04"),
        ("2025-03-07", 4, "exam_date must be at least 4 days after 2026-03-04"),
        ("soon", 4, "exam_date must be a date like 2026-03-04"),
    ],
)
def test_wrong_schedules(exam, sessions, reason):
    result = call("spaced_schedule", exam_date=exam, sessions=sessions)
    assert result == {"error": reason}


def test_exam_bracket():
    result = call("exam_bracket", exam_date="2026-03-14", days=5)
    expected = {"start": "2026-03-09", "light_review": "2026-03-13", "exam": "2026-03-14"}
    assert result == expected
    today = call("exam_bracket", exam_date="2026-03-06", days=2)
    assert today["start"] == "2026-03-04"


@pytest.mark.parametrize(
    ("exam", "days", "reason"),
    [
        ("2026-03-14", 1, "days must be from 2 to 30"),
        ("2026-03-14", 31, "days must be from 2 to 30"),
        ("2026-03-14", 11, "exam_date must be at least 11 days after 2026-03-04"),
        ("2026-13-14", 5, "exam_date is no day of the calendar"),
    ],
)
def test_wrong_brackets(exam, days, reason):
    assert call("exam_bracket", exam_date=exam, days=days) == {"error": reason}


@pytest.mark.parametrize(
    ("type_", "points", "minutes", "blocks"),
    [
        ("DISC", 5, 25, 1),
        ("ASGN", 15, 25, 3),
        ("ASGN", 15.5, 50, 2),
        ("QUIZ", 40, 50, 4),
        ("EXAM", 50, 50, 6),
        ("EXAM", 100, 90, 7),
        ("EXAM", 1000, 90, 67),
    ],
)
def test_block_size(type_, points, minutes, blocks):
    result = call("recommend_block_size", type=type_, points=points)
    assert result == {"minutes": minutes, "blocks": blocks}


@given(st.sampled_from(["ASGN", "QUIZ", "DISC", "EXAM"]), st.floats(1, 1000))
def test_blocks_cover_the_work_without_one_to_spare(type_, points):
    result = call("recommend_block_size", type=type_, points=points)
    work = points * {"ASGN": 4, "QUIZ": 5, "DISC": 3, "EXAM": 6}[type_]
    assert (result["blocks"] - 1) * result["minutes"] < work
    assert work <= result["blocks"] * result["minutes"]


@pytest.mark.parametrize(
    ("type_", "points", "reason"),
    [
        ("ESSAY", 10, "type must be one of ASGN, QUIZ, DISC, EXAM"),
        ("ASGN", 0, "points must be from 1 to 1000"),
        ("ASGN", -5, "points must be from 1 to 1000"),
        ("ASGN", 1001, "points must be from 1 to 1000"),
    ],
)
def test_wrong_block_sizes(type_, points, reason):
    assert call("recommend_block_size", type=type_, points=points) == {"error": reason}


def test_semester_schedule_by_hand():
    world = make(
        ("Essay", "2026-03-06T23:59", 20, "OPEN"),
        ("Project", "2026-03-18T23:59", 80, "OPEN"),
        ("Done", "2026-03-10T23:59", 500, "SUBMITTED"),
        ("Old", "2026-03-02T23:59", 500, "MISSING"),
    )
    # Loads of a week and the next: 20, 80, 80. Half hours 24: 4 + 1.33, 4 + 5.33, 4 + 5.33.
    assert call("semester_schedule", world, course="@COURSE7", hours=4)["weeks"] == [
        {"week": 1, "start": "2026-03-04", "hours": 3, "focus": "Essay"},
        {"week": 2, "start": "2026-03-09", "hours": 4.5, "focus": "Project"},
        {"week": 3, "start": "2026-03-16", "hours": 4.5, "focus": "Project"},
    ]


@given(st.integers(0, 10**5), st.integers(2, 120))
def test_semester_schedule_in_generated_worlds(seed, halves):
    world = World.generate(seed, assignments=(4, 6))
    hours = halves / 2
    for course in world.courses:
        due = [
            item
            for item in world.assignments
            if item.course == course.course
            and item.due is not None
            and item.due >= world.now
            and item.status == "OPEN"
        ]
        result = call("semester_schedule", world, course=course.course, hours=hours)
        if not due:
            assert "nothing due" in result["error"]
            continue
        weeks = result["weeks"]
        assert [week["week"] for week in weeks] == list(range(1, len(weeks) + 1))
        assert sum(week["hours"] for week in weeks) == hours * len(weeks)
        assert min(week["hours"] for week in weeks) >= hours / 2 - 0.5
        starts = [date.fromisoformat(week["start"]) for week in weeks]
        assert starts[0] == world.today
        assert all(start.weekday() == 0 for start in starts[1:])
        last = max(item.due.date() for item in due)
        assert starts[-1] <= last < starts[-1] + timedelta(days=7)
        assert {week["focus"] for week in weeks} <= {item.title for item in due}


def test_focus_of_a_quiet_week_is_what_comes_next():
    world = make(("Project", "2026-04-18T23:59", 80, "OPEN"))
    weeks = call("semester_schedule", world, course="@COURSE7", hours=2)["weeks"]
    assert {week["focus"] for week in weeks} == {"Project"}
    assert len(weeks) == 7


def test_semester_schedule_ends_after_fifteen_weeks():
    world = make(("Soon", "2026-03-05T23:59", 5, "OPEN"), ("Far", "2026-09-18T23:59", 5, "OPEN"))
    assert len(call("semester_schedule", world, course="@COURSE7", hours=2)["weeks"]) == 1
    far = make(("Far", "2026-06-10T08:59", 5, "OPEN"))
    assert len(call("semester_schedule", far, course="@COURSE7", hours=2)["weeks"]) == 15


@pytest.mark.parametrize(
    ("course", "hours", "reason"),
    [
        ("@COURSE8", 4, "unknown course; known: @COURSE7"),
        ("@COURSE7", 0.5, "hours must be from 1 to 60"),
        ("@COURSE7", 61, "hours must be from 1 to 60"),
        ("@COURSE7", 4, "@COURSE7 has nothing due in the next 15 weeks"),
    ],
)
def test_wrong_semesters(course, hours, reason):
    assert call("semester_schedule", course=course, hours=hours) == {"error": reason}
