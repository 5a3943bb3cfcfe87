"""Dictionaries: names of people and places as lists of this folder, English words of symspellpy.

Names: Faker (MIT), US census in zxcvbn (MIT). Places: phonenumbers (Apache-2.0), GeoNames (CC BY
4.0, https://www.geonames.org). `tests/bench/dictionary.py` makes the lists.
"""

import unicodedata
from functools import cache
from importlib.resources import files
from pathlib import Path

NAMES = Path(__file__).parent / "names.txt"
PLACES = Path(__file__).parent / "places.txt"
_STROKES = str.maketrans(
    {"\u00f8": "o", "\u0142": "l", "\u0111": "d", "\u00f0": "d", "\u0131": "i", "\u00df": "ss",
     "\u00e6": "ae", "\u0153": "oe", "\u2019": "'"}
)  # fmt: skip
_MARKS = dict.fromkeys(range(0x300, 0x370))


@cache
def english() -> dict[str, int]:
    """Lower-case English words by how often they are written, the commonest is 0."""
    source = files("symspellpy") / "frequency_dictionary_en_82_765.txt"
    lines = source.read_text(encoding="utf-8-sig").splitlines()
    return {line.split(" ", 1)[0]: rank for rank, line in enumerate(lines)}


@cache
def names() -> dict[str, str]:
    """Lower-case names with flags: G, S perhaps a name; g, s surely; c, C much borne.

    g, G and c stand for given names, s, S and C for surnames; c and C are of the USA and Britain.
    """
    return dict(line.split(" ") for line in _lines(NAMES))


@cache
def places() -> frozenset[str]:
    """Lower-case names of towns, regions and countries."""
    return frozenset(_lines(PLACES))


@cache
def place_starts() -> dict[str, int]:
    """First words of places of several words, with the most words that such a place has."""
    longest: dict[str, int] = {}
    for name in places():
        if " " in name:
            first, count = name.split(" ", 1)[0], name.count(" ") + 1
            longest[first] = max(count, longest.get(first, 0))
    return longest


def plain(word: str) -> str:
    """A lower-case word without accents: `jos\u00e9` as `jose`, `\u00f8` as `o`."""
    if word.isascii():
        return word
    return unicodedata.normalize("NFKD", word.translate(_STROKES)).translate(_MARKS)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()[1:]
