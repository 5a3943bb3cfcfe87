from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas import items

ROW = {
    "type": "ASGN",
    "title": "Lab Report 3:  Titration",
    "course": "@COURSE12345678",
    "due_at": "2026-03-07T04:59:59Z",
    "collected_at": "2026-03-04T18:00:00Z",
    "points": 50.0,
    "status": "NOT_SUBMITTED",
}


def test_line_of_a_row():
    line = "[ASGN] Lab Report 3: Titration @COURSE12345678 DUE 3D 50pts OPEN"
    assert str(items.from_row(ROW)) == line
    assert items.parse(line) == items.from_row(ROW)


@pytest.mark.parametrize(
    ("due", "status", "shown"),
    [
        ("2026-03-04T17:59:59Z", "NOT_SUBMITTED", ("OVERDUE", "MISSING")),
        ("2026-03-04T17:59:59Z", "GRADED", ("OVERDUE", "GRADED")),
        ("2026-03-04T23:59:59Z", "NOT_SUBMITTED", ("DUE TODAY", "OPEN")),
        ("2026-03-05T00:00:00Z", "SUBMITTED", ("DUE 1D", "SUBMITTED")),
        ("2026-03-04T20:00:00-05:00", "NOT_SUBMITTED", ("DUE 1D", "OPEN")),
        ("2026-03-04T19:00:00", "NOT_SUBMITTED", ("DUE TODAY", "OPEN")),
        (None, "NOT_SUBMITTED", ("NO DATE", "OPEN")),
    ],
)
def test_state_is_relative_to_the_export(due, status, shown):
    item = items.from_row({**ROW, "due_at": due, "status": status})
    assert (item.due, item.status) == shown


def test_ungraded_work_has_no_points():
    assert str(items.from_row({**ROW, "points": None})).endswith(" 0pts OPEN")


_NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)


@given(
    title=st.lists(_NAMES, min_size=1, max_size=4).map(" ".join),
    days=st.one_of(st.none(), st.integers(-9, 99)),
    points=st.integers(0, 4000).map(lambda n: n / 4),
    status=st.sampled_from(["GRADED", "SUBMITTED", "NOT_SUBMITTED"]),
)
def test_every_line_parses_back(title, days, points, status):
    now = datetime(2026, 3, 4, 18, tzinfo=UTC)
    due = None if days is None else (now + timedelta(days=days)).isoformat()
    row = {**ROW, "title": title, "due_at": due, "points": points, "status": status}
    item = items.from_row(row)
    assert items.parse(str(item)) == item


@pytest.mark.parametrize("line", ["", "Lab Report 3", "[ASGN] Lab @COURSE1 DUE 3 50pts OPEN"])
def test_other_text_is_no_item(line):
    with pytest.raises(ValueError, match="not an item line"):
        items.parse(line)


def test_words_say_what_the_line_shows():
    item = items.from_row(ROW)
    assert items.words(item) == "this assignment is due in 3 days, worth 50 points"
    assert items.words(item._replace(due="DUE 1D", points=1.0)).endswith("in 1 day, worth 1 point")
    assert items.words(item._replace(due="OVERDUE")).startswith("this assignment is overdue")
    assert items.words(item._replace(due="NO DATE")).startswith("this assignment has no due date")
    assert items.words(item._replace(status="GRADED")) == "this assignment is already graded"
