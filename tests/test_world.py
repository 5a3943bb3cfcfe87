"""The world: generation, explicit data, state and its differences."""

import json
import os
import subprocess
import sys
from collections import Counter
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas import clock
from canvas.world import Event, World, diff
from canvas.world.facts import letter_of
from canvas.world.state import normal

SETUP = {
    "now": "2026-03-04T09:00",
    "courses": [{"course": "@COURSE7", "name": "Ecology"}],
    "assignments": [
        {
            "title": "Lab 1: Soil",
            "course": "@COURSE7",
            "type": "ASGN",
            "due": "2026-03-06T23:59",
            "points": 10,
        }
    ],
    "announcements": [
        {"course": "@COURSE7", "title": "Hello", "posted": "2026-03-01T10:00", "message": "Hi."}
    ],
    "events": [{"event": "E4", "title": "Gym", "start": "2026-03-05T10:00", "minutes": 60}],
}


def changed(**changes) -> dict:
    """SETUP with some top-level keys replaced."""
    return {**SETUP, **changes}


@given(st.integers(0, 10**6))
def test_generated_worlds_hold_their_promises(seed):
    world = World.generate(seed)
    assert 3 <= len(world.courses) <= 4
    assert 3 <= len(world.events) <= 6
    per_course = Counter(item.course for item in world.assignments)
    assert set(per_course) == {course.course for course in world.courses}
    assert set(per_course.values()) <= {2, 3}
    titles = [r.title for r in (*world.assignments, *world.announcements, *world.events)]
    assert len({normal(title) for title in titles}) == len(titles)
    assert len({course.name for course in world.courses}) == len(world.courses)
    starts = sorted(world.events, key=lambda event: event.start.timestamp())
    for index, event in enumerate(starts):
        assert not any(event.overlaps(o.start, o.end) for o in starts[index + 1 :])
    for item in world.assignments:
        late = item.due is not None and item.due.timestamp() < world.now.timestamp()
        assert late or item.status not in ("MISSING", "GRADED")
        assert not (late and item.status == "OPEN")
    for course in world.courses:
        assert course.letter == letter_of(course.score)


@given(st.integers(0, 10**6))
def test_a_world_survives_json(seed):
    world = World.generate(seed)
    assert World.from_dict(json.loads(json.dumps(world.to_dict()))) == world


def test_sizes_are_arguments():
    world = World.generate(
        5, courses=(9, 9), assignments=(12, 12), announcements=(3, 3), events=(90, 90)
    )
    assert [len(world.courses), len(world.assignments)] == [9, 108]
    assert [len(world.announcements), len(world.events)] == [27, 90]
    assert len({event.event for event in world.events}) == 90


def test_generation_is_the_same_in_every_process():
    code = "from canvas.world import World; print([World.generate(s).to_dict() for s in range(9)])"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone in (("0", "UTC"), ("1", "Asia/Tokyo"), ("777", "America/New_York"))
    }
    assert outputs == {f"{[World.generate(s).to_dict() for s in range(9)]}\n".encode()}


def test_no_constant_fact_is_often_right():
    worlds = [World.generate(seed) for seed in range(150)]
    facts = {
        name: [getattr(course, name) for world in worlds for course in world.courses]
        for name in ("course", "instructor", "room", "late_policy", "office_hours", "score")
    }
    facts["letter"] = [course.letter for world in worlds for course in world.courses]
    facts["points"] = [item.points for world in worlds for item in world.assignments]
    facts["due"] = [item.due for world in worlds for item in world.assignments]
    facts["message"] = [notice.message for world in worlds for notice in world.announcements]
    for name in ("event", "title", "start", "minutes"):
        facts[f"event {name}"] = [getattr(event, name) for w in worlds for event in w.events]
    shares = {k: Counter(v).most_common(1)[0][1] / len(v) for k, v in facts.items()}
    assert {k: v for k, v in shares.items() if v > 0.15} == {}


def test_explicit_data():
    world = World.from_dict(SETUP)
    assert world.now == datetime.fromisoformat("2026-03-04T09:00-05:00")
    assert world.assignment("  lab 1:  SOIL ").status == "OPEN"
    assert world.course("@COURSE7").room is None
    assert world.event("E4").end == clock.parse_time("2026-03-05T11:00")
    assert world.course("@COURSE8") is world.assignment("x") is world.event("E1") is None


def test_times_that_yaml_read_already():
    start = datetime(2026, 3, 5, 10, 0)
    event = {"event": "E4", "title": "Gym", "start": start, "minutes": 60}
    assert World.from_dict(changed(now=datetime(2026, 3, 4, 9), events=[event])) == World.from_dict(
        SETUP
    )


COURSE, ITEM, EVENT = SETUP["courses"][0], SETUP["assignments"][0], SETUP["events"][0]


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ({k: v for k, v in SETUP.items() if k != "now"}, "no now"),
        (changed(now="noon"), "like 2026-03-04T14:00"),
        (changed(lessons=[]), "World: unknown field 'lessons'"),
        (changed(courses=["@COURSE7"]), "Course: not a mapping"),
        (changed(courses=[{"course": "@COURSE7"}]), "Course.*'name'"),
        (changed(courses=[{**COURSE, "teacher": "x"}]), "unknown field 'teacher'; known: course"),
        (changed(courses=[{**COURSE, "score": float("nan")}]), "score: must be finite"),
        (changed(courses=[{**COURSE, "name": 7}]), "name: must be str, not 7"),
        (changed(courses=[COURSE, COURSE]), "course '@COURSE7' occurs twice"),
        (changed(assignments=[ITEM, {**ITEM, "title": "LAB 1: soil"}]), "occurs twice"),
        (changed(assignments=[{**ITEM, "course": "@COURSE9"}]), "unknown course '@COURSE9'"),
        (changed(assignments=[{**ITEM, "type": "ESSAY"}]), "unknown type 'ESSAY'; known: ASGN"),
        (changed(assignments=[{**ITEM, "status": "LOST"}]), "unknown status 'LOST'"),
        (changed(assignments=[{**ITEM, "points": -1}]), "points must not be negative"),
        (changed(assignments=[{**ITEM, "due": 5}]), "Assignment: due: must be a time"),
        (changed(events=[{**EVENT, "start": None}]), "Event: start: must be a time"),
        (changed(events=[{**EVENT, "start": "2026-03-08T02:30"}]), "does not exist"),
        (changed(events=[{**EVENT, "minutes": 0}]), "minutes must be positive"),
        (changed(events=[{**EVENT, "minutes": True}]), "minutes: must be int"),
        (changed(events=[EVENT, EVENT]), "event 'E4' occurs twice"),
    ],
)
def test_wrong_data_is_named(setup, reason):
    with pytest.raises(ValueError, match=reason):
        World.from_dict(setup)


def test_snapshot_is_independent_and_diff_tells_what_happened():
    world = World.from_dict(SETUP)
    before = world.snapshot()
    assert diff(before, world.snapshot()) == {
        "created": [],
        "changed": [],
        "removed": [],
        "proposed": [],
    }
    world.add_event("Study", clock.parse_time("2026-03-06T14:00"), 45)
    world.proposals.append({"action": "delete", "event": "E4"})
    after = world.snapshot()
    created = {"event": "E5", "title": "Study", "start": "2026-03-06T14:00", "minutes": 45}
    assert world.diff(before, after)["created"] == [created]
    assert diff(before, after)["proposed"] == [{"action": "delete", "event": "E4"}]
    assert before == World.from_dict(SETUP).snapshot()
    world.proposals[0]["event"] = "E5"
    assert after["proposals"] == [{"action": "delete", "event": "E4"}]
    assert json.loads(json.dumps(after)) == after


def test_diff_sees_what_no_tool_may_do():
    world = World.from_dict(SETUP)
    before = world.snapshot()
    world.events[0] = Event("E4", "Gym", clock.parse_time("2026-03-05T12:00"), 60)
    assert [e["start"] for e in diff(before, world.snapshot())["changed"]] == ["2026-03-05T12:00"]
    world.events.clear()
    assert [e["event"] for e in diff(before, world.snapshot())["removed"]] == ["E4"]


def test_event_ids_go_up_from_the_highest():
    assert World.from_dict(changed(events=[])).next_event_id() == "E1"
    odd = {**EVENT, "event": "gym"}
    world = World.from_dict(changed(events=[odd, {**EVENT, "event": "E99"}]))
    assert world.next_event_id() == "E100"


@pytest.mark.parametrize(
    ("score", "letter"), [(100, "A"), (93, "A"), (92.9, "A-"), (60, "D"), (59.9, "F"), (0, "F")]
)
def test_letters(score, letter):
    assert letter_of(score) == letter
