"""A GGUF file as a backend: llama.cpp in this process, many conversations at once.

Prompts are rendered by `canvas.template` and tokenised by llama.cpp, markers as single tokens. The
next turn of a conversation, and a prompt that is asked again, only pay for what is new.
"""

import re
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

from canvas.backends.base import Backend, Conversation, Reply, Request
from canvas.backends.lanes import Crew, Sampling, Shelf, Turn
from canvas.backends.turns import prompt_text, read_reply, too_long
from canvas.llama import Context, Model

SMALL = 64 * 2**20
"""Bytes of a model that stays in the processor's caches: its threads gain most working apart."""

_TURN = re.compile(r"(?=<\|turn>)")


class LlamaCppBackend(Backend):
    """Replies of one GGUF file.

    `threads` are the processor threads in all; `context` the tokens of one conversation, prompt and
    reply; `lanes`, at most `llama.BATCH`, how many conversations share one forward pass (1 is best
    for a single chat); `kept` how many conversations that ended keep their caches. A small model is
    run by every thread on its own, a large one by all threads together.

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
        self._shelf = Shelf(kept)
        self._crews: list[Crew] = []
        self._part = lru_cache(maxsize=1024)(self.model.tokenize)

    def chat(self, messages: list[dict], tools: list[dict], **sampling) -> Reply:
        """The next model turn; sampling keys as in `chat_many`."""
        return self.chat_many([(messages, tools)], **sampling)[0]

    def chat_many(self, requests: Sequence[Request], **sampling) -> list[Reply]:
        """Replies in the order of `requests`; sampling keys as in `converse`."""
        return self.converse([_single(request) for request in requests], **sampling)

    def converse(
        self,
        conversations: Sequence[Conversation],
        *,
        temperature: float = 0.0,
        seed: int = 0,
        max_tokens: int = 256,
    ) -> list[Any]:
        """What the conversations return: each yields requests and is sent replies.

        A prompt that leaves no room in the context gets a reply with finish `error`; a turn that
        fills the context, `length`. The same prompt and seed give the same sample in any batch.
        Conversations are run in several threads, each in one at a time.
        """
        sampling = Sampling(temperature, seed, max_tokens)
        talks = [_Talk(self, conversation, sampling) for conversation in conversations]
        self._crews = self._crews or [self._crew() for _ in range(self._workers)]
        waiting = deque(talks)
        with ThreadPoolExecutor(len(self._crews)) as pool:
            try:
                for finished in [pool.submit(crew.run, waiting) for crew in self._crews]:
                    finished.result()
            except BaseException:
                waiting.clear()
                self._crews = []  # their lanes hold turns that nobody waits for any more
                raise
        return [talk.result for talk in talks]

    def prompt(self, request: Request) -> list[int]:
        """The token ids of a request. Parts that come again, such as the tools, are read once."""
        parts = _TURN.split(prompt_text(*request))  # a marker is never joined to what is before it
        return [token for part in parts for token in self._part(part)]

    def reply(self, turn: Turn) -> Reply:
        """The reply of a finished turn; one that never ran did not fit."""
        if not turn.finish:
            return too_long(len(turn.prompt), self._context)
        text = self.model.text(turn.made)
        return read_reply(text, turn.finish, len(turn.prompt), len(turn.made), self._lenient)

    def fits(self, turn: Turn) -> bool:
        return len(turn.prompt) < self._context

    def _crew(self) -> Crew:
        context = Context(self.model, self._context, self._lanes, self._threads)
        return Crew(context, self._lanes, self._shelf)


class _Talk:
    """A conversation as the lanes see it: turns of tokens."""

    def __init__(self, backend: LlamaCppBackend, conversation: Conversation, sampling: Sampling):
        self._backend, self._conversation, self._sampling = backend, conversation, sampling
        self.result: Any = None

    def __call__(self, done: Turn | None) -> Turn | None:
        """The next turn that fits, given the one just finished; None where it has ended."""
        while True:
            try:
                request = self._conversation.send(done and self._backend.reply(done))
            except StopIteration as end:
                self.result = end.value
                return None
            done = Turn(self._backend.prompt(request), self._sampling)
            if self._backend.fits(done):
                return done


def _single(request: Request) -> Generator[Request, Reply, Reply]:
    """A conversation of one turn."""
    return (yield request)
