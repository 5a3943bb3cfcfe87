"""Places by their form: universities in titles too, halls and towns in prose alone."""

import pytest

from canvas.anonymize import places


def found(text: str, kind: str = "prose") -> list[str]:
    return [text[span.start : span.end] for span in places.find(text, kind)]


@pytest.mark.parametrize(
    "place",
    [
        "McBryde Hall", "Torgersen Hall", "Newman Library", "Fairfax County", "Lake Marytown",
        "East Nicholas", "University of Maryland", "Virginia Tech", "Ohio State University",
        "Indian Institute of Technology",
    ],
)  # fmt: skip
def test_place_by_its_form(place):
    assert place in found(f"We meet at {place} at noon")


@pytest.mark.parametrize(
    "text",
    [
        "in the Lecture Hall", "the Student Center opens", "New Student Orientation",
        "Solid State 2", "High Tech 3", "the University", "South Asian history", "a Town Hall",
        "Title Case Heading in the Main Library",
    ],
)  # fmt: skip
def test_ordinary_words_stay(text):
    assert found(text) == []


def test_titles_and_identifiers_take_universities_alone():
    assert found("McBryde Hall Tour", "title") == []
    assert found("Virginia Tech Tour", "title") == ["Virginia Tech"]
    assert found("Virginia Tech Tour", "") == ["Virginia Tech"]
