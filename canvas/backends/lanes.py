"""Continuous batching: the conversations of a few lanes decode together, the others wait."""

import ctypes
import threading
from array import array
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from canvas import seeds
from canvas.llama import Context


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

    def __post_init__(self) -> None:
        self.key = array("i", self.prompt).tobytes()

    @property
    def newest(self) -> int:
        """The last token of prompt and reply: the one to run next."""
        return self.made[-1] if self.made else self.prompt[-1]

    @property
    def length(self) -> int:
        """Tokens of prompt and reply."""
        return len(self.prompt) + len(self.made)

    def draw(self, logits: np.ndarray) -> int:
        """The next token, from logits (vocab,) in float32."""
        if self.sampling.temperature <= 0:
            return int(logits.argmax())
        scaled = np.exp((logits - logits.max()) / np.float32(self.sampling.temperature))
        total = scaled.cumsum(dtype=np.float64)
        return int(np.searchsorted(total, self._rng.random() * total[-1], side="right"))

    @cached_property
    def _rng(self) -> np.random.Generator:
        return np.random.default_rng([self.sampling.seed, seeds.stable_hash(self.key)])


Talk = Callable[[Turn | None], Turn | None]
"""A conversation: given the turn just finished (None: at the start), its next turn, or None."""


@dataclass(frozen=True, eq=False)
class Trace:
    """What lies in a cache: tokens, and how they came there.

    `turns` holds for each model turn the key of its prompt and the number of tokens at its end.
    `floor` is the least number of tokens to which the cache can be cut. `saved` is the cache itself
    where it does not lie in a lane.
    """

    tokens: list[int] = field(default_factory=list)
    turns: list[tuple[bytes, int]] = field(default_factory=list)
    floor: int = 0
    saved: ctypes.Array | None = None

    def shared(self, turn: Turn) -> int:
        """Leading tokens that `turn` can take over: those that it would compute just so itself.

        They are the prompt of a turn that is asked again, and for a turn that continues this very
        conversation the replies before it too. A prompt that is merely alike is computed afresh:
        other passes round differently, and a reply must not depend on what was asked before.
        """
        ends = (end for key, end in reversed(self.turns) if turn.key.startswith(key))
        most = min(next(ends, 0), len(turn.prompt) - 1)
        pairs = enumerate(zip(self.tokens[:most], turn.prompt, strict=False))
        same = next((place for place, (kept, new) in pairs if kept != new), most)
        return same if same >= self.floor else 0

    def after(self, turn: Turn) -> "Trace":
        """The trace when `turn` has run, all but its newest token."""
        before = [old for old in self.turns if old[0] != turn.key and turn.key.startswith(old[0])]
        tokens = turn.prompt + turn.made[:-1]
        return Trace(tokens, [*before, (turn.key, len(tokens))], self.floor)

    def put_away(self, saved: ctypes.Array, window: int) -> "Trace":
        """The trace with its saved cache, of which sliding layers have only the last `window`."""
        floor = len(self.tokens) if 0 < window < len(self.tokens) else self.floor
        return Trace(self.tokens, self.turns, floor, saved)


class Shelf:
    """The caches of the conversations that ended last, at most `size`; crews may share it."""

    def __init__(self, size: int):
        self._size = size
        self._traces: list[Trace] = []
        self._lock = threading.Lock()

    def take(self, turn: Turn) -> Trace:
        """The trace that `turn` shares most with, off the shelf; an empty one if there is none."""
        with self._lock:
            fitting = [trace for trace in self._traces if turn.key.startswith(trace.turns[0][0])]
            best = max(fitting, key=lambda trace: trace.shared(turn), default=Trace())
            if not best.shared(turn):
                return Trace()
            self._traces.remove(best)
            return best

    def store(self, trace: Trace) -> None:
        with self._lock:
            self._traces.append(trace)
            del self._traces[: -self._size]


@dataclass(eq=False)
class Lane:
    """A sequence of the context, and the conversation in it, if there is one."""

    number: int
    talk: Talk | None = None
    turn: Turn | None = None
    trace: Trace = field(default_factory=Trace)


class Crew:
    """One context with its lanes, worked by one thread at a time.

    Every step runs exactly one token a lane, idle lanes included: llama.cpp rounds each width
    differently, and so a reply does not depend on its neighbours.
    """

    def __init__(self, context: Context, lanes: int, shelf: Shelf):
        self.context, self._shelf = context, shelf
        self._lanes = [Lane(number) for number in range(lanes)]

    def run(self, waiting: deque[Talk]) -> None:
        """Take conversations from `waiting`, which crews may share, until all have ended."""
        while True:
            for lane in self._lanes:
                while lane.turn is None and waiting:
                    lane.talk = waiting.popleft()
                    self._next_turn(lane)
            if not any(lane.turn for lane in self._lanes):
                return
            self._step()

    def _next_turn(self, lane: Lane) -> None:
        """Go on with the lane's conversation: fill the cache up to the prompt's last token."""
        lane.turn = turn = lane.talk(lane.turn)
        if turn is None:
            self._clear(lane)
            return
        if not lane.trace.shared(turn):
            lane.trace = self._shelf.take(turn)
            if lane.trace.saved:
                self.context.load(lane.number, lane.trace.saved)
        shared = lane.trace.shared(turn)
        self.context.keep(lane.number, shared)
        self.context.fill(lane.number, turn.prompt[shared:-1], shared)

    def _step(self) -> None:
        """Run each lane's newest token and draw the next one; an idle lane runs token 0."""
        turns = [lane.turn for lane in self._lanes]
        tokens = [turn.newest if turn else 0 for turn in turns]
        places = [turn.length - 1 if turn else 0 for turn in turns]
        logits = self.context.decode(tokens, places, range(len(turns)), True)
        for lane, turn in zip(self._lanes, turns, strict=True):
            if turn is None:
                self.context.keep(lane.number, 0)
                continue
            turn.made.append(turn.draw(logits[lane.number]))
            turn.finish = self._finish(turn)
        for lane in self._lanes:
            if lane.turn and lane.turn.finish:
                lane.trace = lane.trace.after(lane.turn)
                self._next_turn(lane)

    def _finish(self, turn: Turn) -> str:
        if turn.made[-1] in self.context.model.end_tokens:
            return "stop"
        full = len(turn.made) >= turn.sampling.max_tokens or turn.length >= self.context.length
        return "length" if full else ""

    def _clear(self, lane: Lane) -> None:
        """Put the lane's cache on the shelf and empty it."""
        if lane.trace.turns:
            saved = self.context.save(lane.number)
            self._shelf.store(lane.trace.put_away(saved, self.context.model.window))
        self.context.keep(lane.number, 0)
        lane.talk, lane.trace = None, Trace()
