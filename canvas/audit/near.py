"""Near-duplicates: texts of which one side of a split has almost the same as the other.

Jaccard similarity of sets of shingles, exact up to a bound on comparisons: two sets that share the
fraction t share one of their rarest shingles (prefix filtering, Chaudhuri et al. 2006, "A primitive
operator for similarity joins in data cleaning"). Time is linear in the length of all texts.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence

MOST = 200
"""Texts that one text is compared with; those that share its rarest shingles come first."""

Shingles = frozenset[Hashable]


def of_characters(text: str, length: int = 5) -> Shingles:
    """Every run of `length` characters of a text; all of a shorter one."""
    last = max(1, len(text) - length + 1)
    return frozenset([text[start : start + length] for start in range(last)])


def of_words(text: str, length: int = 3) -> Shingles:
    """Every run of `length` words of a text; all of a shorter one."""
    words = text.split()
    last = max(1, len(words) - length + 1)
    return frozenset([" ".join(words[start : start + length]) for start in range(last)])


def find(
    left: Sequence[Shingles], right: Sequence[Shingles], least: float
) -> Iterator[tuple[int, int, float]]:
    """(index in left, index in right, similarity) of a set in `left` at least so similar to each
    set in `right`; the most similar one, where there are several."""
    counts: Counter[Hashable] = Counter()
    for shingles in (*left, *right):
        counts.update(shingles)
    index: dict[Hashable, list[int]] = defaultdict(list)
    for number, shingles in enumerate(left):
        for shingle in _rarest(shingles, counts, least):
            index[shingle].append(number)
    for number, shingles in enumerate(right):
        best, found = 0.0, -1
        for other in _candidates(shingles, index, counts, least):
            similarity = _jaccard(shingles, left[other], least)
            if similarity > best:
                best, found = similarity, other
        if best >= least:
            yield found, number, best


def _rarest(shingles: Shingles, counts: Counter, least: float) -> list[Hashable]:
    """As many of the rarest shingles as sets of this similarity must share one of."""
    ranked = sorted(shingles, key=lambda shingle: (counts[shingle], shingle))
    return ranked[: len(ranked) - math.ceil(least * len(ranked)) + 1]


def _candidates(shingles: Shingles, index: dict, counts: Counter, least: float) -> dict[int, None]:
    found: dict[int, None] = {}
    for shingle in _rarest(shingles, counts, least):
        room = MOST - len(found)
        if room <= 0:
            break
        found.update(dict.fromkeys(index.get(shingle, ())[:room]))
    return found


def _jaccard(one: Shingles, other: Shingles, least: float) -> float:
    """The share of all shingles that both have; 0 where their numbers rule `least` out."""
    if min(len(one), len(other)) < least * max(len(one), len(other)):
        return 0.0
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
