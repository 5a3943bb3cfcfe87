"""Near-duplicates: found whatever small thing differs, in linear time; alike wordings are none."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas.audit import near, splits

SAID = "Could you please list what I have to hand in for the biology course before next Friday?"


def similar(train: str, test: str) -> bool:
    rows = [(Path("kto_train.jsonl"), 1, {"t": train}), (Path("kto_test.jsonl"), 7, {"t": test})]
    found = list(splits.near_duplicates(rows, lambda row: row["t"]))
    assert all((finding.file, finding.line) == ("kto_test.jsonl", 7) for finding in found)
    return bool(found)


@pytest.mark.parametrize(
    "other",
    [
        SAID,
        SAID.upper(),
        SAID.replace("?", "!!"),
        SAID.replace(" ", "\n "),
        f"{SAID} Thanks a lot.",
        f"Hey, {SAID}",
        SAID.replace("please ", ""),
        SAID.replace("biology", "history"),
        SAID.replace("hand in", "submit"),
        SAID.replace("before", "befroe"),
    ],
)
def test_the_same_with_a_small_change(other):
    assert similar(SAID, other)
    assert similar(other, SAID)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('Put "Essay 1" on 2026-03-04 at 10:00', 'Put "Lab 22" on 2027-11-30 at 08:15'),
        ("What does @COURSE7 want by 2026-01-02?", "What does @COURSE91 want by 2028-12-31?"),
        ("Hi", "hi!"),
    ],
)
def test_the_same_with_other_values(one, other):
    assert similar(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("How well am I doing in @COURSE77?", "How am I doing in @COURSE19?"),
        ("Do I have anything on 2025-03-20?", "On 2025-03-02, what do I have?"),
        ("Anything due in the next 10 days?", "What's due in the next 4 days?"),
        ("How are you?", "Hello, who are you?"),
        ("", ""),
        ("...", "?"),
    ],
)
def test_other_wordings_are_none(one, other):
    assert not similar(one, other)


WORDS = st.lists(st.sampled_from(list("abcdefgh")), min_size=1, max_size=12)


@given(st.lists(WORDS, max_size=12), st.lists(WORDS, max_size=6))
def test_exactly_those_that_are_similar(left, right):
    one, other = ([near.of_words(" ".join(words), 1) for words in side] for side in (left, right))
    found = {number: similarity for _, number, similarity in near.find(one, other, 0.7)}
    for number, shingles in enumerate(other):
        best = max((len(shingles & s) / len(shingles | s) for s in one), default=0)
        assert found.get(number, 0) == (best if best >= 0.7 else 0)


def test_what_is_alike_on_both_sides_is_compared_a_bounded_number_of_times(monkeypatch):
    compared = []
    jaccard = near._jaccard
    monkeypatch.setattr(near, "_jaccard", lambda *a: compared.append(1) or jaccard(*a))
    texts = [f"always the same request again and again number {n} {n * n}" for n in range(1500)]
    sets = [near.of_words(text, 1) for text in texts]
    list(near.find(sets, sets, 0.95))
    assert len(compared) <= near.MOST * len(sets)
