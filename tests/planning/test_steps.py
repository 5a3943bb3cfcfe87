"""A patient plan makes failed calls again, and only those."""

import json

from canvas.faults import FAILURE
from canvas.planning.steps import days, later, patient

FAILED = json.loads(FAILURE)


def two_then_one():
    first, second = yield [("a", {}), ("b", {})]
    third = yield ("c", {})
    return f"{first} {second} {third}"


def played(plan, *answers):
    """What a plan asks for, step by step, and its answer."""
    asked, feed = [next(plan)], iter(answers)
    while True:
        try:
            asked.append(plan.send(next(feed)))
        except StopIteration as done:
            return asked, done.value


def test_nothing_fails():
    asked, answer = played(patient(two_then_one()), [1, 2], [3])
    assert asked == [[("a", {}), ("b", {})], [("c", {})]]
    assert answer == "1 2 3"


def test_failed_calls_are_made_again_until_they_work():
    asked, answer = played(
        patient(two_then_one()), [1, FAILED], [FAILED], [2], [FAILED], [{"error": "other"}]
    )
    assert asked[1:3] == [[("b", {})], [("b", {})]]
    assert asked[3:] == [[("c", {})], [("c", {})]]
    assert answer == "1 2 {'error': 'other'}"


def test_moments_and_days():
    assert later("2026-02-28T23:30", minutes=45) == "2026-03-01T00:15"
    assert [str(day) for day in days("2026-02-28", "2026-03-02")] == [
        "2026-02-28",
        "2026-03-01",
        "2026-03-02",
    ]
