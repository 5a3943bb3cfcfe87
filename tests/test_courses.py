"""Course codes: every spelling is found and means the same, false friends are none."""

import pytest

from canvas.courses import Courses
from canvas.registry import Registry
from canvas.spans import replace, visible

TOKENS = Registry(b"a key for tests only")


def masked(text: str, courses: Courses | None = None, foreign: bool = False) -> str:
    text = visible(text)
    return replace(text, (courses or Courses()).find(text, foreign=foreign), TOKENS)


CS = TOKENS.token("COURSE", "CS3704")


@pytest.mark.parametrize(
    "text",
    [
        "CS 3704", "CS-3704", "cs3704", "Cs 3704", "cS_3704", "CS.3704", "CS\u00a03704",
        "CS\u20113704", "CS \u2013 3704", "CS\u2212\u202f3704", "C\u200bS 37\u200b04",
        "\uff23\uff33\uff13\uff17\uff10\uff14", "CS  3704", "CS/3704", "CS:3704",
    ],
)  # fmt: skip
def test_spellings_of_one_code(text):
    assert masked(text) == CS
    assert masked(f"see {text}, soon") == f"see {CS}, soon"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024_CS 3704", "2024_{}"),
        ("SPRING 2024_CS 3704 MWF", "SPRING 2024_{} MWF"),
        ("S24_Site 1_CS_3704", "S24_Site 1_{}"),
        ("CS_3704_Fall_2023", "{}_Fall_2023"),
        ("IntroCS3704", "Intro{}"),
        ("2024CS3704HW1", "2024{}HW1"),
        ("the CS 3704s", "the {}s"),
        ("ECE/CS 3704", "{}"),
    ],
)
def test_what_stands_around_a_code_stays(text, expected):
    assert masked(text) == expected.format(CS)


def test_numbers_that_follow_share_the_department():
    other = TOKENS.token("COURSE", "CS3714")
    assert masked("CS 3704/3714") == f"{CS}/{other}"
    assert masked("CS 3704 and 3714 meet") == f"{CS} and {other} meet"
    assert masked("CS 3704, 2024") == f"{CS}, 2024"


def test_section_behind_a_code():
    assert masked("CS-3704-001") == f"{CS}-{TOKENS.token('SECTION', '001')}"


@pytest.mark.parametrize(
    "text",
    [
        "ISO 9001", "RFC 2616", "EXAM 2023", "COVID 19", "COVID 2019", "TOP 1000", "Fall 2024",
        "SPRING 2025", "Sp 2025", "Form 1040", "HW 1001", "Room 1860", "IEEE 1394", "Unit 1000",
        "it is 3000 words", "Is 3000 enough", "for 2000 people", "art 2023", "map 1000 points",
        "Chapter 1865 to 1877", "@COURSE12345678", "Site 1", "Top 100", "NAACP 1909", "3704",
        "History 1865", "C 3704", "CS 12", "CS 37041", "me 200", "History 1920", "math 2026-06-10",
    ],
)  # fmt: skip
def test_false_friends_stay(text):
    assert masked(text) == text


def test_known_codes_are_found_where_the_grammar_alone_would_not():
    courses = Courses()
    courses.learn("IS_2014_91635_202509")
    assert masked("is 2014 notes", courses) == f"{TOKENS.token('COURSE', 'IS2014')} notes"
    assert courses.sections == {"91635"}
    courses.learn("XYZQ 301")
    assert masked("xyzq-301", courses) == TOKENS.token("COURSE", "XYZQ301")


def test_a_code_without_number_is_known_by_its_letters():
    courses = Courses()
    courses.learn("CALS", "CALS Ambassadors")
    token = TOKENS.token("COURSE", "CALS")
    assert masked("CALS Career Fair, calsium", courses) == f"{token} Career Fair, calsium"


def test_department_variants_and_full_names_are_one():
    for text in ("Chem 1045", "Chemistry 1045"):
        assert masked(text) == TOKENS.token("COURSE", "CHEM1045")
    assert masked("PSYCH 2004") == masked("Psyc 2004")


def test_foreign_tokens_are_codes_only_on_request():
    courses = Courses()
    courses.learn("CS_3704_21571_202501", "@COURSE4: Software")
    assert masked("@COURSE4 Lab", courses) == "@COURSE4 Lab"
    assert masked("@COURSE4 Lab", courses, foreign=True) == f"{CS} Lab"
    crosslisted = masked("@COURSE1/5040 S26", courses, foreign=True)
    assert crosslisted == f"{masked('@COURSE1', foreign=True)} S26"
    assert "@PERSON" in masked("Ask @PERSON3", foreign=True)


def test_a_foreign_token_alone_in_the_titles_of_one_course_is_that_course():
    courses = Courses()
    courses.learn_titles(
        [
            ("CS_3704_21936_202601", "Software", ["@COURSE2 Test 1", "@COURSE2 Test 2", "HW"]),
            ("CS_3714_21937_202601", "Mobile", ["@COURSE3 Test", "@COURSE4 Test"]),
        ]
    )
    assert masked("@COURSE2 Final", courses, foreign=True) == f"{CS} Final"
    assert masked("@COURSE3", courses, foreign=True) != masked("CS 3714")


def test_value_of_a_course():
    courses = Courses()
    assert courses.value("CS_3704_21571_202501", "Software") == "CS3704"
    assert courses.value("Understanding", "CS 3704 honor system") == "CS3704"
    assert courses.value("Understanding", "Honor System") == "Understanding"


def test_long_runs_of_letters_take_linear_time():
    text = "a" * 2_000_000 + " 3704"
    assert masked(text) == text
