"""How far quantised files stray from their original: mean Kullback-Leibler divergence."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from canvas import template
from canvas.likelihood import Reader
from canvas.llama import Model


def sample(model: Model, rows: Iterable[dict], limit: int) -> list[list[int]]:
    """Token sequences of rendered conversations, about `limit` tokens in all, the last one cut."""
    sequences, left = [], limit
    for row in rows:
        if left < 2:
            break
        tokens = model.tokenize(template.render(row["messages"], row["tools"]))[:left]
        sequences.append(tokens)
        left -= len(tokens)
    return sequences


def mean_kl(
    original: Path, copies: Mapping[str, Path], sequences: Sequence[Sequence[int]]
) -> dict[str, float]:
    """Mean of KL(original || copy) in nats over every position of `sequences`, for each copy.

    All files are held at once, and one sequence at a time goes through them, because full
    distributions over a real vocabulary are too large to keep.
    """
    length = max(map(len, sequences))
    cores = os.cpu_count() or 1
    threads = max(1, cores // len(copies))
    reference = Reader(Model(original), length, threads)
    readers = [Reader(Model(path), length, threads) for path in copies.values()]
    sums, count = np.zeros(len(readers)), 0
    with ThreadPoolExecutor(cores) as pool:
        for tokens in sequences:
            wanted = [(block, np.exp(block)) for block in reference.distributions(tokens)]
            found = [reader.distributions(tokens) for reader in readers]
            sums += list(pool.map(_kl, [wanted] * len(found), found))
            count += len(tokens) - 1
    return {name: float(total / count) for name, total in zip(copies, sums, strict=True)}


def _kl(wanted: list[tuple[np.ndarray, np.ndarray]], found: Iterator[np.ndarray]) -> float:
    """Summed KL over blocks (rows, vocab): `wanted` as log-probabilities and as probabilities."""
    blocks = zip(wanted, found, strict=True)
    return sum(float(np.vdot(p, log_p - log_q)) for (log_p, p), log_q in blocks)
