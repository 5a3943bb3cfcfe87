"""Reliability: pass^k from several runs of each scenario, with intervals and paired comparison.

Scenarios are the unit: what is resampled or exchanged is a scenario with all of its runs, because
runs of one scenario are alike. Every figure is the same for the same seed on every machine.
"""

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from canvas import seeds

KS = (1, 4, 8)
LEVEL = 0.95
RESAMPLES = 2000


@dataclass(frozen=True)
class Comparison:
    """Pass rate of B minus that of A over the same scenarios.

    `low` to `high` is the interval of the difference, `p` the chance of one so far from 0 if the
    two did not differ, `wins` and `losses` the scenarios that B passed more and less often.
    """

    difference: float
    low: float
    high: float
    p: float
    wins: int
    losses: int


def pass_hat(passed: int, runs: int, k: int) -> float:
    """pass^k of one scenario: the chance that k fresh runs all pass, estimated without bias.

    C(passed, k) / C(runs, k), Yao et al. (2024), "tau-bench", arXiv:2406.12045. Raises ValueError
    where fewer than k runs were made.
    """
    if not 1 <= k <= runs:
        raise ValueError(f"pass^{k} needs at least {k} runs, there are {runs}")
    return math.comb(passed, k) / math.comb(runs, k)


def interval(values: Sequence[float], seed: int) -> tuple[float, float]:
    """Percentile bootstrap of the mean of one value a scenario: LEVEL of RESAMPLES means.

    Efron and Tibshirani (1993), chapter 13. Values that are all equal leave nothing to resample:
    the interval is then a point, and says nothing about scenarios that were not drawn. Raises
    ValueError without values.
    """
    if not values:
        raise ValueError("no values to resample")
    rng = seeds.rng("bootstrap", seed)
    means = sorted(_resampled(values, rng) for _ in range(RESAMPLES))
    tail = round((1 - LEVEL) / 2 * RESAMPLES)
    return means[tail], means[-1 - tail]


def compare(a: Sequence[tuple[int, int]], b: Sequence[tuple[int, int]], seed: int) -> Comparison:
    """B against A: for each scenario, in the same order, the runs passed and the runs made.

    Raises ValueError where the two differ in length or a scenario was never run.
    """
    pairs = list(zip(a, b, strict=True))
    if any(runs < 1 for pair in pairs for _, runs in pair):
        raise ValueError("every scenario needs at least one run of each side")
    gains = [won / tried - lost / made for (lost, made), (won, tried) in pairs]
    # Whole numbers: the difference of a scenario in units of one over the runs of both sides.
    whole = [won * made - lost * tried for (lost, made), (won, tried) in pairs]
    return Comparison(
        difference=fmean(gains),
        **dict(zip(("low", "high"), interval(gains, seed), strict=True)),
        p=_sign_flip(whole, [made * tried for (_, made), (_, tried) in pairs]),
        wins=sum(gain > 0 for gain in whole),
        losses=sum(gain < 0 for gain in whole),
    )


def _resampled(values: Sequence[float], rng: random.Random) -> float:
    return sum(rng.choices(values, k=len(values))) / len(values)


def _sign_flip(gains: Sequence[int], units: Sequence[int]) -> float:
    """Exact two-sided randomisation test: each scenario's gain was as likely the other way round.

    With one run a side this is McNemar's exact test (Fisher 1935; McNemar 1947).
    """
    common = math.lcm(*units)
    scaled = [gain * common // unit for gain, unit in zip(gains, units, strict=True) if gain]
    sums = Counter({0: 1})
    for gain in scaled:
        flipped: Counter[int] = Counter()
        for total, ways in sums.items():
            flipped[total + gain] += ways
            flipped[total - gain] += ways
        sums = flipped
    seen = abs(sum(scaled))
    return sum(ways for total, ways in sums.items() if abs(total) >= seen) / 2 ** len(scaled)
