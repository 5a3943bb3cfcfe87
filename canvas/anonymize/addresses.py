"""Street addresses, post office boxes, towns with a state or postal code."""

import re
from collections.abc import Iterator

from canvas.anonymize import hints
from canvas.anonymize.lexicon import is_word, may_be_given, may_be_surname
from canvas.spans import Span
from canvas.wordlists import words

_STREET = "|".join(sorted(words("streets")))
_WEAK_STREET = "|".join(sorted(words("weak_streets")))
_LABELS = (
    "activity|assignment|assignments|case|chapter|ch|class|day|essay|exam|exercise|exp|experiment|form"
    "|homework|hw|lab|lecture|lesson|level|module|part|phase|problem|program|project|quiz|reading"
    "|report|section|session|step|stage|test|topic|unit|version|week|worksheet"
)
_STATES = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ"
    "|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|AS|FM|GU|MH|MP|PR|PW|VI"
    "|ON|QC|BC|AB|MB|SK|NS|NB|NL|PE"
)
_WORD = r"(?:[\w'\u2019-]|\.(?! [A-Z][a-z]+ [a-z])){0,40}"
_CAP = rf"[A-Z\u00c0-\u00de]{_WORD}"
_TOWN = rf"{_CAP}(?: {_CAP}){{0,3}}"
_ZIP = r"\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d"
_UNIT = (
    r"(?:,? (?:Apt|Apartment|Suite|Ste|Unit|Room|Rm|Floor|Fl|Box|Bldg|No|PMB)\.? ?#?[\w-]{1,6}"
    r"|,? #\w{1,6})"
)
_FAR = r"(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT) \d{4}|-? ?\d{3} ?\d{3}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}"
_PLACE = (
    rf"(?:, {_TOWN},? (?:{_FAR})(?!\w)|, (?:{_TOWN}, )?(?:{_STATES})\b(?: (?:{_ZIP}))?"
    rf"|, {_TOWN},? (?:{_ZIP}))"
)
_HOUSE = (
    r"(?<![\w.,/-])"
    r"(?P<house>(?:(?:Unit|Flat|Suite) \w{1,4}, ?)?\d{1,6}[A-Za-z]?(?:[-/]\d{1,4})?),? "
    r"(?:[NSEW]\.? |[NS][EW] |North |South |East |West )?"
)
_US = re.compile(
    rf"{_HOUSE}(?P<name>(?:{_CAP} |\d{{1,3}}(?:st|nd|rd|th) ){{1,4}})"
    rf"(?P<street>{_STREET}|{_WEAK_STREET})\b\.?"
    rf"(?: (?:[NSEW]|[NS][EW])\b\.?)?(?P<unit>{_UNIT})?(?P<place>{_PLACE})?"
)
_MILITARY = re.compile(
    r"\b(?:PSC|CMR|Unit|USS|USNS|USCGC|USNV) [\w ]{1,30}(?:,? Box \d{1,6})?,? ?[AFD]PO A[AEP] \d{5}"
)
_LABEL = re.compile(rf"(?<!\w)(?:{_LABELS})[\s.:#-]{{0,3}}$", re.I)
_BOX = re.compile(rf"\b(?:P\.? ?O\.?|Post Office|PO) ?Box \d{{1,7}}(?:{_PLACE})?", re.I)
_TOWN_STATE = re.compile(rf"(?<![\w.'\u2019-]){_TOWN}, (?:{_STATES})\b(?: (?:{_ZIP}))?(?!\w)")
_ROMANCE_WORDS = (
    "rue|chemin|impasse|all\u00e9e|calle|avenida|paseo|viale|piazza|corso|rua|pra\u00e7a"
)
# English words too, so that a house number or a preposition must be there.
_ROMANCE_WEAK = "place|avenue|boulevard|plaza|via|travessa"
_OF = "(?: (?:de|du|des|la|le|les|del|della|di|da|do|dos|las|los|y|et))"
_ROMANCE_CAP = r"[A-Z\u00c0-\u00de][a-z\u00df-\u00ff'\u2019-]{1,40}"
_ROMANCE = re.compile(
    rf"\b(?:(?:\d{{1,4}}(?: ?(?:bis|ter))?,? )?"
    rf"(?:(?i:{_ROMANCE_WORDS}){_OF}{{0,3}}|(?i:{_ROMANCE_WEAK}){_OF}{{1,3}})"
    rf"|\d{{1,4}}(?: ?(?:bis|ter))?,? (?:{_ROMANCE_WEAK})) (?:l'|d')?"
    rf"{_ROMANCE_CAP}(?: {_ROMANCE_CAP}){{0,3}}(?:,? (?:n\u00ba ?)?\d{{1,4}}\b)?"
    rf"(?:,? \d{{4,5}} {_TOWN})?"
)
_GERMANIC_ENDS = (
    r"stra(?:\u00df|ss)e|str\.|weg|gasse|platz|allee|ring|straat|laan|gracht|gatan|v\u00e4gen|vej|gade"
    r"|utca"
)
_GERMANIC_STARTS = "Am|An der|Auf dem|Im|In der|Zum|Zur"
_GERMANIC = re.compile(
    rf"(?<![\w.-])(?:[A-Z\u00c4\u00d6\u00dc][\w\u00df.-]{{0,60}}(?i:{_GERMANIC_ENDS})"
    rf"|(?:{_GERMANIC_STARTS}) [A-Z\u00c4\u00d6\u00dc][\w\u00df-]{{0,40}})"
    r" \d{1,4}(?:[/-]\d{1,4})? ?[a-z]?\b"
    rf"(?:,? (?:[A-Z]{{1,2}}-)?\d{{4,5}}(?: ?[A-Z]{{2}})? {_TOWN})?"
)
_SOUTHERN_WAYS = (
    r"Via|Viale|Piazza|Corso|Vicolo|Largo|Rua|Pra\u00e7a|Travessa|Calle|Avenida|Paseo|Plaza|Carrer"
    r"|Jalan|Jl\.?|ulica|ul\.|Ulitsa"
)
_SOUTHERN = re.compile(
    rf"\b(?:{_SOUTHERN_WAYS})(?:{_OF}){{0,2}} (?:l'|d'|dell')?"
    rf"{_ROMANCE_CAP}(?: {_ROMANCE_CAP}){{0,3}},? (?:n\.? ?|n\u00ba ?|no\.? ?|#)?\d{{1,4}}\b"
    rf"(?:,? (?:\d{{2}}-\d{{3}}|\d{{4,5}}(?:-\d{{3}})?) {_TOWN}|, {_TOWN})?"
)
_INDIAN_WAYS = "Nagar|Road|Colony|Marg|Layout|Sector|Enclave|Vihar|Society|Street|Puram|Gali|Chowk"
_INDIAN = re.compile(
    r"\b(?:(?:Flat|House|Plot|Door|H)\.?(?: [Nn]o\.?)? ?[\w/-]{1,8}|\d{1,4}(?:/\d{1,4})?),? "
    rf"(?:{_CAP},? ){{1,4}}(?:{_INDIAN_WAYS})(?:,? {_CAP}){{0,3}}"
    r"(?:,? ?-? ?\d{3} ?\d{3})?(?!\w)"
)
_POSTCODE = re.compile(r"(?<!\w)[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?!\w)")
_BEFORE_POSTCODE = re.compile(
    r"(?:(?:Flat|Studio|Unit|Apartment) \w{1,5}, )?(?:\d{1,4}[A-Z]? )?"
    r"(?:[A-Z][\w.'\u2019-]{0,40},? ){0,8}$"
)
# English words that end as German and Danish streets do.
_ENGLISH = re.compile(r"(?:Sp|St|B|[A-Z][a-z]*ee)ring\b|Ring\b|(?:Bri|Rene)gade\b", re.I)
_DIGIT = re.compile(r"\d")
# Words, or beginnings of words, of which a text must have one before a pattern is worth a try.
_ROMANCE_GATE = words("romance_streets")
_INDIAN_GATE = words("indian_streets")
_STREET_GATE = frozenset(word.lower() for word in words("streets") | words("weak_streets"))
_GERMANIC_ENDING = tuple(words("germanic_streets"))
_GERMANIC_STARTING = frozenset(("am", "auf", "im", "zum", "zur", "der"))
_STATE_GATE = re.compile(rf", (?:{_STATES})\b")


def find(text: str) -> Iterator[Span]:
    """Spans of addresses: ADDRESS where a house, box or postal code is in it, else PLACE."""
    if ", " in text and _STATE_GATE.search(text):
        for match in _TOWN_STATE.finditer(text):
            kind = "ADDRESS" if match[0][-1].isdigit() else "PLACE"
            yield Span(*match.span(), kind, match[0])
    seen = hints.of(text)
    if not seen.digits:
        return
    for match in () if seen.words.isdisjoint(_STREET_GATE) else _US.finditer(text):
        if _is_street(text, match):
            yield Span(*match.span(), "ADDRESS", match[0])
    for match in _POSTCODE.finditer(text):
        before = _BEFORE_POSTCODE.search(text, max(0, match.start() - 90), match.start())
        start = before.start() if before else match.start()
        yield Span(start, match.end(), "ADDRESS", text[start : match.end()])
    for pattern in _patterns(text, seen.words):
        for match in pattern.finditer(text):
            if _DIGIT.search(match[0]) and not _ENGLISH.match(match[0]):
                yield Span(*match.span(), "ADDRESS", match[0])


def _patterns(text: str, seen: frozenset[str]) -> Iterator[re.Pattern]:
    """The patterns that have a chance in a text."""
    if "box" in seen:
        yield _BOX
    if seen & _ROMANCE_GATE:
        yield _ROMANCE
        yield _SOUTHERN
    if seen & _INDIAN_GATE:
        yield _INDIAN
    if "apo" in seen or "fpo" in seen or "dpo" in seen:
        yield _MILITARY
    if not _GERMANIC_STARTING.isdisjoint(seen) or any(w.endswith(_GERMANIC_ENDING) for w in seen):
        yield _GERMANIC


def _is_street(text: str, match: re.Match) -> bool:
    if match["unit"] or match["place"]:
        return True
    if _LABEL.search(text, max(0, match.start() - 16), match.start()):
        return False
    if match["street"] in words("streets"):
        return True
    first = match["name"].split()[0].lower()
    named = not is_word(first) or may_be_given(first) or may_be_surname(first)
    return named and len(match["house"]) > 2
