"""Known people: any spelling of the full name, and parts of it."""

import pytest

from canvas.anonymize.people import People, canonical


def people() -> People:
    known = People()
    for name in ("Priya Raman", "O'Donnell, Grace", "Will Okafor", "Dr. Heather Page, PhD"):
        known.learn(name)
    known.learn("@PERSON12345678")
    known.learn_login("quietheron96")
    return known


def found(text: str, kind: str = "prose") -> list[tuple[str, str]]:
    return [(text[s.start : s.end], s.value) for s in people().find(text, kind)]


@pytest.mark.parametrize(
    ("text", "spelling", "value"),
    [
        ("ask Priya Raman now", "Priya Raman", "priya raman"),
        ("RAMAN, PRIYA", "RAMAN", "priya raman"),
        ("thanks, priya", "priya", "priya raman"),
        ("Raman's notes", "Raman", "priya raman"),
        ("Grace O\u2019Donnell", "Grace O\u2019Donnell", "grace o'donnell"),
        ("tell Grace about it", "Grace", "grace o'donnell"),
        ("Heather leads it", "Heather", "heather page"),
        ("with Will on Friday", "Will", "will okafor"),
    ],
)
def test_known_names(text, spelling, value):
    assert (spelling, value) in found(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("it will rain on this page", "prose"),
        ("Will it rain? Grace period over.", "prose"),
        ("Grace Period", "title"),
        ("Web Page Submission", "title"),
        ("Will Writing", "title"),
    ],
)
def test_ordinary_words_stay(text, kind):
    assert found(text, kind) == []


def test_titles_need_a_cue_for_names_that_are_common_words():
    assert found("Interview with Will", "title") == [("Will", "will okafor")]
    assert found("Heather's Practice Problems", "title") == [("Heather", "heather page")]


def test_a_part_that_two_people_share_stands_for_itself():
    known = people()
    known.learn("Priya Shah")
    spans = list(known.find("Priya came, Priya Shah left", "prose"))
    assert [span.value for span in spans] == ["priya", "priya shah"]


def test_logins():
    spans = list(people().find_logins("by QuietHeron96, not quietheron967"))
    assert [(s.start, s.end, s.value) for s in spans] == [(3, 15, "quietheron96")]


def test_canonical_order():
    assert canonical("Adeyemi, Tomasz") == canonical("Dr. Tomasz  ADEYEMI") == "tomasz adeyemi"
