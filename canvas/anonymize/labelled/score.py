"""Scores of a masker on labelled texts: recall, strict recall, words masked without need."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from canvas.anonymize.labelled.texts import Labelled

_WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")
Masker = Callable[[str, str], list[tuple[int, int]]]


class Score(NamedTuple):
    """Rates by kind, and what went wrong: (kind, value or word, text)."""

    recall: dict[str, float]
    strict: dict[str, float]
    labels: dict[str, int]
    over_prose: float
    over_titles: float
    missed: list[tuple[str, str, str]]
    wrong: list[tuple[str, str, str]]


def measure(texts: Iterable[Labelled], masker: Masker) -> Score:
    """Scores of `masker(text, policy)`, which gives the ranges it replaces.

    recall: a label is touched and no more than a third of its letters survives; strict: not one
    word of it survives; over_prose: share of other words that are touched; over_titles: share of
    titles without labels that are touched.
    """
    found, whole, labels = Counter(), Counter(), Counter()
    words, titles, missed, wrong = Counter(), Counter(), [], []
    for text, policy, truth in texts:
        hidden = set()
        for start, end in masker(text, policy):
            hidden.update(range(start, end))
        for start, end, kind in truth:
            left = [
                m
                for m in _WORD.finditer(text, start, end)
                if not hidden.issuperset(range(*m.span()))
            ]
            labels[kind] += 1
            whole[kind] += not left
            survives = sum(i not in hidden for i in range(start, end) if text[i].isalnum())
            found[kind] += 3 * survives <= sum(text[i].isalnum() for i in range(start, end))
            if left:
                missed.append((kind, text[start:end], text))
        others = [
            m
            for m in _WORD.finditer(text)
            if not any(m.start() < end and start < m.end() for start, end, _ in truth)
        ]
        touched = [m[0] for m in others if not hidden.isdisjoint(range(*m.span()))]
        wrong += [(policy, word, text) for word in touched]
        words[policy] += len(others)
        words[policy, "touched"] += len(touched)
        if policy == "title" and not truth:
            titles["all"] += 1
            titles["touched"] += bool(touched)
    return Score(
        {kind: found[kind] / labels[kind] for kind in sorted(labels)},
        {kind: whole[kind] / labels[kind] for kind in sorted(labels)},
        dict(sorted(labels.items())),
        words["prose", "touched"] / max(1, words["prose"]),
        titles["touched"] / max(1, titles["all"]),
        missed,
        wrong,
    )
