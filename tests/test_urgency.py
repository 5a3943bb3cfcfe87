"""The urgency rule: its order, its words, its days."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas import clock
from canvas.urgency import TYPE_WEIGHT, urgency

NOW = clock.parse_time("2026-03-04T09:00")


def due(text: str) -> datetime:
    return clock.parse_time(text)


def test_order_from_most_to_least_urgent():
    ranked = [
        urgency(due("2026-03-03T23:59"), 5, "MISSING", "ASGN", NOW),
        urgency(due("2026-03-04T23:59"), 5, "OPEN", "ASGN", NOW),
        urgency(due("2026-03-07T08:00"), 100, "OPEN", "EXAM", NOW),
        urgency(due("2026-03-05T08:00"), 100, "OPEN", "ASGN", NOW),
        urgency(due("2026-03-06T08:00"), 100, "OPEN", "ASGN", NOW),
        urgency(due("2026-03-05T08:00"), 90, "OPEN", "ASGN", NOW),
        urgency(due("2026-03-11T08:00"), 200, "OPEN", "ASGN", NOW),
        urgency(due("2026-03-12T08:00"), 300, "OPEN", "ASGN", NOW),
        urgency(None, 500, "OPEN", "ASGN", NOW),
        urgency(due("2026-03-04T10:00"), 500, "SUBMITTED", "EXAM", NOW),
    ]
    assert all(first.score > second.score for first, second in pairwise(ranked))


@pytest.mark.parametrize(
    ("when", "points", "status", "reason"),
    [
        ("2026-03-02T10:00", 100, "MISSING", "it is overdue by 2 days and worth 100 points"),
        ("2026-03-03T23:59", 1, "OPEN", "it is overdue by 1 day and worth 1 point"),
        ("2026-03-04T08:59", 7.5, "OPEN", "it is overdue since today and worth 7.5 points"),
        ("2026-03-04T09:00", 10.0, "OPEN", "it is due today and worth 10 points"),
        ("2026-03-05T00:00", 10, "NOT_SUBMITTED", "it is due in 1 day and worth 10 points"),
        (None, 10, "OPEN", "it is without a date and worth 10 points"),
        ("2026-03-02T10:00", 10, "GRADED", "it is already graded"),
    ],
)
def test_reason(when, points, status, reason):
    moment = None if when is None else due(when)
    assert urgency(moment, points, status, "ASGN", NOW).reason == reason


def test_days_are_those_of_the_clock_that_asks():
    midnight_in_utc = datetime(2026, 3, 5, 3, 59, tzinfo=UTC)
    assert "due today" in urgency(midnight_in_utc, 5, "OPEN", "ASGN", NOW).reason


def test_overdue_within_the_repeated_hour():
    first, second = due("2026-11-01T01:30"), due("2026-11-01T01:10-05:00")
    assert "overdue since today" in urgency(first, 5, "OPEN", "ASGN", second).reason


@pytest.mark.parametrize(("type_", "status"), [("ESSAY", "OPEN"), ("ASGN", "LOST")])
def test_unknown_words_are_refused(type_, status):
    with pytest.raises(ValueError, match="unknown"):
        urgency(NOW, 5, status, type_, NOW)


@given(
    st.integers(-30, 30), st.floats(0, 1000), st.sampled_from(["OPEN", "MISSING"]),
    st.sampled_from(sorted(TYPE_WEIGHT)),
)  # fmt: skip
def test_more_points_are_never_less_urgent(days, points, status, type_):
    when = NOW + timedelta(days=days)
    less = urgency(when, points, status, type_, NOW)
    more = urgency(when, points + 1, status, type_, NOW)
    assert more.score > less.score
