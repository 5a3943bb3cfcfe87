"""Tools fail as often as they are told to, and work again after it."""

import json
import math

from canvas.faults import FAILURE, FaultyToolbox
from canvas.tools import Toolbox
from canvas.world import World

COURSES, EVENTS = (
    ("canvas.list_courses", {}),
    (
        "calendar.list_events",
        {"start": "2026-03-02", "end": "2026-03-03"},
    ),
)


def box(faults: dict, names=None) -> FaultyToolbox:
    return FaultyToolbox(World.generate(3), names, faults)


def test_the_first_calls_of_a_tool_fail():
    faulty, sound = box({COURSES[0]: 2}), Toolbox(World.generate(3))
    assert [faulty.call(*COURSES) for _ in range(3)] == [FAILURE, FAILURE, sound.call(*COURSES)]
    assert faulty.call(*EVENTS) == sound.call(*EVENTS)


def test_a_tool_may_never_work():
    faulty = box({COURSES[0]: math.inf})
    assert {faulty.call(*COURSES) for _ in range(20)} == {FAILURE}


def test_without_faults_it_is_a_toolbox():
    assert box({}).call(*COURSES) == Toolbox(World.generate(3)).call(*COURSES)


def test_a_tool_that_is_not_declared_is_unknown_all_the_same():
    faulty = box({COURSES[0]: 1}, [EVENTS[0]])
    assert "unknown tool" in json.loads(faulty.call(*COURSES))["error"]
    assert "unknown tool" in json.loads(faulty.call(["list"], {}))["error"]
