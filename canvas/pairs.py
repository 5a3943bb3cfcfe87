"""Pairs: two items of one export and the question which to do first, by consistent hashing.

The items of an export lie on a ring in order of their hash; an item that looks for a partner starts
at a hashed point and takes the next that suits. So no combination is built that is not used, a new
export changes no pair of another, and a new item changes few pairs of its own export.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from canvas import seeds
from canvas.io import BadInput
from canvas.items import NO_DATE, OVERDUE, Item, from_row
from canvas.split import side

ROUNDS = 8
QUESTIONS = (
    "Which one comes first?",
    "Which of the two is more urgent?",
    "What should be done first, A or B?",
    "A or B first?",
    "Rank these two: which goes on top?",
    "I have time for one of them today. Which?",
    "Pick the one to start with.",
    "Which would you begin with?",
    "Where should my next hour go, A or B?",
    "Which of these cannot wait?",
    "What is the better use of this evening?",
    "Choose the item to tackle first.",
    "Which has the higher priority?",
    "Tell me which to open first.",
    "Which one should move to the top of my list?",
    "If only one gets done, which should it be?",
    "Decide for me: A or B?",
    "Which of both deserves attention now?",
    "What do I work on next?",
    "Which is it going to be first?",
    "Name the more pressing one.",
    "Which one needs me sooner?",
    "Where do I start?",
    "Help me choose: which one now?",
)


class Placed(NamedTuple):
    """An item, its id and its side."""

    item_id: str
    side: str
    item: Item


class PairType(NamedTuple):
    """`anchor` says which items look for a partner, `suits` which partner they take."""

    anchor: Callable[[Item], bool]
    suits: Callable[[Item, Item], bool]


def _open(item: Item) -> bool:
    return not item.done


def _upcoming(item: Item) -> bool:
    return not item.done and item.due not in (OVERDUE, NO_DATE)


PAIR_TYPES: dict[str, PairType] = {
    "overdue_vs_upcoming": PairType(
        lambda a: not a.done and a.due == OVERDUE, lambda a, b: _upcoming(b)
    ),
    "due": PairType(_upcoming, lambda a, b: _upcoming(b) and a.due != b.due),
    "points": PairType(_open, lambda a, b: a.status == b.status and a.points != b.points),
    "status": PairType(_open, lambda a, b: b.done),
    "type": PairType(_open, lambda a, b: not b.done and a.type != b.type),
    "same_course": PairType(_open, lambda a, b: a.course == b.course),
}


def draw_pairs(
    rows: Iterable[dict], *, seed: int, per_export: int, test_fraction: float
) -> list[dict]:
    """Pair rows sorted by id, at most `per_export` an export, each pair type the same share of it.

    `rows` are corpus rows of kind item; without `collected_at` they have no state and are left out.
    Both items of a pair are on one side of the split, and so is the wording of its question.
    """
    questions = questions_by_side(test_fraction)
    pairs = []
    for export in _exports(rows, test_fraction):
        for first, second, name in _draw_export(export, seed, per_export):
            pairs.append(_pair(first, second, name, questions[first.side]))
    return sorted(pairs, key=lambda pair: pair["pair_id"])


def prompt(item_a: str, item_b: str, wording: str) -> str:
    """The prompt of two item lines; `wording` is the id of a question."""
    return f"A: {item_a}\nB: {item_b}\n{QUESTIONS[int(wording.removeprefix('pairs/'))]}"


def questions_by_side(test_fraction: float) -> dict[str, list[str]]:
    """Wording ids of the questions by side. Raises BadInput where a side has none."""
    sides: dict[str, list[str]] = {"train": [], "test": []}
    for number in range(len(QUESTIONS)):
        wording = f"pairs/{number:02d}"
        sides[side(wording, test_fraction)].append(wording)
    for name, wordings in sides.items():
        if not wordings:
            raise BadInput(
                "params.yaml",
                f"{test_fraction} leaves the {name} side no question to ask",
                field="split.test_fraction",
                remedy="move it towards 0.5",
            )
    return sides


def _exports(rows: Iterable[dict], test_fraction: float) -> list[list[Placed]]:
    """Items by contributor and day of the export: states are comparable within one only."""
    exports: dict[tuple[str, str], list[Placed]] = defaultdict(list)
    for row in rows:
        if row["collected_at"] is None:
            continue
        placed = Placed(row["item_id"], side(row["item_id"], test_fraction), from_row(row))
        exports[row["contributor"], row["collected_at"][:10]].append(placed)
    return list(exports.values())


def _draw_export(
    export: list[Placed], seed: int, count: int
) -> Iterator[tuple[Placed, Placed, str]]:
    """(anchor, partner, pair type), no two items twice."""
    rings = {name: _Ring([p for p in export if p.side == name]) for name in ("train", "test")}
    seen: set[frozenset[str]] = set()
    for name, pair_type in PAIR_TYPES.items():
        anchors = [placed for placed in export if pair_type.anchor(placed.item)]
        left = count // len(PAIR_TYPES)
        for turn in range(ROUNDS):
            for anchor in sorted(anchors, key=lambda p: _point(seed, name, turn, p.item_id)):
                if left == 0:
                    break
                start = _point("partner", seed, name, turn, anchor.item_id)
                partner = rings[anchor.side].next(start, anchor, pair_type.suits, seen)
                if partner is not None:
                    seen.add(frozenset((anchor.item_id, partner.item_id)))
                    left -= 1
                    yield anchor, partner, name


class _Ring:
    """Items in order of their hash."""

    def __init__(self, items: list[Placed]):
        self._items = sorted(items, key=lambda placed: _point("ring", placed.item_id))
        self._points = [_point("ring", placed.item_id) for placed in self._items]

    def next(
        self,
        start: int,
        anchor: Placed,
        suits: Callable[[Item, Item], bool],
        seen: set[frozenset[str]],
    ) -> Placed | None:
        """The first item from point `start` on that suits and is not yet paired with it."""
        first = bisect_left(self._points, start)
        for step in range(len(self._items)):
            found = self._items[(first + step) % len(self._items)]
            if (
                found.item_id != anchor.item_id
                and suits(anchor.item, found.item)
                and frozenset((anchor.item_id, found.item_id)) not in seen
            ):
                return found
        return None


def _pair(anchor: Placed, partner: Placed, name: str, questions: list[str]) -> dict:
    low, high = sorted((anchor, partner), key=lambda placed: placed.item_id)
    number = _point("pair", low.item_id, high.item_id)
    # The order in the prompt must not tell which one was the anchor.
    a, b = (low, high) if number % 2 else (high, low)
    wording = questions[number // 2 % len(questions)]
    lines = str(a.item), str(b.item)
    return {
        "pair_id": f"pair-{number:016x}",
        "prompt": prompt(*lines, wording),
        "pair_type": name,
        "wording": wording,
        "item_a_id": a.item_id,
        "item_b_id": b.item_id,
        "item_a": lines[0],
        "item_b": lines[1],
    }


def _point(*parts: object) -> int:
    return seeds.stable_hash("pairs", *parts)
