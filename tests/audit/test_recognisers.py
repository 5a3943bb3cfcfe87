"""Recognisers of the audit: leaks are found, tokens and ordinary text are none."""

import re
from pathlib import Path

import pytest

from canvas.audit.recognisers import EVERYTHING, SESSION, scan


def kinds(text: str, rules=EVERYTHING) -> set[str]:
    return {leak.kind for leak in scan(text, rules)}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("mail p.raman@example.edu", "e-mail address"),
        ("https://canvas.example.edu/courses/1", "URL"),
        ("www.example.org/x", "URL"),
        ("from 192.0.2.13", "IP address"),
        ("2001:db8:a00::1f", "IP address"),
        ("987-65-4321", "social security number"),
        ("DE89 3704 0044 0532 0130 00", "IBAN"),
        ("4242-4242-4242-4242", "card number"),
        ("(540) 555-0134", "telephone number"),
        ("540.555.0134", "telephone number"),
        ("555-0134", "telephone number"),
        ("+44 20 7946 0123", "telephone number"),
        ("1214 Tannery Court", "street address"),
        ("P.O. Box 3265", "street address"),
        ("Elmsworth, VA 24010", "postal address"),
        ("N31894978", "student or SIS id"),
        ("Dr. Okafor", "name behind a title"),
        ("Interview with Amanda", "given name"),
        ("CS 3704", "course code"),
        ("cs3704", "course code"),
        ("Chem 1045", "course code"),
        ("2024_CHEM 1036", "course code"),
        ("XYZ 3704", "course code"),
        ("CS\u20113704", "course code"),
        ("CS_3704_21936_202601", "section or CRN"),
        ("(80317) Seminar", "section or CRN"),
        ("Section 002", "section or CRN"),
        ("student 901107501", "numeric id"),
        ("@COURSE1/5040 S26", "foreign token"),
    ],
)
def test_leak_is_found(text, kind):
    assert kind in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "@COURSE12345678 and @PERSON87654321's", "COVID 19, TOP 1000",
        "ISO 9001, RFC 2616, EXAM 2023",
        "due 2026-03-04T14:00 for 90 minutes", "Fall 2024, 202601", "Section 2.1", "10000 words",
        "Dr. @PERSON12345678", "with Python from Monday", "it is 3000 words", "poli 2026-05-20",
        "Unit 5 Test: Mitosis (Part 2)", "1,234,567", "Form 1040 Exercise", "10:30:45", "3.14159",
        "by Design", "Interview with Faculty", "12 points, 100 %", "E38 at 18:30",
    ],
)  # fmt: skip
def test_ordinary_text_is_clean(text):
    assert kinds(text) == set()


def test_short_tokens_are_fine_in_sessions_only():
    assert kinds("@COURSE7 with @PERSON3", SESSION) == set()
    assert kinds("@COURSE7") == {"foreign token"}


def test_nothing_of_the_anonymiser_is_used():
    for path in Path("canvas/audit").glob("*.py"):
        assert not re.search(r"(?:from|import) canvas\.(anonymize|courses|spans)", path.read_text())
