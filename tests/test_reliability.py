"""pass^k, intervals and comparisons against figures worked out by other means."""

import itertools
import math
import random

import pytest

from canvas.reliability import RESAMPLES, compare, interval, pass_hat


@pytest.mark.parametrize(
    ("passed", "runs", "k", "wanted"),
    [
        (8, 8, 8, 1),
        (7, 8, 8, 0),
        (0, 8, 1, 0),
        (6, 8, 1, 0.75),
        (6, 8, 4, 15 / 70),
        (2, 4, 2, 1 / 6),
    ],
)
def test_pass_hat(passed, runs, k, wanted):
    assert pass_hat(passed, runs, k) == pytest.approx(wanted)


def test_pass_hat_is_the_share_of_subsets_that_pass():
    outcomes = [1, 1, 0, 1, 0, 1]
    for k in range(1, 7):
        chosen = list(itertools.combinations(outcomes, k))
        assert pass_hat(4, 6, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))


def test_pass_hat_is_unbiased():
    rng, share = random.Random(1), 0.8
    counts = [sum(rng.random() < share for _ in range(8)) for _ in range(20_000)]
    mean = sum(pass_hat(count, 8, 4) for count in counts) / len(counts)
    assert mean == pytest.approx(share**4, abs=0.01)


@pytest.mark.parametrize("k", [0, 9])
def test_pass_hat_needs_enough_runs(k):
    with pytest.raises(ValueError, match="at least"):
        pass_hat(4, 8, k)


def test_an_interval_covers_the_normal_one_of_a_large_sample():
    values = [1.0] * 300 + [0.0] * 700
    low, high = interval(values, 0)
    wide = 1.96 * math.sqrt(0.3 * 0.7 / 1000)
    assert low == pytest.approx(0.3 - wide, abs=0.006)
    assert high == pytest.approx(0.3 + wide, abs=0.006)


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    rng, share, inside = random.Random(7), 0.4, 0
    for trial in range(200):
        low, high = interval([float(rng.random() < share) for _ in range(60)], trial)
        inside += low <= share <= high
    assert 0.88 <= inside / 200 <= 0.99


def test_intervals_depend_on_the_seed_alone():
    values = [0.0, 0.5, 1.0, 1.0, 0.25]
    assert interval(values, 3) == interval(values, 3)
    assert len({interval(values * 9, seed) for seed in range(5)}) > 1


def test_an_interval_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no values"):
        interval([], 0)
    assert interval([0.0] * 16, 0) == (0.0, 0.0)
    assert RESAMPLES >= 1000


def outcomes(*passed: int, runs: int = 1) -> list[tuple[int, int]]:
    return [(count, runs) for count in passed]


def test_one_run_a_side_is_mcnemars_exact_test():
    a = outcomes(*[1] * 10, *[0] * 8, *[1] * 2)
    b = outcomes(*[1] * 10, *[1] * 8, *[0] * 2)
    found = compare(a, b, 0)
    assert (found.wins, found.losses) == (8, 2)
    assert found.difference == pytest.approx(6 / 20)
    tail = sum(math.comb(10, k) for k in (0, 1, 2)) / 2**10
    assert found.p == pytest.approx(2 * tail)
    assert found.low < found.difference < found.high


def test_several_runs_are_the_randomisation_of_whole_scenarios():
    a, b = outcomes(0, 2, 4, 4, runs=4), outcomes(3, 4, 3, 4, runs=4)
    gains = [3, 2, -1, 0]
    sums = [
        abs(sum(sign * gain for sign, gain in zip(signs, gains, strict=True)))
        for signs in itertools.product((1, -1), repeat=4)
    ]
    assert compare(a, b, 0).p == pytest.approx(sum(s >= 4 for s in sums) / len(sums))


def test_sides_may_differ_in_runs():
    found = compare([(1, 2), (3, 3)], [(4, 8), (0, 1)], 0)
    assert (found.wins, found.losses, found.difference) == (0, 1, -0.5)
    assert found.p == 1.0


def test_the_same_against_itself_differs_by_nothing():
    found = compare(outcomes(1, 0, 1), outcomes(1, 0, 1), 0)
    assert (found.difference, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_what_cannot_be_paired_is_refused():
    with pytest.raises(ValueError, match="shorter"):
        compare(outcomes(1, 0), outcomes(1), 0)
    with pytest.raises(ValueError, match="at least one run"):
        compare([(0, 0)], [(1, 1)], 0)
