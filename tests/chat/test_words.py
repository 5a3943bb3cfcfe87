"""What the agent does, in words."""

import json

import pytest

from canvas.chat import words
from canvas.world import World


@pytest.fixture
def world():
    event = {"event": "E1", "title": "Gym", "start": "2026-03-03T18:00", "minutes": 60}
    return World.from_dict({"now": "2026-03-02T09:00", "events": [event]})


def unmask(text):
    return text.replace("@COURSE1", "CHEM 201")


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        ({"courses": [{"course": "@COURSE1", "name": "x"}]}, "1 course: CHEM 201"),
        ({"todo": [{"title": "A"}, {"title": "B"}]}, "2 todo: A, B"),
        ({"events": []}, "0 events"),
        ({"sessions": ["2026-03-04"]}, "1 session: 2026-03-04"),
        ({"score": 91.5, "letter": None}, "score 91.5"),
        ({"event": "E9", "title": "A\x1b[2J", "minutes": 5}, "event E9, title A, minutes 5"),
        ({"a": {"b": [1]}}, 'a {"b": [1]}'),
        ({}, ""),
    ],
)
def test_results_in_short(result, shown):
    assert words.result(json.dumps(result), unmask) == (shown, True)


def test_an_error_is_no_result():
    assert words.result('{"error":"no course @COURSE1"}', unmask) == ("no course CHEM 201", False)


def test_arguments():
    values = {"course": "@COURSE1", "items": ["a", "b"], "days": 7, "x": None}
    assert words.arguments(values, unmask) == 'course=CHEM 201, items=["a", "b"], days=7, x=null'


@pytest.mark.parametrize(
    ("proposal", "shown"),
    [
        (
            {"action": "create", "event": "E2", "title": "Read", "start": "2026-03-04T23:30"}
            | {"minutes": 60},
            'add "Read", Wed 4 Mar 2026, 23:30 to Thu 5 Mar 2026, 00:30',
        ),
        (
            {"action": "modify", "event": "E1", "title": "Swim", "minutes": 30},
            'change "Gym", Tue 3 Mar 2026, 18:00 to 19:00 '
            'to "Swim", Tue 3 Mar 2026, 18:00 to 18:30',
        ),
        ({"action": "delete", "event": "E1"}, 'delete "Gym", Tue 3 Mar 2026, 18:00 to 19:00'),
        ({"action": "delete", "event": "E7"}, "delete E7, which is gone"),
    ],
)
def test_proposals(world, proposal, shown):
    assert words.proposal(proposal, world, unmask) == shown


def test_a_title_cannot_state_another_time(world):
    trap = 'Gym", Mon 1 Jan 2027, 08:00 to 09:00\n? add "Tea'
    proposal = {"action": "create", "event": "E2", "title": trap, "start": "2026-03-04T10:00"}
    text = words.proposal(proposal | {"minutes": 15}, world, unmask)
    assert text.count('"') == 2
    assert text.endswith('", Wed 4 Mar 2026, 10:00 to 10:15')
    assert "\n" not in text
