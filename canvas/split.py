"""Split: which side a row is on, by stable hash of items and wording: a new row moves no other."""

from collections.abc import Callable, Iterable

from canvas import seeds

TRAIN, TEST = "train", "test"


def side(key: str, test_fraction: float) -> str:
    """`train` or `test` for an item id or a wording id; depends on these two arguments only."""
    return TEST if seeds.stable_fraction("split", key) < test_fraction else TRAIN


def wording_key(row: dict) -> list[str]:
    """What decides the side of a trajectory or KTO row: its wording."""
    return [row["wording"]]


def preference_keys(row: dict) -> list[str]:
    """What decides the side of a preference row: both items and the wording of its question."""
    return [row["item_a_id"], row["item_b_id"], row["wording"]]


def split(
    rows: Iterable[dict],
    id_key: str,
    keys_of: Callable[[dict], list[str]],
    test_fraction: float,
    keep: float = 1.0,
) -> dict[str, list[dict]]:
    """{"train": rows, "test": rows}, each sorted by `id_key`.

    A row whose keys lie on both sides is in neither. `keep` is the share of rows kept, by stable
    hash of the id: a cap that never makes one row depend on another.
    """
    sides: dict[str, list[dict]] = {TRAIN: [], TEST: []}
    for row in sorted(rows, key=lambda row: row[id_key]):
        found = {side(key, test_fraction) for key in keys_of(row)}
        if len(found) == 1 and seeds.stable_fraction("keep", row[id_key]) < keep:
            sides[found.pop()].append(row)
    return sides
