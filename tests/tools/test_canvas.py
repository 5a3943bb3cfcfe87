"""Canvas tools: every result true against the world."""

import json
from datetime import timedelta

import pytest

from canvas import clock
from canvas.tools import Toolbox
from canvas.world import World

SEEDS = range(12)
SETUP = {
    "now": "2026-03-04T09:00",
    "courses": [{"course": "@COURSE7", "name": "Ecology"}, {"course": "@COURSE9", "name": "Drama"}],
    "assignments": [
        {"title": t, "course": "@COURSE7", "type": "ASGN", "due": due, "points": 10, "status": s}
        for t, due, s in (
            ("Late", "2026-03-04T08:59", "MISSING"),
            ("Now", "2026-03-04T09:00", "OPEN"),
            ("Handed In", "2026-03-05T12:00", "SUBMITTED"),
            ("Night", "2026-03-06T23:59", "OPEN"),
            ("Next Day", "2026-03-07T00:30", "OPEN"),
            ("Undated", None, "OPEN"),
        )
    ],
}


def call(world: World, name: str, **arguments):
    """The parsed result of one call."""
    return json.loads(Toolbox(world).call(name, arguments))


@pytest.fixture(params=SEEDS)
def world(request) -> World:
    """A generated world."""
    return World.generate(request.param)


@pytest.fixture
def small() -> World:
    """The world of SETUP."""
    return World.from_dict(SETUP)


def test_list_courses(world):
    listed = call(world, "canvas.list_courses")["courses"]
    assert listed == [{"course": c.course, "name": c.name} for c in world.courses]


def test_facts_of_every_course(world):
    for course in world.courses:
        facts = course.to_dict()
        for name, keys in {
            "canvas.get_course": ["course", "name", "instructor", "room", "term"],
            "canvas.get_syllabus": ["course", "late_policy", "office_hours", "textbook"],
            "canvas.get_grades": ["course", "score", "letter"],
        }.items():
            assert call(world, name, course=course.course) == {key: facts[key] for key in keys}


def test_assignments_of_every_course(world):
    keys = ["title", "type", "due", "points", "status"]
    for course in world.courses:
        listed = call(world, "canvas.get_assignments", course=course.course)["assignments"]
        expected = [i.to_dict() for i in world.assignments if i.course == course.course]
        assert all(list(item) == keys for item in listed)
        by_title = {item.pop("title"): item for item in map(dict, listed)}
        assert by_title == {e["title"]: {k: e[k] for k in keys[1:]} for e in expected}
        dues = [item["due"] or "9999" for item in listed]
        assert dues == sorted(dues)


def test_announcements_of_every_course(world):
    for course in world.courses:
        listed = call(world, "canvas.list_announcements", course=course.course)["announcements"]
        expected = [n for n in world.announcements if n.course == course.course]
        assert sorted(n["message"] for n in listed) == sorted(n.message for n in expected)
        assert {n["title"]: n["posted"] for n in listed} == {
            n.title: clock.show(n.posted) for n in expected
        }
        posted = [n["posted"] for n in listed]
        assert posted == sorted(posted, reverse=True)


def test_todo_holds_open_work_from_now_to_the_end_of_the_last_day(small):
    def titles(days: int) -> list[str]:
        return [item["title"] for item in call(small, "canvas.get_todo", days=days)["todo"]]

    assert titles(1) == ["Now"]
    assert titles(2) == ["Now", "Night"]
    assert titles(3) == ["Now", "Night", "Next Day"]
    first = call(small, "canvas.get_todo", days=1)["todo"][0]
    assert first == {"title": "Now", "course": "@COURSE7", "due": "2026-03-04T09:00"}


def test_todo_is_true_in_generated_worlds(world):
    for days in (1, 7, 60):
        listed = {item["title"] for item in call(world, "canvas.get_todo", days=days)["todo"]}
        last = world.now.date() + timedelta(days=days)
        assert listed == {
            item.title
            for item in world.assignments
            if item.status in ("OPEN", "MISSING")
            and item.due is not None
            and world.now <= item.due
            and item.due.date() <= last
        }


def test_planner_items_include_both_days_and_what_is_done(small):
    def titles(start: str, end: str) -> list[str]:
        listed = call(small, "canvas.list_planner_items", start=start, end=end)["items"]
        return [item["title"] for item in listed]

    assert titles("2026-03-04", "2026-03-04") == ["Late", "Now"]
    assert titles("2026-03-05", "2026-03-06") == ["Handed In", "Night"]
    assert titles("2026-03-08", "2026-03-20") == []


def test_planner_items_end_at_midnight_exactly():
    item = {**SETUP["assignments"][0], "due": "2026-03-05T00:00"}
    world = World.from_dict({**SETUP, "assignments": [item]})
    on = {d: call(world, "canvas.list_planner_items", start=d, end=d)["items"] for d in
          ("2026-03-04", "2026-03-05")}  # fmt: skip
    assert [len(on["2026-03-04"]), len(on["2026-03-05"])] == [0, 1]


@pytest.mark.parametrize(
    "name",
    ["get_course", "get_assignments", "get_syllabus", "get_grades", "list_announcements"],
)
def test_unknown_course_is_answered_with_the_known_ones(small, name):
    expected = {"error": "unknown course; known: @COURSE7, @COURSE9"}
    assert call(small, f"canvas.{name}", course="@COURSE70") == expected


def test_what_was_never_posted(small):
    assert call(small, "canvas.get_course", course="@COURSE7")["room"] is None
    for name in ("grade", "syllabus"):
        tool = "canvas.get_grades" if name == "grade" else "canvas.get_syllabus"
        expected = {"error": f"no {name} is posted for @COURSE7"}
        assert call(small, tool, course="@COURSE7") == expected
    assert call(small, "canvas.get_assignments", course="@COURSE9") == {"assignments": []}
    assert call(small, "canvas.list_announcements", course="@COURSE9") == {"announcements": []}


@pytest.mark.parametrize("days", [0, -1, 61])
def test_todo_days_have_bounds(small, days):
    assert call(small, "canvas.get_todo", days=days) == {"error": "days must be from 1 to 60"}


@pytest.mark.parametrize(
    ("start", "end", "reason"),
    [
        ("today", "2026-03-05", "start must be a date like 2026-03-04"),
        ("2026-03-05", "2026-02-30", "end is no day of the calendar"),
        ("2026-03-05", "2026-03-04", "end must not be before start"),
        ("2026-03-05", "2027-03-07", "start and end must be at most 366 days apart"),
        ("1999-01-01", "1999-01-02", "start must lie in the years 2000 to 2100"),
    ],
)
@pytest.mark.parametrize("name", ["canvas.list_planner_items", "calendar.list_events"])
def test_wrong_ranges(small, name, start, end, reason):
    assert call(small, name, start=start, end=end) == {"error": reason}


def test_many_known_courses_are_cut_short():
    world = World.generate(1, courses=(30, 30))
    text = call(world, "canvas.get_course", course="x")["error"]
    assert text.endswith("… (30 in all)")
    assert text.count("@COURSE") == 12
