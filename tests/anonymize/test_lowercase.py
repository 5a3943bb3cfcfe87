"""Names in lower case: announced or sure ones only, with their surnames."""

import pytest

from canvas.anonymize import names


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in names.find(text, "prose")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hey priya, are you in?", "priya"),
        ("my name is priya raman and i am late", "priya raman"),
        ("working with emily van der merwe on this", "emily van der merwe"),
        ("thanks zorblix for the notes", "zorblix"),
        ("hi prof kowalczyk, sorry", "kowalczyk"),
    ],
)
def test_name_in_lower_case(text, name):
    assert found(text) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "thanks for the help, it is due on monday",
        "pip install numpy and open priya.py or src/emily/main.py",
        "hey guys, will anyone share the notes",
        "bill them for the parts; mark every page",
        "i am unsure about this",
        "the la carte menu, et al",
    ],
)
def test_words_in_lower_case_stay(text):
    assert found(text) == []


def test_titles_take_no_name_in_lower_case():
    assert list(names.find("notes by priya", "title")) == []
