"""Tokens for a model: nothing of the record is left, and the student reads names again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canvas.live.names import Names

TABLE = {
    "@COURSE1": "BIOL-201-01",
    "@COURSE2": "CS3704",
    "@COURSE3": "SEMINAR",
    "@PERSON1": "Dr. Jane Smith",
    "@PERSON2": "Okafor, Chidi",
}


def learned() -> Names:
    names = Names()
    names.learn_course("77", "BIOL-201-01", "BIOL-201-01: Introduction to Biology")
    names.learn_course("78", "CS3704", "Intermediate Software Design", "Software")
    names.learn_course("79", "SEMINAR", "Writing")
    names.learn_person("Dr. Jane Smith")
    names.learn_person("Okafor, Chidi")
    return names


@pytest.fixture
def names():
    return learned()


def test_tokens_count_up_and_have_names(names):
    assert names.shown == TABLE
    assert names.learn_course("78", "CS3704", "Renamed") == "@COURSE2"
    assert names.learn_person("Jane Smith") == "@PERSON1"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("When is my BIOL 201 homework due?", "When is my @COURSE1 homework due?"),
        ("biol201, Bio-201; BIOL-201-01!", "@COURSE1, @COURSE1; @COURSE1!"),
        ("intermediate  software design quiz", "@COURSE2 quiz"),
        ("cs 3704", "@COURSE2"),
        ("Software", "@COURSE2"),
        ("I like writing software", "I like writing software"),
        ("the Writing essay", "the @COURSE3 essay"),
        ("Is Prof. Smith in?", "Is Prof. @PERSON1 in?"),
        ("ask Chidi Okafor or jane", "ask @PERSON2 or @PERSON1"),
        ("write jane@uni.edu", "write @EMAIL1"),
        ("see https://zoom.us/j/99887766, 540-231-6000", "see @URL1, @PHONE1"),
        ("my id is 905512345", "my id is @ID1"),
        ("Take CHEM 101 after CHEM-101", "Take @COURSE4 after @COURSE4"),
        ("@COURSE1 and @PERSON9 at 14:00 on 2026-03-05", None),
        ("Room 201, chapter 1000, 100 points", None),
    ],
)
def test_masked(names, text, masked):
    assert names.mask(text) == (masked or text)


def test_what_is_masked_is_shown_again(names):
    text = "BIOL 201: mail jane@uni.edu, see www.uni.edu/x with Chidi"
    assert names.unmask(names.mask(text)) == (
        "BIOL-201-01: mail jane@uni.edu, see www.uni.edu/x with Okafor, Chidi"
    )
    assert names.unmask("@COURSE12 @COURSE1, @PERSON77") == "@COURSE12 BIOL-201-01, @PERSON77"


@settings(deadline=None)
@given(st.lists(st.sampled_from([*TABLE, "homework", "due", "on Monday", "x"]), max_size=6))
def test_masking_is_the_inverse_of_showing(parts):
    names = learned()
    text = " - ".join(parts)
    assert names.mask(names.unmask(text)) == text


def test_two_courses_with_one_code():
    names = Names()
    names.learn_course("1", "BIOL 201", "Biology Lecture")
    names.learn_course("2", "BIOL 201", "Biology Lab")
    assert names.shown == {
        "@COURSE1": "BIOL 201 Biology Lecture",
        "@COURSE2": "BIOL 201 Biology Lab",
    }
    assert names.mask("biol 201 exam") == "@COURSE1 or @COURSE2 exam"
    assert names.mask("biology lab") == "@COURSE2"
    assert names.mask(names.unmask("@COURSE2")) == "@COURSE2"


def test_two_people_with_one_surname():
    names = Names()
    names.learn_person("Ana Smith")
    names.learn_person("Bo Smith")
    assert names.mask("Ana Smith, Bo, and Smith") == "@PERSON1, @PERSON2, and @PERSON3"
    assert names.unmask("@PERSON3") == "Smith"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("BIOL-201-01: Introduction to Biology", "Introduction to Biology"),
        ("Introduction to Biology (BIOL 201)", "Introduction to Biology"),
        ("CS 3704 | Software Design", "Software Design"),
        ("CS_3704_21936 Software Design", "Software Design"),
        ("BIOL 201", ""),
        ("Ecology", "Ecology"),
        ("Ecology with Jane Smith", "Ecology with @PERSON1"),
    ],
)
def test_names_of_courses_for_the_model(name, title):
    names = Names()
    names.learn_person("Jane Smith")
    assert names.title(name) == title


def test_a_course_may_bring_its_token():
    names = Names()
    assert names.learn_course("@COURSE7", "Ecology", token="@COURSE7") == "@COURSE7"
    assert names.mask("my Ecology lab, CHEM 101") == "my @COURSE7 lab, @COURSE8"


def test_invisible_characters_hide_nothing(names):
    assert names.mask("BI\u200bOL 201 and \uff23\uff33 3704") == "@COURSE1 and @COURSE2"


def test_what_is_learned_later_masks_more(names):
    assert names.mask("Ask Mary Roe") == "Ask Mary Roe"
    names.learn_person("Mary Roe")
    assert names.mask("Ask Mary Roe") == "Ask @PERSON3"
    assert names.mask("Botany quiz") == "Botany quiz"
    names.learn_course("80", "BOT 9", "Botany")
    assert names.mask("Botany quiz") == "@COURSE4 quiz"
