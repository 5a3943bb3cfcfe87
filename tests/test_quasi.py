"""Sets of courses by how many share them; rare points become common ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas.quasi import common_points, k_anonymity, warning

ENROLMENTS = [
    ("ann", "c1", "spring"), ("ann", "c2", "spring"), ("ann", "c3", "fall"),
    ("bob", "c2", "spring"), ("bob", "c1", "spring"), ("bob", "c1", "spring"),
    ("eve", "c1", "spring"), ("eve", "c3", "fall"), ("eve", "c9", None),
]  # fmt: skip


def test_k_of_sets_of_courses_in_a_term():
    counts = k_anonymity(ENROLMENTS)
    assert counts == {
        "contributors": 3,
        "sets": 4,
        "smallest": 1,
        "sets_by_k": {"1": 2, "2": 2},
    }
    assert k_anonymity([]) == {"contributors": 0, "sets": 0, "smallest": 0, "sets_by_k": {}}


def test_warning_below_the_limit():
    counts = k_anonymity(ENROLMENTS)
    assert warning(counts, 1) is None
    assert warning(counts, 2).startswith("2 of 4 sets")
    assert "the smallest 1" in warning(counts, 3)
    assert warning(k_anonymity([]), 5) is None


@pytest.mark.parametrize(
    ("points", "common"),
    [(None, None), (0.0, 0.0), (5, 5), (33.5, 35.0), (11.0, 10.0), (7.14, 7.0), (286.0, 275.0),
     (100.0, 100.0), (101.0, 100.0), (12_345.0, 12_345.0), (0.5, 0.0)],
)  # fmt: skip
def test_rare_points_become_common(points, common):
    assert common_points(points) == common


@given(st.floats(0, 10_000))
def test_points_stay_near_and_settle(points):
    found = common_points(points)
    assert common_points(found) == found
    assert abs(found - points) <= max(1, 0.1 * points)
