from collections import Counter
from itertools import pairwise

import pytest

from canvas.training import plan


def test_steps_as_given_or_from_epochs():
    assert plan.steps(100, 8, steps=7, epochs=None) == 7
    assert plan.steps(100, 8, steps=None, epochs=1.0) == 13
    assert plan.steps(100, 8, steps=None, epochs=0.01) == 1


@pytest.mark.parametrize("devices", [1, 2, 4, 8])
@pytest.mark.parametrize("micro", [1, 2, 3, 8, 64])
def test_a_step_sees_the_same_rows_on_any_number_of_devices(devices, micro):
    rows, accumulation = plan.device_batches(8, micro, devices)
    assert rows * accumulation * devices == 8
    assert rows <= micro


@pytest.mark.parametrize("devices", [3, 16])
def test_rows_that_cannot_be_shared(devices):
    with pytest.raises(ValueError, match="cannot be shared"):
        plan.device_batches(8, 8, devices)


def test_every_pass_sees_every_row_once():
    order = plan.order([5] * 20, 4, 10, seed=1)
    assert len(order) == 40
    assert set(Counter(order).values()) == {2}


def test_a_pass_that_ends_inside_a_batch_is_continued():
    order = plan.order([5] * 7, 4, 7, seed=1)
    assert set(Counter(order).values()) == {4}


def test_order_depends_on_the_seed_alone():
    lengths = list(range(50))
    assert plan.order(lengths, 4, 10, seed=1) == plan.order(lengths, 4, 10, seed=1)
    assert plan.order(lengths, 4, 10, seed=1) != plan.order(lengths, 4, 10, seed=2)


def test_batches_hold_rows_of_like_length_in_no_order_of_length():
    lengths = [number * 7919 % 640 for number in range(640)]
    order = plan.order(lengths, 8, 80, seed=3)
    batches = [[lengths[row] for row in order[at : at + 8]] for at in range(0, 640, 8)]
    padding = sum(max(batch) * 8 - sum(batch) for batch in batches)
    assert padding < 0.1 * sum(lengths)
    firsts = [batch[0] for batch in batches]
    assert sum(a < b for a, b in pairwise(firsts)) in range(25, 55)


def test_drawn_rows_are_those_of_the_first_pass():
    assert plan.drawn(10, 80, seed=1) == list(range(10))
    drawn = plan.drawn(1000, 80, seed=1)
    assert len(set(drawn)) == 80
    assert drawn == sorted(drawn)
