"""A GGUF file as a backend: llama.cpp in this process, many conversations at once.

Prompts are rendered by `canvas.template` and tokenised by llama.cpp, markers as single tokens. The
caches of finished turns are kept, so the next turn of a conversation only pays for what is new.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from canvas.backends.base import Backend, Reply, Request
from canvas.backends.lanes import Crew, Sampling, Turn, divide
from canvas.backends.turns import prompt_text, read_reply, too_long
from canvas.llama import MAX_SEQUENCES, Model

SMALL = 64 * 2**20
"""Bytes of a model that stays in the processor's caches: its threads gain most working apart."""


class LlamaCppBackend(Backend):
    """Replies of one GGUF file.

    `threads` are the processor threads in all; `context` the tokens of one conversation, prompt and
    reply; `lanes`, at most `llama.BATCH`, how many conversations share one forward pass (1 is best
    for a single chat); `kept` how many conversations keep their caches between turns. A small model
    is run by every thread on its own, a large one by all threads together.

    Greedy replies do not depend on what else is in the batch, as long as the conversations are no
    more than `kept`: a conversation that lost its cache is computed again, and rounds differently.
    """

    def __init__(
        self,
        path: Path,
        threads: int = 2,
        context: int = 2048,
        lanes: int = 8,
        kept: int = 256,
        lenient: bool = False,
    ):
        self.model = Model(path)
        apart = Path(path).stat().st_size <= SMALL
        self._workers, self._threads = (threads, 1) if apart else (1, threads)
        self._context, self._lanes, self._lenient = context, lanes, lenient
        self._kept = min(kept // self._workers, MAX_SEQUENCES - lanes)
        self._crews: list[Crew] = []

    def chat(self, messages: list[dict], tools: list[dict], **sampling) -> Reply:
        """The next model turn; sampling keys as in `chat_many`."""
        return self.chat_many([(messages, tools)], **sampling)[0]

    def chat_many(
        self,
        requests: Sequence[Request],
        *,
        temperature: float = 0.0,
        seed: int = 0,
        max_tokens: int = 256,
    ) -> list[Reply]:
        """Replies in the order of `requests`.

        A prompt that leaves no room in the context gets a reply with finish `error`; a turn that
        fills the context, `length`. The same prompt and seed give the same sample in any batch.
        """
        sampling = Sampling(temperature, seed, max_tokens)
        turns = [Turn(self.model.tokenize(prompt_text(*request)), sampling) for request in requests]
        fitting = [turn for turn in turns if len(turn.prompt) < self._context]
        self._make_room(len(fitting))
        divide(fitting, self._crews)
        try:
            with ThreadPoolExecutor(len(self._crews)) as pool:
                for finished in [pool.submit(crew.run) for crew in self._crews]:
                    finished.result()
        except BaseException:
            self._crews = []  # their lanes hold turns that nobody waits for any more
            raise
        return [self._reply(turn) for turn in turns]

    def _make_room(self, conversations: int) -> None:
        """Contexts with a shelf for each conversation; built anew, and empty, when too small."""
        shelves = min(self._kept, -(-conversations // self._workers))
        if self._crews and len(self._crews[0].shelves) >= shelves:
            return
        self._crews = [
            Crew(self.model, self._context, self._lanes, shelves, self._threads)
            for _ in range(self._workers)
        ]

    def _reply(self, turn: Turn) -> Reply:
        if not turn.finish:
            return too_long(len(turn.prompt), self._context)
        text = self.model.text(turn.made)
        return read_reply(text, turn.finish, len(turn.prompt), len(turn.made), self._lenient)
