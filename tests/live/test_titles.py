"""Titles that tell coursework apart."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from canvas.live.records import Item
from canvas.live.titles import titles
from canvas.world.state import normal

TOKENS = {1: "@COURSE1", 2: "@COURSE2"}


def item(title: str, course: int = 1, day: int | None = None) -> Item:
    due = datetime(2026, 3, day, tzinfo=UTC) if day else None
    return Item(course, title, "ASGN", due, 10.0, "OPEN")


def test_only_what_is_needed_is_added():
    items = [item("Lab"), item("Quiz 1", 1), item("quiz  1", 2), item("Reading", 2, 9),
             item("Reading", 2, 4), item("Reading", 2), item("Reading", 1)]  # fmt: skip
    assert list(titles(items, TOKENS, str).values()) == [
        "Lab",
        "Quiz 1 (@COURSE1)",
        "quiz  1 (@COURSE2)",
        "Reading (@COURSE2) #2",
        "Reading (@COURSE2) #1",
        "Reading (@COURSE2) #3",
        "Reading (@COURSE1)",
    ]


def test_titles_that_masking_makes_equal_are_told_apart_too():
    shown = titles([item("Essay for Ana"), item("Essay for Bo", 2)], TOKENS, lambda text: text[:9])
    assert list(shown.values()) == ["Essay for (@COURSE1)", "Essay for (@COURSE2)"]


ITEM = st.builds(
    item,
    st.sampled_from(["Lab", "lab ", "Quiz", "Reading 1"]),
    st.sampled_from(list(TOKENS)),
    st.sampled_from([None, 3, 4, 5]),
)


@given(st.lists(ITEM, max_size=12))
def test_no_two_things_have_one_title(items):
    shown = titles(items, TOKENS, str)
    assert set(shown) == {each.identity for each in items}
    assert len({normal(title) for title in shown.values()}) == len(shown)
