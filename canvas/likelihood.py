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

    def distributions(self, tokens: Sequence[int]) -> Iterator[np.ndarray]:
        """Log-probabilities of all tokens but the first, each given those before it.

        Yields blocks (rows, vocab) in float64 nats, at most BATCH rows each.
        """
        for _, logits in self._logits(tokens, np.arange(len(tokens) - 1)):
            yield log_softmax(logits)

    def token_logps(self, tokens: Sequence[int], marked: np.ndarray) -> np.ndarray:
        """Log-probability in nats of each marked token given all before it.

        `marked` (tokens,) is boolean; the first token, with nothing before it, cannot be marked.
        """
        found, following = [], np.asarray(tokens)[1:]
        for places, logits in self._logits(tokens, np.flatnonzero(marked[1:])):
            logits -= logits.max(axis=-1, keepdims=True)
            chosen = logits[np.arange(len(places)), following[places]]
            found.append(chosen - np.log(np.exp(logits).sum(axis=-1, dtype=np.float64)))
        return np.concatenate(found) if found else np.empty(0)

    def _logits(
        self, tokens: Sequence[int], wanted: np.ndarray
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Blocks of the places in `wanted`, which ascend, with their logits (places, vocab).

        What lies between stretches of places is run for the cache alone.
        """
        if not len(wanted):
            return
        done = self._resume(tokens, wanted[0])
        self._tokens = list(tokens[: wanted[-1] + 1])
        for stretch in np.split(wanted, np.flatnonzero(np.diff(wanted) > 1) + 1):
            self.context.fill(0, tokens[done : stretch[0]], done)
            done = stretch[-1] + 1
            for first in range(0, len(stretch), BATCH):
                places = stretch[first : first + BATCH]
                part = tokens[places[0] : places[-1] + 1]
                yield places, self.context.decode(part, places, 0, True)

    def _resume(self, tokens: Sequence[int], most: int) -> int:
        """Drop what differs from the last sequence; returns how many tokens stay, up to `most`."""
        pairs = enumerate(zip(self._tokens[:most], tokens, strict=False))
        same = next((i for i, (old, new) in pairs if old != new), min(most, len(self._tokens)))
        self.context.keep(0, same)
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
