"""How likely a GGUF model finds given tokens; NumPy and llama.cpp only."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from canvas.llama import BATCH, Context, Model

Job, Result = TypeVar("Job"), TypeVar("Result")


class Reader:
    """Reads token sequences one after another; a prefix shared with the last is not run again."""

    def __init__(self, model: Model, length: int, threads: int = 1):
        self.context = Context(model, length, threads=threads)
        self._tokens: list[int] = []

    def distributions(self, tokens: Sequence[int], first: int = 1) -> Iterator[np.ndarray]:
        """Log-probabilities of the tokens at `first`, `first` + 1, … given all before them.

        Yields blocks (rows, vocab) in float64 nats, at most BATCH rows each; `first` is at least 1.
        """
        start = self._resume(tokens, first - 1)
        for begin in range(start, len(tokens) - 1, BATCH):
            part = tokens[begin : min(begin + BATCH, len(tokens) - 1)]
            places = np.arange(begin, begin + len(part))
            logits = self.context.decode(part, places, 0, places >= first - 1)
            if len(logits):
                yield log_softmax(logits)

    def token_logps(self, tokens: Sequence[int], first: int = 1) -> np.ndarray:
        """Log-probability in nats of each token from `first` on, given all before it; float64."""
        targets, found = np.asarray(tokens[first:]), []
        for block in self.distributions(tokens, first):
            done = sum(map(len, found))
            found.append(block[np.arange(len(block)), targets[done : done + len(block)]])
        return np.concatenate(found) if found else np.empty(0)

    def _resume(self, tokens: Sequence[int], most: int) -> int:
        """Drop what differs from the last sequence; returns how many tokens stay, up to `most`."""
        pairs = enumerate(zip(self._tokens[:most], tokens, strict=False))
        same = next((i for i, (old, new) in pairs if old != new), min(most, len(self._tokens)))
        self.context.keep(0, same)
        self._tokens = list(tokens[:-1])
        return same


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Log-probabilities over the last axis, float64."""
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def spread(
    jobs: Sequence[Job], readers: Sequence[Reader], work: Callable[[Reader, Job], Result]
) -> list[Result]:
    """`work` on every job, in order; each reader takes a stretch of them in its own thread."""
    bounds = [len(jobs) * number // len(readers) for number in range(len(readers) + 1)]

    def stretch(number: int) -> list[Result]:
        mine = jobs[bounds[number] : bounds[number + 1]]
        return [work(readers[number], job) for job in mine]

    with ThreadPoolExecutor(len(readers)) as pool:
        return [result for part in pool.map(stretch, range(len(readers))) for result in part]
