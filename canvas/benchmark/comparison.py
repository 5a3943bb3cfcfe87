"""Comparison: two models over the same scenarios, from the verdicts that scoring wrote."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from canvas import io
from canvas.reliability import Comparison, compare

Counts = dict[tuple[str, str], tuple[int, int]]
"""Tier and scenario to the runs passed and the runs made."""


@dataclass(frozen=True)
class Compared:
    """One tier: number of scenarios, both pass rates, and B against A."""

    scenarios: int
    a: float
    b: float
    difference: Comparison


def read(path: Path, file: str) -> Counts:
    """Counts of a file of verdicts; of rows that name a model file, those of `file`.

    Raises BadInput on a row of another form, and where no row is left.
    """
    counts: Counts = {}
    for number, row in enumerate(io.read_rows(path), 1):
        failed = row.get("failed")
        if not {"tier", "scenario"} <= row.keys() or not isinstance(failed, list) or not failed:
            remedy = "`canvas score --out` or stage eval writes it"
            raise io.BadInput(path, "no verdict", line=number, remedy=remedy)
        if row.get("file", file) == file:
            counts[row["tier"], row["scenario"]] = failed.count([]), len(failed)
    if not counts:
        raise io.BadInput(path, f"nothing about {file}", remedy="name another with --file")
    return counts


def by_tier(a: Path, b: Path, file: str, seed: int = 0) -> dict[str, Compared]:
    """B against A, tier by tier. Raises BadInput where they were not given the same scenarios."""
    sides = read(a, file), read(b, file)
    for path, own, other in ((a, *sides), (b, *sides[::-1])):
        if missing := sorted(other.keys() - own.keys()):
            remedy = "score both on the same scenarios"
            raise io.BadInput(path, f"no verdict on {missing[0][1]}", remedy=remedy)
    tiers = defaultdict(list)
    for key in sides[0]:
        tiers[key[0]].append(key)
    return {
        tier: _compared([sides[0][key] for key in keys], [sides[1][key] for key in keys], seed)
        for tier, keys in sorted(tiers.items())
    }


def _compared(a: list[tuple[int, int]], b: list[tuple[int, int]], seed: int) -> Compared:
    return Compared(len(a), _rate(a), _rate(b), compare(a, b, seed))


def _rate(counts: list[tuple[int, int]]) -> float:
    return sum(passed / runs for passed, runs in counts) / len(counts)
