"""Contacts: every spelling is one span of its kind, look-alikes are none."""

import time

import pytest

from canvas.anonymize import contacts


def found(text: str) -> list[tuple[str, str]]:
    return [(span.kind, text[span.start : span.end]) for span in sorted(contacts.find(text))]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("EMAIL", "p.raman+hw@mail.example.edu"),
        ("EMAIL", "o'neil@example.museum"),
        ("EMAIL", "name (at) example (dot) edu"),
        ("EMAIL", "name [at] example.edu"),
        ("EMAIL", "j\u00f6rg@b\u00fccher.de"),
        ("URL", "https://canvas.example.edu/courses/18934/assignments/7?wrap=1"),
        ("URL", "www.example.org/booking/x"),
        ("URL", "people.example.edu/~dlarsen5"),
        ("URL", "example.com:8080"),
        ("IP", "192.0.2.13"),
        ("IP", "2001:db8:a00::1f"),
        ("IP", "00:1b:44:11:3a:b7"),
        ("PHONE", "(540) 555-0134"),
        ("PHONE", "540-555-0134"),
        ("PHONE", "540.555.0134"),
        ("PHONE", "5405550134"),
        ("PHONE", "+1 540 555 0134"),
        ("PHONE", "1 (540) 555-0134"),
        ("PHONE", "555-0134"),
        ("PHONE", "540-555-0134 x22"),
        ("PHONE", "540-555-0134x22"),
        ("PHONE", "001-540-555-0134x221"),
        ("PHONE", "+44 20 7946 0123"),
        ("PHONE", "+33 1 99 00 12 47"),
        ("PHONE", "+49 30 23125 075"),
        ("PHONE", "540\u2011555\u20110134"),
        ("PHONE", "020 7946 0123"),
        ("PHONE", "98765 43210"),
    ],
)
def test_contact_is_one_span(kind, value):
    for text in (value, f"Write to {value}, please.", f"({value})", f"Contact: {value}."):
        spans = [span for span in found(text) if span[0] == kind]
        assert (kind, value) in spans, text


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-04T14:00", "2026-03-04 to 2026-05-06", "10:30:45", "version 3.11.2", "e.g. this",
        "1,234,567 points", "Chapters 1-10", "5.1/5.6", "3.14159265", "node.js and numpy",
        "canvas.list_courses", "100 200 300", "pages 120-135", "00.01 Understanding", "a@b",
        "10 15 20 25 30", "2024-2025", "Week.in review", "1 2 3 4 5 6 7 8", "1e+22", "12/11, 6 PM",
        "look at this", "256.1.1.999", "12:30", "std::vector::at",
    ],
)  # fmt: skip
def test_look_alikes_are_none(text):
    assert found(text) == []


def test_punctuation_behind_a_url_is_not_part_of_it():
    assert found("(see https://a.example.org/x_(y)).") == [("URL", "https://a.example.org/x_(y)")]


@pytest.mark.parametrize("unit", ["a.", "a@", "1-", "(540) ", "http://", "a:", "1.", "x(at)"])
def test_time_is_linear(unit):
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        list(contacts.find(text))
        return time.process_time() - start

    small = max(seconds(50_000), 0.005)
    assert seconds(400_000) < 8 * small * 4
