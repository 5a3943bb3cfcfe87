"""Splits: train and test share nothing and nothing nearly alike, preferences hold no cycle."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from canvas.audit import near
from canvas.audit.finding import Finding
from canvas.audit.wordings import clauses
from canvas.split import TEST, TRAIN

# Jaccard similarities from which texts are near-duplicates: of runs of 5 characters, and of 3 words
# with slots as one sign. The most alike of wordings that are split have 0.6 and 0.69 in the sample.
NEAR_CHARACTERS, NEAR_WORDS = 0.7, 0.8
_WORD = re.compile(r"[^\W_]+|@")

_KEYS = ("row_id", "pair_id", "wording")
_ITEMS = ("item_a_id", "item_b_id")
_CHOICE = re.compile(r"Do ([AB]) first\b")

# (file, line number, row)
Row = tuple[Path, int, dict]


def overlaps(rows: Iterable[Row]) -> Iterator[Finding]:
    """Ids, items and wordings that occur on both sides, over all kinds of rows together."""
    seen: dict[tuple[str, str], tuple[str, Path, int]] = {}
    for path, number, row in rows:
        side = path.stem.rsplit("_", 1)[-1]
        for field in (*_KEYS, *_ITEMS):
            if not isinstance(row.get(field), str):
                continue
            kind = "item" if field in _ITEMS else field
            first = seen.setdefault((kind, row[field]), (side, path, number))
            if first[0] != side:
                excerpt = f"{row[field]} is also in {first[1].as_posix()}:{first[2]}"
                yield Finding(path.as_posix(), number, field, f"{kind} overlap", excerpt, "split")


def near_duplicates(rows: Iterable[Row], said: Callable[[dict], str]) -> Iterator[Finding]:
    """Test rows in which the user says almost what one says in a training row of any kind.

    Twice: letter for letter, and with one sign for every title, date, number and token.
    """
    sides: dict[str, dict[str, tuple[str, Path, int]]] = {TRAIN: {}, TEST: {}}
    for path, number, row in rows:
        if text := _plain(said(row)):
            side = sides[path.stem.rsplit("_", 1)[-1]]
            side.setdefault(text, (said(row), path, number))
    train, test = (list(sides[side].items()) for side in (TRAIN, TEST))
    reported = set()
    for found in (
        near.find(
            [near.of_characters(text) for text, _ in train],
            [near.of_characters(text) for text, _ in test],
            NEAR_CHARACTERS,
        ),
        near.find(
            [near.of_words(_slotted(text)) for _, (text, *_) in train],
            [near.of_words(_slotted(text)) for _, (text, *_) in test],
            NEAR_WORDS,
        ),
    ):
        for one, other, similarity in found:
            if other not in reported:
                reported.add(other)
                (_, path, number), (_, twin, line) = test[other][1], train[one][1]
                excerpt = f"{similarity:.0%} alike {twin.as_posix()}:{line}"
                yield Finding(path.as_posix(), number, "text", "near-duplicate", excerpt, "near")


def _plain(text: str) -> str:
    """Lower-case words without punctuation, one space between."""
    return " ".join(_WORD.findall(text.casefold()))


def _slotted(text: str) -> str:
    return clauses(text).replace("|", " ")


def cycles(rows: Iterable[Row]) -> Iterator[Finding]:
    """Preference labels that contradict each other: an item that comes before itself."""
    edges: dict[str, list[tuple[str, Path, int]]] = defaultdict(list)
    for path, number, row in rows:
        if not path.stem.startswith("preference_"):
            continue
        winner, loser = _order(row)
        if winner is None:
            reason = "`chosen` does not begin with `Do A first` or `Do B first`"
            yield Finding(
                path.as_posix(), number, "chosen", "unreadable label", reason, "preference"
            )
        else:
            edges[winner].append((loser, path, number))
    yield from _contradictions(edges)


def _order(row: dict) -> tuple[str | None, str | None]:
    choice = _CHOICE.match(row["chosen"])
    if not choice:
        return None, None
    ids = row["item_a_id"], row["item_b_id"]
    return ids if choice[1] == "A" else ids[::-1]


def _contradictions(edges: dict[str, list[tuple[str, Path, int]]]) -> Iterator[Finding]:
    """One finding for each edge that closes a cycle, by depth-first search without recursion."""
    state: dict[str, int] = {}
    for root in sorted(edges):
        if root in state:
            continue
        state[root] = 1
        stack = [(root, iter(edges[root]))]
        while stack:
            node, rest = stack[-1]
            for loser, path, number in rest:
                if state.get(loser) == 1:
                    excerpt = f"{node} before {loser}, which other labels put before it"
                    yield Finding(
                        path.as_posix(), number, "chosen", "intransitive", excerpt, "preference"
                    )
                elif loser not in state:
                    state[loser] = 1
                    stack.append((loser, iter(edges.get(loser, ()))))
                    break
            else:
                state[node] = 2
                stack.pop()
