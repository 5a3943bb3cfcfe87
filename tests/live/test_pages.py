"""Pages of Canvas: HTML as text, facts of a syllabus."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas.live.pages import MAX_FACT, MAX_TEXT, cut, plain, topics


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (None, ""),
        ("Plain &amp; simple", "Plain & simple"),
        ("<p>One</p><p>Two<br>Three</p>", "One\nTwo\nThree"),
        ("<ul><li>a</li><li><b>b</b> c</li></ul>", "a\nb c"),
        ("<style>p {}</style><script>x < 1</script>seen<!-- not -->", "seen"),
        ("<a href='https://x.edu/a'>the page</a>", "the page"),
        ("<table><tr><td>Mon</td><td>10:00</td></tr></table>", "Mon\n10:00"),
        ("a\n b\t<span>c</span>", "a\nb c"),
        ("<p>5 < 6 &lt; 7</p>", "5 < 6 < 7"),
        ("<p>never closed <b>text", "never closed text"),
        ("<iframe src=x>old</iframe>after", "after"),
    ],
)
def test_plain(html, text):
    assert plain(html) == text


@given(st.text(st.sampled_from("<>/ab&;!-\"'= \n"), max_size=60))
def test_any_text_is_read(html):
    assert "\n\n" not in plain(html)


@given(st.text(max_size=80), st.integers(5, 40))
def test_cut(text, most):
    shown = cut(text, most)
    assert len(shown) <= most
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))


def test_facts_in_lines():
    found = topics(
        "Welcome\nLate work loses 10% a day, at most 5 days.\n"
        "Office hours: Tue 13:00-14:30 in Room 204\nTextbook: Foundations of Ecology, edition 3"
    )
    assert found == {
        "late_policy": "Late work loses 10% a day, at most 5 days.",
        "office_hours": "Office hours: Tue 13:00-14:30 in Room 204",
        "textbook": "Textbook: Foundations of Ecology, edition 3",
    }


def test_facts_under_headings():
    found = topics(
        "Office Hours\nTue 13:00\nWed 9:00\nLate Work Policy:\nNothing is taken late.\n"
        "Required Materials\nFoundations of Ecology"
    )
    assert found == {
        "late_policy": "Late Work Policy: Nothing is taken late.",
        "office_hours": "Office Hours: Tue 13:00 Wed 9:00",
        "textbook": "Required Materials: Foundations of Ecology",
    }


def test_what_is_not_found_leaves_the_text_to_the_model():
    text = "Welcome to the course. " * 100
    found = topics(text + "\nOffice hours are Mon 9:00.")
    assert found["office_hours"] == "Office hours are Mon 9:00."
    assert found["late_policy"] is None
    assert found["text"].startswith("Welcome to the course.")
    assert len(found["text"]) <= MAX_TEXT


def test_no_syllabus_and_long_facts():
    assert set(topics("").values()) == {None}
    assert len(topics("late " * 200)["late_policy"]) <= MAX_FACT


def test_words_that_only_look_alike():
    found = topics("We translate plates.\nThe related text is long.")
    assert [found[key] for key in ("late_policy", "office_hours", "textbook")] == [None] * 3
