"""Continuous batching: a few lanes decode together, finished conversations wait on shelves."""

from array import array
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from canvas import seeds
from canvas.llama import Context, Model


@dataclass(frozen=True)
class Sampling:
    """How tokens are drawn: greedily at temperature 0, else from the softmax, seeded by prompt."""

    temperature: float = 0.0
    seed: int = 0
    max_tokens: int = 256


@dataclass(eq=False)
class Turn:
    """One model turn in the making; tokens are ids. `finish` stays empty until it is done."""

    prompt: list[int]
    sampling: Sampling
    made: list[int] = field(default_factory=list)
    finish: str = ""
    shelf: "Shelf | None" = None

    def __post_init__(self) -> None:
        self.key = array("i", self.prompt).tobytes()
        self._rng = np.random.default_rng([self.sampling.seed, seeds.stable_hash(self.key)])

    def draw(self, logits: np.ndarray) -> int:
        """The next token, from logits (vocab,)."""
        if self.sampling.temperature <= 0:
            return int(logits.argmax())
        scaled = np.exp((logits - logits.max()).astype(np.float64) / self.sampling.temperature)
        total = np.cumsum(scaled)
        return int(np.searchsorted(total, self._rng.random() * total[-1], side="right"))


@dataclass(eq=False)
class Shelf:
    """A kept cache: its sequence, the tokens in it, its prompt's key, the round of its last use."""

    sequence: int
    tokens: list[int] = field(default_factory=list)
    key: bytes = b""
    used: int = 0

    def shared(self, turn: Turn) -> int:
        """Leading tokens that `turn` can take over; 0 unless it continues this very conversation.

        A prompt that is merely alike, or the same again, is computed afresh: reuse rounds
        differently, and a reply must not depend on what was asked before.
        """
        if not self.key or len(turn.key) <= len(self.key) or not turn.key.startswith(self.key):
            return 0
        pairs = enumerate(zip(self.tokens, turn.prompt, strict=False))
        both = min(len(self.tokens), len(turn.prompt) - 1)
        return next((i for i, (kept, new) in pairs if kept != new or i == both), both)


class Crew:
    """One context with its lanes and shelves, worked by one thread at a time.

    Every decoding pass has exactly `lanes` tokens, idle lanes included: llama.cpp rounds each width
    differently, and so a reply does not depend on its neighbours.
    """

    def __init__(self, model: Model, length: int, lanes: int, shelves: int, threads: int):
        self.context = Context(model, length, lanes + shelves, threads)
        self.shelves = [Shelf(lanes + number) for number in range(shelves)]
        self.waiting: deque[Turn] = deque()
        self._lanes: list[Turn | None] = [None] * lanes
        self._round = 0

    def claim(self, turn: Turn) -> int:
        """Reserve the shelf that `turn` continues, if one is here; returns the tokens shared."""
        free = [shelf for shelf in self.shelves if shelf.used <= self._round]
        best = max(free, key=lambda shelf: shelf.shared(turn), default=None)
        shared = best.shared(turn) if best else 0
        if shared:
            turn.shelf, best.used = best, self._round + 1
        return shared

    def run(self) -> None:
        """Finish every waiting turn."""
        self._round += 1
        while self.waiting or any(self._lanes):
            for lane, turn in enumerate(self._lanes):
                while turn is None and self.waiting:
                    turn = self._start(lane, self.waiting.popleft())
                self._lanes[lane] = turn
            if any(self._lanes):
                self._step()

    def _start(self, lane: int, turn: Turn) -> Turn | None:
        """Run the prompt and draw the first token; None if that ended the turn."""
        shared = 0
        if turn.shelf:
            shared = turn.shelf.shared(turn)
            self.context.copy(turn.shelf.sequence, lane)
        self.context.keep(lane, shared)
        logits = self.context.prefill(lane, turn.prompt[shared:], shared)
        return self._take(lane, turn, logits)

    def _step(self) -> None:
        """Run each lane's latest token and draw the next one; an idle lane runs token 0."""
        tokens = [turn.made[-1] if turn else 0 for turn in self._lanes]
        places = [len(turn.prompt) + len(turn.made) - 1 if turn else 0 for turn in self._lanes]
        logits = self.context.decode(tokens, places, range(len(tokens)), True)
        for lane, turn in enumerate(self._lanes):
            if turn:
                self._lanes[lane] = self._take(lane, turn, logits[lane])
            else:
                self.context.keep(lane, 0)

    def _take(self, lane: int, turn: Turn, logits: np.ndarray) -> Turn | None:
        """Enter the next token; a turn that ends goes on a shelf and leaves its lane."""
        turn.made.append(turn.draw(logits))
        if turn.made[-1] in self.context.model.end_tokens:
            turn.finish = "stop"
        elif (
            len(turn.made) >= turn.sampling.max_tokens
            or len(turn.prompt) + len(turn.made) >= self.context.length
        ):
            turn.finish = "length"
        if not turn.finish:
            return turn
        self._shelve(lane, turn)
        self.context.keep(lane, 0)
        return None

    def _shelve(self, lane: int, turn: Turn) -> None:
        """Keep the lane's cache: on the turn's own shelf, or on the one used longest ago."""
        if turn.shelf is None:
            free = [shelf for shelf in self.shelves if shelf.used < self._round]
            turn.shelf = min(free, key=lambda shelf: shelf.used, default=None)
        if turn.shelf:
            self.context.copy(lane, turn.shelf.sequence)
            turn.shelf.tokens = turn.prompt + turn.made[:-1]
            turn.shelf.key, turn.shelf.used = turn.key, self._round


def divide(turns: Sequence[Turn], crews: Sequence[Crew]) -> None:
    """Give each turn to the crew that holds its conversation, else to the one with least to do."""
    fresh = []
    for turn in turns:
        for crew in crews:
            if crew.claim(turn):
                crew.waiting.append(turn)
                break
        else:
            fresh.append(turn)
    for turn in fresh:
        min(crews, key=lambda crew: len(crew.waiting)).waiting.append(turn)
