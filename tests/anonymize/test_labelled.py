"""Labelled texts: labels are where they say, the targets hold on templates kept apart."""

import pytest

from canvas.anonymize import Anonymizer
from canvas.anonymize.labelled import Label, Labelled, generate, measure
from canvas.anonymize.labelled.values import SLOTS, Values, iban
from canvas.anonymize.numbers import luhn
from canvas.registry import Registry

KEY = b"a key for tests only"
FLOORS = {
    "EMAIL": 0.99, "URL": 0.99, "IP": 0.99, "SSN": 0.99, "IBAN": 0.99, "CARD": 0.99,
    "PHONE": 0.94, "PERSON": 0.95, "LOCATION": 0.92, "ADDRESS": 0.87,
}  # fmt: skip


@pytest.fixture(scope="module", params=["tuning", "heldout"])
def score(request):
    return measure(generate(request.param, 6, seed=2), Anonymizer(Registry(KEY)).ranges)


@pytest.mark.parametrize(("kind", "floor"), FLOORS.items())
def test_recall_of_every_kind_reaches_its_target(score, kind, floor):
    assert score.labels[kind] >= 6
    assert score.recall[kind] >= floor


def test_no_part_of_a_name_survives(score):
    assert score.strict["PERSON"] >= 0.92


def test_other_words_stay(score):
    assert score.over_prose <= 0.005
    assert score.over_titles <= 0.02


def test_templates_of_the_two_sets_differ():
    sets = [{text.text for text in generate(which, 1, seed=1)} for which in ("tuning", "heldout")]
    assert not sets[0] & sets[1]


def test_the_same_seed_gives_the_same_texts():
    one, two, other = (list(generate("heldout", 2, seed=n)) for n in (4, 4, 5))
    assert one == two != other


def test_labels_hold_their_values():
    values = Values(1, {"given": lambda: "Ana", "family": lambda: "Lima"})
    assert values.draw("last_first") == ("PERSON", "Lima, Ana")
    for text, _, labels in generate("heldout", 2, seed=3):
        for start, end, kind in labels:
            assert text[start:end].strip() == text[start:end] != "", (text, kind)


@pytest.mark.parametrize("slot", sorted(SLOTS))
def test_every_slot_draws_a_text(slot):
    values = Values(7)
    assert all(values.draw(slot)[1] for _ in range(20))


def test_check_digits_are_right():
    values = Values(3)
    assert all(luhn(values.draw("card")[1]) for _ in range(30))
    assert iban("DE", "370400440532013000") == "DE89370400440532013000"


def test_measure_counts_what_survives_and_what_is_touched():
    text = Labelled("Ana Lima met me", "prose", [Label(0, 8, "PERSON")])
    all_of_it = measure([text], lambda text, policy: [(0, 8)])
    assert (all_of_it.recall, all_of_it.strict) == ({"PERSON": 1.0}, {"PERSON": 1.0})
    half = measure([text], lambda text, policy: [(0, 3), (9, 12)])
    assert (half.recall["PERSON"], half.strict["PERSON"], half.over_prose) == (0.0, 0.0, 0.5)
    title = Labelled("Gas Laws", "title", [])
    assert measure([title], lambda text, policy: [(0, 3)]).over_titles == 1.0
