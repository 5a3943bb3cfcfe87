import random

import pytest

from canvas import coursework


def test_same_seed_draws_the_same_course_and_assignment():
    def draw(seed):
        rng = random.Random(seed)
        course = coursework.draw_course(rng)
        return course, coursework.draw_assignment(rng, course["topics"])

    assert draw(3) == draw(3)
    assert draw(3) != draw(4)


def test_catalogue_yields_thousands_of_distinct_titles():
    rng = random.Random(0)
    topics = [topic for subject in coursework.SUBJECTS for topic in subject.topics]
    titles = {coursework.draw_assignment(rng, topics)["title"] for _ in range(20_000)}
    assert len(topics) == len(set(topics)) >= 300
    assert len(titles) > 5_000


@pytest.mark.parametrize("kind", ["ASGN", "QUIZ", "DISC"])
def test_kind_fixes_type_and_titles_use_only_topics_given(kind):
    rng = random.Random(1)
    drawn = [coursework.draw_assignment(rng, ["Soil Erosion"], kind) for _ in range(200)]
    assert {item["type"] for item in drawn} == {kind}
    assert any("Soil Erosion" in item["title"] for item in drawn)
    others = {t for s in coursework.SUBJECTS for t in s.topics if len(t) > 8} - {"Soil Erosion"}
    assert not [item for item in drawn if any(topic in item["title"] for topic in others)]
    assert all(item["points"] >= 0 and item["submission_types"] for item in drawn)


def test_unknown_kind_is_an_error():
    with pytest.raises(KeyError):
        coursework.draw_assignment(random.Random(0), ["Limits"], "HOMEWORK")


def test_courses_have_code_number_and_topics_of_their_subject():
    rng = random.Random(2)
    by_dept = {subject.dept: set(subject.topics) for subject in coursework.SUBJECTS}
    for _ in range(100):
        course = coursework.draw_course(rng)
        assert set(course["topics"]) <= by_dept[course["dept"]]
        assert course["number"].isdigit()
        assert len(course["number"]) == 4
