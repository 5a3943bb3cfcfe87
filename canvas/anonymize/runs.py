"""Runs: neighbouring capitalised words, of which some together name somebody or some place."""

import re
from collections.abc import Iterator
from functools import cache

from canvas.anonymize import lexicon
from canvas.anonymize.people import canonical
from canvas.anonymize.words import Word, after, before, starts_sentence
from canvas.spans import Span
from canvas.wordlists import words

_MEETING_DAYS = re.compile(r" (?:MWF|MW|WF|MF|TR|TTh|TuTh|T/Th)\b")
_PARTICLES = re.compile(
    r"(?<![\w.])(?:(?:[A-Z]\.[^\S\n]?){1,3}|(?:(?:van|von|de|der|den|la|da|dos|del|di|bin|el|al|le|du|ter"
    r"|ten|zu|y)[^\S\n]){1,3}){1,2}$"
)
_CITED = re.compile(r"(?:,? et al\.?)?,? \((?:19|20)\d\d")


@cache
def phrases() -> dict[str, list[tuple[str, int]]]:
    """Phrases of the word list by each of their words, with how far from their start it stands."""
    found: dict[str, list[tuple[str, int]]] = {}
    for phrase in (entry.replace("_", " ") for entry in words("phrases")):
        for match in re.finditer(r"\S+", phrase):
            found.setdefault(match[0], []).append((phrase, match.start()))
    return found


class Run:
    """Neighbouring capitalised words; which of them are names is decided together."""

    def __init__(self, text: str, run: list[Word], strict: bool):
        self.text, self.run, self.strict = text, run, strict
        self.lower = [word.is_.lower for word in run]
        self.lead = before(text, run[0].start)
        self.things = self._things()
        self.places = [] if strict else self._places()
        self.eponyms = [self._eponym(index) for index in range(len(run))]
        self.named = [
            self._is_name(index) and not (self.places and self._placed(word))
            for index, word in enumerate(run)
        ]
        if len(run) > 1:
            self._extend()

    def _placed(self, word: Word) -> bool:
        return any(start <= word.start < end for start, end in self.places)

    def join(self, index: int) -> None:
        """Take the first or last word for a name if it can be one."""
        word = self.run[index]
        if word.is_.upper or word.is_.product or self._placed(word):
            return
        if word.lower in words("vocabulary") or self.eponyms[index]:
            return
        if word.is_.given or not (word.is_.word or (self.strict and len(self.run) > 1)):
            self.named[index] = True
        elif lexicon.is_census_given(word.lower) and len(self.run) == 1:
            self.named[index] = not self.strict or word.lower not in words("plain")

    def spans(self) -> Iterator[Span]:
        """PERSON spans of neighbouring names, PLACE spans of the rest."""
        for start, end in self.places:
            inside = [n for n, word in enumerate(self.run) if start <= word.start < end]
            if not any(self.named[n] for n in inside) or " " in self.text[start:end]:
                yield Span(start, end, "PLACE", self.text[start:end].casefold())
        yield from self._people()

    def _people(self) -> Iterator[Span]:
        first = None
        for index, named in enumerate([*self.named, False]):
            if named and first is None:
                first = index
            elif not named and first is not None:
                yield self._person(self.run[first].start, self.run[index - 1].end)
                first = None

    def _person(self, start: int, end: int) -> Span:
        if self._has_particle(start):
            before_name = _PARTICLES.search(self.text, max(0, start - 24), start)
            start = before_name.start() if before_name else start
        kind = "PLACE" if lexicon.is_town(self.text[start:end].lower()) else "PERSON"
        return Span(start, end, kind, canonical(self.text[start:end]))

    def _has_particle(self, start: int) -> bool:
        """Whether an initial or, in prose, a particle may stand before a name."""
        if self.text[start - 2 : start - 1] == "." or self.text[start - 1 : start] == ".":
            return True
        return not self.strict and before(self.text, start) in words("particles")

    def _is_name(self, index: int) -> bool:
        word = self.run[index]
        if not self._may_be_name(word) or self.eponyms[index]:
            return False
        if index + 1 < len(self.run) and self.eponyms[index + 1] and len(word.text) < 4:
            return False
        if self._announced(index):
            return self._fits(self.lower[index]) or not word.is_.word or self._is_odd(word)
        if self.strict:
            return self._stands_alone(index)
        return not word.is_.word or self._plain_name(index)

    def _may_be_name(self, word: Word) -> bool:
        """Neither an initial, nor an acronym, nor a product such as RStudio."""
        if len(word.text) < 2 or word.lower in words("honorifics"):
            return False
        if word.is_.upper:
            return len(word.text) > 3 and self._shouted(word)
        return not word.is_.product

    def _shouted(self, word: Word) -> bool:
        """Whether a word in capitals is a name: among others, or where all is in capitals."""
        loud = [other for other in self.run if other.is_.upper]
        if len(loud) > 1 and any(other.is_.strong for other in loud):
            return word.is_.strong or (not self.strict and not word.is_.word)
        everywhere = self.text.isupper() and not self.strict
        return word.is_.strong and (everywhere or self.lead in words("honorifics"))

    def _announced(self, index: int) -> bool:
        """Behind a title such as Dr., or a cue such as Interview with."""
        if index and self.lower[index - 1] in words("honorifics"):
            return not self.run[index - 1].is_.possessive
        first = index
        while first and len(self.lower[first - 1]) == 1:
            first -= 1
        if first:
            return self.lower[first - 1] in words("honorifics")
        return self.lead in words("honorifics") or (
            self.strict and self.lead in words("title_cues")
        )

    def _plain_name(self, index: int) -> bool:
        """Whether an ordinary word in mid-sentence is a given name for its capital: ask Grace."""
        word, lower = self.run[index], self.lower[index]
        if lower in words("vocabulary") or word.is_.upper:
            return False
        if lexicon.may_be_surname(lower) or lexicon.is_odd(lower):
            if _CITED.match(self.text, word.end):
                return True
            if self._initialled(index):
                return True
        if len(self.run) > 1 or not lexicon.is_census_given(lower):
            return False
        if word.start == 0 and len(word.text) == len(self.text):
            return lower not in words("plain")
        if starts_sentence(self.text, word.start):
            return False
        previous = before(self.text, word.start)
        if previous in words("name_cues"):
            return True
        if lower in words("plain"):
            return False
        return previous in words("weak_name_cues") or after(self.text, word.end).islower()

    def _initialled(self, index: int) -> bool:
        """Behind an initial with its full stop that is no list's letter."""
        if not index or len(self.lower[index - 1]) > 1:
            return False
        initial = self.run[index - 1]
        letter = index == 1 and not self.text[: initial.start].strip(" \t>*#|-(")
        sure = not letter or lexicon.is_odd(self.lower[index])
        return self.text[initial.end : initial.end + 1] == "." and sure

    def _stands_alone(self, index: int) -> bool:
        """Whether a title's word is a name for itself, not by what follows it."""
        word, lower = self.run[index], self.lower[index]
        given = word.is_.given
        surname = lexicon.is_census_surname(lower) and not lexicon.is_census_given(lower)
        if self._paired(index, index + 1) or self._paired(index - 1, index):
            return True
        if given and not surname and (not word.is_.place or self._has_surname(index)):
            return True
        following = self.text[word.end : word.end + 8]
        if _MEETING_DAYS.match(following) and self._fits(lower):
            return True
        cue = before(self.text, word.start) in ("from", "for", "to")
        if cue and not word.is_.word and not word.is_.place and not following.strip(" ):"):
            return True
        if not word.is_.strong:
            return word.is_.possessive and not word.is_.word and self._owns(word)
        if word.is_.possessive:
            return given or self._owns(word)
        enclosed = self.text[word.start - 1 : word.start] == "(" and following.startswith(")")
        follows_initial = index > 0 and len(self.run[index - 1].text) == 1
        return enclosed or (follows_initial and not lexicon.is_given(lower))

    def _paired(self, left: int, right: int) -> bool:
        """Whether two neighbours are in no dictionary of English, and one in that of names."""
        if left < 0 or right >= len(self.run) or self.eponyms[right]:
            return False
        pair = self.run[left].is_, self.run[right].is_
        plain = any(w.word or w.product or w.upper or w.place or len(w.text) < 3 for w in pair)
        return not plain and (len(self.run) < 4 or any(w.strong for w in pair))

    def _owns(self, word: Word) -> bool:
        return after(self.text, word.end) in words("owned")

    def _has_surname(self, index: int) -> bool:
        """Whether a word follows that is a surname or in no dictionary, as behind Austin."""
        following = self.run[index + 1] if index + 1 < len(self.run) else None
        if following and len(following.text) == 1:
            return True
        return following is not None and (
            following.is_.surname or not following.is_.word or self._fits(following.lower)
        )

    def _is_odd(self, word: Word) -> bool:
        return not self.strict and lexicon.is_odd(word.lower)

    def _fits(self, lower: str) -> bool:
        if lower in words("vocabulary"):
            return False
        return lexicon.may_be_given(lower) or lexicon.may_be_surname(lower)

    def _eponym(self, index: int) -> bool:
        """Kruskal's Algorithm, Newton's method, a Hilbert space: names of things."""
        word, lower = self.run[index], self.lower[index]
        previous = self.run[index - 1] if index else None
        if index in self.things:
            return True
        if previous and (len(previous.text) == 1 or (previous.is_.given and not self.strict)):
            return False
        listed = lower in words("eponyms") or (
            "-" in lower and words("eponyms").issuperset(word.is_.parts)
        )
        if listed and not self._titled(index):
            return True
        last = index == len(self.run) - 1
        noun = after(self.text, word.end) if last else self.lower[index + 1]
        if lower in words("common_eponyms") and noun in words("eponym_nouns"):
            return not self._titled(index)
        if noun in words("laws"):
            return not self._titled(index)
        joined = len(word.is_.parts) > 1 and not word.is_.given
        return joined and (self.strict or noun in words("eponym_nouns"))

    def _things(self) -> set[int]:
        """Words of phrases that are names of things, or of people whom everybody knows."""
        found: set[int] = set()
        for index, lower in enumerate(self.lower):
            for phrase, offset in phrases().get(lower, ()):
                start = self.run[index].start - offset
                if start >= 0 and self.text[start : start + len(phrase)].lower() == phrase:
                    found.add(index)
        return found

    def _titled(self, index: int) -> bool:
        previous = self.lower[index - 1] if index else self.lead
        return previous in words("honorifics")

    def _extend(self) -> None:
        """Names spread to neighbours that could be the rest of a name."""
        last = len(self.run) - 1
        for index in range(1, last + 1):
            left, right = self.lower[index - 1], self.lower[index]
            if self._carries(index - 1) and self._may_follow(index):
                self.named[index] = True
            elif not self.strict and last == 1 and self._plain_pair(left, right):
                self.named[0] = self.named[1] = True
        for index in range(last, 0, -1):
            lower = self.lower[index - 1]
            fits = len(lower) == 1 or (self._fits_given(index - 1) and not self.eponyms[index - 1])
            if self.named[index] and fits:
                self.named[index - 1] = True

    def _carries(self, index: int) -> bool:
        """Whether a word is named and what follows it may be the rest of its name."""
        sure = self.run[index].is_.given or self._announced(index) or not self.strict
        if len(self.lower[index]) == 1 and index:
            sure = sure or self.run[index - 1].is_.given
        return self.named[index] and sure

    def _may_follow(self, index: int) -> bool:
        word = self.run[index]
        if len(word.text) == 1:
            if word.text == "I" and self.text[word.end : word.end + 1] != ".":
                return False
            last = index == len(self.run) - 1
            return last or self.named[index + 1] or self._may_follow(index + 1)
        if self.lower[index] in words("vocabulary"):
            return self.named[index]
        if word.lower in words("particles") and index + 1 < len(self.run):
            return self.named[index + 1] or self._may_follow(index + 1)
        if word.is_.upper:
            shouted = self.run[index - 1].is_.upper and lexicon.is_census_surname(word.lower)
            return self.named[index] or (shouted and not self.strict)
        if not word.is_.word or lexicon.may_be_surname(word.lower):
            return True
        return self._is_odd(word)

    def _plain_pair(self, left: str, right: str) -> bool:
        """Ordinary words that are a given name and a surname, as Grace Hill, in mid-sentence."""
        if starts_sentence(self.text, self.run[0].start) and left in words("opening_verbs"):
            return False
        return (
            (lexicon.is_census_given(left) or left in words("opening_verbs"))
            and lexicon.is_census_surname(right)
            and not {left, right} & (words("vocabulary") | words("eponym_nouns"))
        )

    def _places(self) -> list[tuple[int, int]]:
        """(start, end) of place names, the longest that begins at a word."""
        reached, found = 0, []
        for index, word in enumerate(self.run):
            if not (word.is_.place or word.is_.places):
                continue
            initialled = index and len(self.lower[index - 1]) == 1 and not word.is_.places
            if initialled or index in self.things:
                continue
            if word.start >= reached and (end := self._place_end(word)):
                reached = end
                found.append((word.start, end))
        return found

    def _place_end(self, word: Word) -> int:
        """Where the place that begins with a word ends; 0 where it begins none."""
        reading = word.is_
        if reading.places:
            pieces = self.text[word.start : word.start + 60].split(" ")[: reading.places]
            for count in range(len(pieces), 1, -1):
                name = " ".join(pieces[:count]).rstrip(".,;:!?)\"'*_|<>")
                known = name[len(" ".join(pieces[: count - 1])) + 1 :][:1].isupper()
                if known and lexicon.is_place(name.lower()):
                    return word.start + len(name)
        if not reading.place or reading.upper or reading.possessive:
            return 0
        doubtful = reading.strong or word.lower in words("eponyms")
        cue = not doubtful or before(self.text, word.start) in words("place_cues")
        return word.end if cue else 0

    def _fits_given(self, index: int) -> bool:
        lower = self.lower[index]
        if lower in words("vocabulary") or lower in words("closings"):
            return False
        if lexicon.is_census_given(lower):
            return True
        opening = starts_sentence(self.text, self.run[index].start)
        return lexicon.may_be_given(lower) and not lexicon.is_common(
            lower, 5000 if opening else 300
        )
