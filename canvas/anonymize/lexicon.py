"""Lexicon: which words are names of people or places, which ordinary English."""

import re
from functools import lru_cache

from canvas.anonymize.dictionary import english, names, place_starts, places, plain
from canvas.wordlists import words

_ENDINGS = ("s", "es", "ed", "d", "ing", "ly", "er", "y", "ful", "ness", "ish", "less")
_LONGEST = 40
_ORDINARY = ("plain", "vocabulary", "coinages")
_RARE = 25_000
_NEVER = 1_000_000
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
    r"|maps|set|sets|mate|mates|ics|ases?|oids?|ium|ogens?|coccus|cocci|bacter|bacteria|myces|mycetes|virus"
    r"|viruses|saurus|pods?|phage|phages|cene|zoic|zoa|idae)"
)
_CHEMICAL = re.compile(r".{4,}(?:[bcdfghklmnpqrtvxz]ides?|amines?|enes?|ylates?|trates?|phates?)")
_TOWN = re.compile(
    r"(?P<stem>.{3,})(?:town|ton|ville|burgh|berg|borough|bury|haven|port|mouth|side|view|shire|chester"
    r"|stad|furt|fort|land|ham|ford|burg|dorf|field)"
)


@lru_cache(maxsize=200_000)
def flags(word: str) -> str:
    """The flags of a lower-case word in the dictionary of names; empty where it is none."""
    return names().get(word) or names().get(plain(word), "")


@lru_cache(maxsize=200_000)
def is_word(word: str) -> bool:
    """Whether a lower-case word is ordinary English, or of coursework, rather than a name."""
    if len(word) > _LONGEST or any(word in words(name) for name in _ORDINARY):
        return True
    if word in words("names"):
        return False
    if not set("gs") & set(flags(word)):
        return word in english() or (not is_town(word) and _looks_english(word))
    if word not in english():
        return False
    plural = word.endswith("s") and english().get(word[:-1], _NEVER) < english()[word]
    if plural and is_word(word[:-1]):
        return True
    return _inflections(word) >= (2 if "g" in flags(word) else 1)


def _inflections(word: str) -> int:
    """How many inflections of a word the dictionary has: few of a name's, some of a word's."""
    known = english()
    count = sum(word + ending in known for ending in _ENDINGS)
    count += sum(word[:-1] + ending in known for ending in ("ies", "ing"))
    return count + (word + word[-1] + "ed" in known)


def _looks_english(word: str) -> bool:
    """Inflected, prefixed, compound or learned words that the dictionary lacks."""
    if _is_derived(word) or ("or" in word and word.replace("or", "our") in english()):
        return True
    if prefix := _PREFIXES.match(word):
        rest = word[prefix.end() :]
        if len(rest) > 3 and rest in english():
            return True
    if len(word) > 5 and (_SUFFIXES.fullmatch(word) or _CHEMICAL.fullmatch(word)):
        return True
    return any(_is_plain(word[:cut]) and _is_plain(word[cut:]) for cut in range(4, len(word) - 3))


def _is_plain(word: str) -> bool:
    return word in english() and not flags(word)


@lru_cache(maxsize=50_000)
def is_town(word: str) -> bool:
    """Whether a lower-case word that is in no dictionary ends as towns do, behind a name."""
    found = _TOWN.fullmatch(word)
    return bool(found) and word not in english() and bool(flags(found["stem"]))


def is_given(word: str) -> bool:
    """Whether a lower-case word is a given name and no ordinary word."""
    return "g" in flags(word) and not is_word(word)


def is_surname(word: str) -> bool:
    """Whether a lower-case word is a surname and no ordinary word."""
    return "s" in flags(word) and not is_word(word)


def may_be_given(word: str) -> bool:
    """Whether a lower-case word is a given name, if perhaps a word too (mark, grace, will)."""
    return "G" in flags(word)


def may_be_surname(word: str) -> bool:
    """Whether a lower-case word is a surname, if perhaps a word too (young, stone)."""
    return "S" in flags(word)


def is_census_given(word: str) -> bool:
    """Whether a lower-case word is, in the USA or Britain, much borne as a given name."""
    return "c" in flags(word)


def is_census_surname(word: str) -> bool:
    """Whether a lower-case word is, in the USA or Britain, much borne as a surname."""
    return "C" in flags(word)


def is_surely_surname(word: str) -> bool:
    """Whether a lower-case word is a surname, and not a much written word outside English."""
    return "s" in flags(word)


def is_common(word: str, most: int = 5000) -> bool:
    """Whether a lower-case word is among the `most` most written English words."""
    return english().get(word, most) < most


def is_odd(word: str) -> bool:
    """Whether a lower-case word of the dictionary of English may well be a rare proper name."""
    return len(word) > 3 and english().get(word, 0) >= _RARE and not _inflections(word)


@lru_cache(maxsize=100_000)
def is_place(name: str) -> bool:
    """Whether a lower-case name of one or several words is a place, and no ordinary word."""
    if name not in places() and plain(name) not in places():
        return False
    if " " in name or name in words("countries"):
        return True
    ordinary = any(name in words(list_) for list_ in (*_ORDINARY, "no_places"))
    return not ordinary and _inflections(name) < 2 and not _is_derived(name)


def place_length(word: str) -> int:
    """The most words of a place whose name begins with this lower-case word; 0 where none does."""
    return place_starts().get(word, 0)


def _is_derived(word: str) -> bool:
    """Whether a word is an inflection of another, as plains, reading or hardness."""
    stems = [word[: -len(e)] for e in ("s", "es", "ing", "ed", "ness", "er") if word.endswith(e)]
    return any(stem in english() and len(stem) > 2 for stem in stems)
