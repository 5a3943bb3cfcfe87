"""Terms move with the dates, in the form that they have; numbers that are no terms stay."""

import pytest

from canvas.terms import shift_terms


@pytest.mark.parametrize(
    ("text", "weeks", "moved"),
    [
        ("2026 Spring", -26, "2025 Fall"),
        ("Spring 2026", 52, "Spring 2027"),
        ("Soils Fall 2024", -30, "Soils Spring 2024"),
        ("SPRING 2024_@COURSE12345678 MWF", 30, "FALL 2024_@COURSE12345678 MWF"),
        ("@COURSE12345678_Fall_2023", 40, "@COURSE12345678_Summer_2024"),
        ("2024-2025 Winter", 52, "2025-2026 Winter"),
        ("2025 Summer Session 2", 52, "2026 Summer Session 2"),
        ("@COURSE12345678_@SECTION12345678_202601", -20, "@COURSE12345678_@SECTION12345678_202509"),
        ("202412", 52, "202512"),
        ("202412", 13, "202501"),
        ("202408", 52, "202509"),
        ("S24_Site 1", 30, "F24_Site 1"),
        ("@COURSE12345678 F25", 10, "@COURSE12345678 F25"),
        ("FA25 and sp26", 52, "FA26 and sp27"),
        ("autumn 2025", 0, "fall 2025"),
    ],
)
def test_terms_move(text, weeks, moved):
    assert shift_terms(text, weeks) == moved


@pytest.mark.parametrize(
    "text",
    ["EXAM 2023", "ISO 9001", "Default Term", "@COURSE20260112", "20260112", "S241", "Chapter 12",
     "2026", "Form F1040", "PHYS24", "@COURSE12345678"],
)  # fmt: skip
def test_no_terms_stay(text):
    assert shift_terms(text, 13) == text


def test_no_week_moves_nothing():
    for text in ("2026 Spring", "202601", "S24", "Summer 2025", "202509", "202506", "202412"):
        assert shift_terms(text, 0) == text
