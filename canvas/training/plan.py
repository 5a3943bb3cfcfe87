"""Which rows a run sees, in which order, and how a step is spread over devices: pure functions."""

import itertools
import math
from collections.abc import Iterator

from canvas import seeds

# Rows of like length meet in one batch, drawn from this many batches: little padding, much mixing.
WINDOW = 16


def steps(rows: int, effective_batch: int, *, steps: int | None, epochs: float | None) -> int:
    """Optimizer steps of a run: as given, or enough to see every row `epochs` times."""
    return steps if steps is not None else max(1, math.ceil(rows * epochs / effective_batch))


def device_batches(effective_batch: int, micro_batch: int, devices: int) -> tuple[int, int]:
    """(rows a device holds at once, micro batches a step) of a step over `effective_batch` rows.

    Raises ValueError where the rows of a step cannot be shared evenly."""
    share, rest = divmod(effective_batch, devices)
    if rest or not share:
        raise ValueError(f"{effective_batch} rows a step cannot be shared by {devices} devices")
    rows = next(size for size in range(min(micro_batch, share), 0, -1) if share % size == 0)
    return rows, share // rows


def drawn(rows: int, wanted: int, seed: int) -> list[int]:
    """Indices, ascending, of the rows that a run over `wanted` rows, with repeats, can see."""
    return sorted(itertools.islice(_passes(rows, seed), min(rows, wanted)))


def order(lengths: list[int], effective_batch: int, total: int, seed: int) -> list[int]:
    """Indices of the rows of `total` batches: pass after pass over all rows, each freshly shuffled.

    Within windows of WINDOW batches rows are sorted by length before they are cut into batches, and
    the batches are shuffled again. A pass that ends inside a batch is continued by the next one."""
    stream = list(itertools.islice(_passes(len(lengths), seed), total * effective_batch))
    ordered = []
    for start in range(0, len(stream), WINDOW * effective_batch):
        window = sorted(
            stream[start : start + WINDOW * effective_batch], key=lambda row: (lengths[row], row)
        )
        batches = [
            window[at : at + effective_batch] for at in range(0, len(window), effective_batch)
        ]
        seeds.rng("batches", seed, start).shuffle(batches)
        ordered.extend(row for batch in batches for row in batch)
    return ordered


def _passes(rows: int, seed: int) -> Iterator[int]:
    for number in itertools.count():
        indices = list(range(rows))
        seeds.rng("pass", seed, number).shuffle(indices)
        yield from indices
