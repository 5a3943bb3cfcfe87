"""Places by their form: halls, universities, counties, towns such as `Lake Marytown`."""

import re
from collections.abc import Iterator

from canvas.anonymize import hints, lexicon
from canvas.spans import Span
from canvas.wordlists import words

_CAP = r"[A-Z\u00c0-\u00de][^\W\d_]*(?:['\u2019.-][^\W\d_]+)*"
_RARE = 8000
_START = r"(?<![\w.'\u2019-])"
_HALLS = (
    "Hall|Coliseum|Auditorium|Arena|Stadium|Fieldhouse|Gymnasium|Dormitory|Observatory|Chapel"
    "|Cathedral|Mosque|Airport|Hospital|Clinic|Pavilion|Amphitheater"
)
_HOUSES = (
    "Library|Center|Centre|Building|House|Tower|Towers|Museum|Theatre|Theater|Park|Plaza|Quad|Annex"
    "|Complex|Lounge|Gallery|Gardens|Bridge|Campus|Cemetery|Mall|Inn|Hotel|Cafe|High School|College"
    "|Academy|School|County|Valley|River|Creek|Island|Islands|Province|Prefecture|Peninsula|Republic"
    "|Parish|Township|District|Beach|Bay|Falls|Mountains|Springs|Heights|Village|City|Desert"
)
_BUILT = re.compile(
    rf"{_START}(?P<head>{_CAP}(?: {_CAP}){{0,2}}) (?:(?P<hall>{_HALLS})|{_HOUSES})\b"
)
_BUILDINGS = frozenset(hints.pieces(f"{_HALLS}|{_HOUSES}"))
_TOWN = re.compile(
    rf"{_START}(?:North|South|East|West|New|Port|Lake|Fort|Mount|Mt\.|San|Santa|Saint|St\.|Sainte|El"
    rf"|Los|Las|Upper|Lower|Villa|Bad|Sankt) (?P<name>{_CAP})(?: {_CAP})?"
)
_STARTS = words("town_starts")
_SCHOOL = re.compile(
    rf"\bUniversity of {_CAP}(?:(?:,? (?:at|of|in) | |-){_CAP}){{0,3}}"
    rf"|{_START}(?:{_CAP} ){{1,3}}(?:State )?(?:University|Polytechnic|A&M)\b"
    rf"|{_START}(?:{_CAP} ){{1,2}}(?:Tech|State|Institute of Technology)\b"
)
_SCHOOLS = frozenset(("university", "polytechnic", "tech", "state", "institute", "m"))


def find(text: str, kind: str) -> Iterator[Span]:
    """Spans of PLACE. Titles take universities alone."""
    seen = hints.of(text).words
    if seen & _SCHOOLS:
        for match in _SCHOOL.finditer(text):
            if _is_school(match[0]):
                yield Span(*match.span(), "PLACE", match[0])
    if kind != "prose":
        return
    if seen & _BUILDINGS:
        for match in _BUILT.finditer(text):
            if _bears_name(match["head"].split(), bool(match["hall"])):
                yield Span(*match.span(), "PLACE", match[0])
    if seen & _STARTS:
        for match in _TOWN.finditer(text):
            if _is_own(match["name"].lower()):
                end = match.end()
                rest = text[match.end("name") : end].strip()
                if rest and not _is_own(rest.lower()):
                    end = match.end("name")
                yield Span(match.start(), end, "PLACE", text[match.start() : end])


def _is_school(name: str) -> bool:
    """Whether what is a school's own, `Virginia` of `Virginia Tech`, names a place or somebody."""
    own = re.sub(r"University of |State|University|Polytechnic|Tech|A&M", "", name)
    if "Institute of" in own:
        return True
    return any(_is_own(word.lower()) for word in re.findall(r"[^\W\d_]+", own))


def _is_own(word: str) -> bool:
    """Whether a lower-case word is a name of somebody or some place, or in no dictionary."""
    return all(not lexicon.is_word(part) or lexicon.is_place(part) for part in word.split("-"))


def _bears_name(head: list[str], hall: bool) -> bool:
    lower = [word.lower() for word in head]
    if any(_is_own(word) and word not in words("eponyms") for word in lower):
        return True
    if not lexicon.is_census_surname(lower[0]) or lower[0] in words("no_halls"):
        return False
    return (hall and len(head) < 3) or not lexicon.is_common(lower[0], _RARE)
