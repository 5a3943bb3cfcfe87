"""Addresses: whole addresses, not numbered titles."""

import pytest

from canvas.anonymize import addresses


def found(text: str) -> list[tuple[str, str]]:
    return [(span.kind, text[span.start : span.end]) for span in addresses.find(text)]


@pytest.mark.parametrize(
    "address",
    [
        "1068 Larkspur Road, Apt 29",
        "114 Cobbler Road, Brackenridge Falls, VA 24730",
        "1214 Tannery Court",
        "155 Cobbler Ave., Apt 5",
        "P.O. Box 3265, Quillhaven, VA 24979",
        "22 N Main St",
        "350 5th Avenue",
        "12 rue de Rivoli, 75001 Paris",
        "Hauptstra\u00dfe 5, 10115 Berlin",
        "Paola-Tlustek-Weg 63, 75253 Scheinfeld",
        "Flat 9, Martin Glens, Farmerview, S69 4AW",
        "757, boulevard Rocher, 68425 Marques",
        "8257 Amber Mountain, South Angela, MN 14513",
        "PSC 8956, Box 8415, APO AP 88390",
        "Calle Mayor 12",
        "Blacksburg, VA 24060",
    ],
)
def test_address_is_found_whole(address):
    text = f"The office is at {address} until noon"
    start, end = text.index(address), text.index(address) + len(address)
    spans = list(addresses.find(text))
    assert min(s.start for s in spans) <= start
    assert max(s.end for s in spans) >= end
    assert "ADDRESS" in {s.kind for s in spans}


@pytest.mark.parametrize(
    ("text", "place"),
    [("in Blacksburg, VA today", "Blacksburg, VA")],
)
def test_place_is_found(text, place):
    assert ("PLACE", place) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Homework 12 Latin Square", "Lab 3 For Loop", "Chapter 12 Wall Street",
        "Quiz 4 Civil Court",
        "Unit 10 Critical Path", "take place in room 5", "Week 2 Random Walk", "High Tech 3",
        "3 Way Handshake", "the University", "Solid State 2", "at 8:30 in class",
        "Exam 1, In Class", "Quiz Spring 2025", "Spring 2022 Test",
    ],
)  # fmt: skip
def test_titles_are_no_addresses(text):
    assert found(text) == []
