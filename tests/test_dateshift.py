"""Dates move by whole weeks in every spelling; numbers that are no dates stay."""

import pytest

from canvas.dateshift import shift_text, shift_time

NEAR = "2024-01-25T04:59:59Z"


def test_times_keep_weekday_clock_and_zone():
    assert shift_time("2026-05-04T18:50:00.500701+00:00", -2) == "2026-04-20T18:50:00.500701+00:00"
    assert shift_time("2026-05-04", 1) == "2026-05-11"
    assert shift_time(None, 1) is None


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("Quiz 1, Thursday, Jan. 25th", "Quiz 1, Thursday, Feb. 1st"),
        ("Quiz 2, Thursday, February 22nd", "Quiz 2, Thursday, February 29th"),
        ("SEPTEMBER 6 OR SEPTEMBER 1", "SEPTEMBER 13 OR SEPTEMBER 8"),
        ("Fair - Monday, Oct. 23", "Fair - Monday, Oct. 30"),
        ("May 27", "Jun 3"),
        ("due 28 April", "due 5 May"),
        ("on 3rd of March 2024", "on 10th of March 2024"),
        ("Exam December 30, 2025", "Exam January 6, 2026"),
        ("Lecture 2/9 and more", "Lecture 2/16 and more"),
        ("by 12/28/2023", "by 1/4/2024"),
        ("by 12/28/23", "by 1/4/24"),
        ("1.24 ARQ Yoga", "1.31 ARQ Yoga"),
        ("from 2024-01-25T14:00", "from 2024-02-01T14:00"),
        ("2024-12-31", "2025-01-07"),
    ],
)
def test_dates_in_text_move(text, moved):
    assert shift_text(text, 1, NEAR) == moved


@pytest.mark.parametrize(
    "text",
    [
        "5.1/5.6 Sequences", "2.1 Logical Forms", "01.01 Data Structures", "9/24 of it", "May Exam",
        "Part 3/4", "March 2024", "Chapter 12", "Feb 30", "2024-13-01", "1.24e5", "1/2 page",
        "192.0.2.1", "at 12:30", "01.25 Testing",
    ],
)  # fmt: skip
def test_no_dates_stay(text):
    near = "2024-07-25" if text in ("1/2 page", "9/24 of it", "Part 3/4") else NEAR
    assert shift_text(text, 1, near) == text


def test_without_an_anchor_only_full_dates_move():
    assert shift_text("Jan. 25th and 2/9 and 2024-02-09", 1, None) == (
        "Jan. 25th and 2/9 and 2024-02-16"
    )
