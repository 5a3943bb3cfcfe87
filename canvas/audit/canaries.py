"""Canaries: personal data planted in the sample, which must not come out again."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from canvas.audit.finding import Finding, hide
from canvas.audit.strings import Place, field_of

_WORD = re.compile(r"[^\W_]+")


class Canaries:
    """Planted values {"kind", "value"}, as sequences of words, whatever their case and spacing."""

    def __init__(self, planted: Iterable[dict]):
        self._values = [
            (canary["kind"], words)
            for canary in planted
            if (words := tuple(_WORD.findall(canary["value"].casefold())))
        ]
        self._words = frozenset(word for _, words in self._values for word in words)

    def kinds_in(self, texts: Iterable[str]) -> Iterator[tuple[str, int, tuple[int, int]]]:
        """(kind, number of the text, span in its case folding) of each canary's first place."""
        folded = [text.casefold() for text in texts]
        index: dict[str, list[int]] = {}
        for number, text in enumerate(folded):
            for word in self._words.intersection(_WORD.findall(text)):
                index.setdefault(word, []).append(number)
        for kind, words in self._values:
            if any(word not in index for word in words):
                continue
            pattern = _pattern(words)
            for number in min((index[word] for word in words), key=len):
                if found := pattern.search(folded[number]):
                    yield kind, number, found.span()
                    break


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern:
    spaced = r"[\W_]+".join(map(re.escape, words))
    return re.compile(rf"(?<![^\W_]){spaced}(?![^\W_])")


def find(canaries: Canaries, texts: Iterable[tuple[str, Place]]) -> Iterator[Finding]:
    """Canaries that stand in a text as whole words; of each the first place."""
    texts = list(texts)
    for kind, number, span in canaries.kinds_in(text for text, _ in texts):
        text, place = texts[number]
        # Some letters are longer when folded; then the span is not the text's.
        shown = hide(text, *span) if len(text) == len(text.casefold()) else "[…]"
        yield Finding(*place, field_of(place, text), f"planted {kind}", shown, "corpus")
