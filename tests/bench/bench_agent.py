"""Speed of the whole agent: every scenario, several seeded runs each, on one model.

Run: python -m tests.bench.bench_agent [MODEL.gguf [RUNS]]

The harness is what an agent costs beside its model: worlds, prompts, tokens, parsing, tools and
scores. It is measured by playing the recorded replies of the run again.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from canvas import io
from canvas.backends import LlamaCppBackend
from canvas.backends.base import Backend, Conversation, Reply
from canvas.backends.turns import read_reply
from canvas.evaluate import run_scenarios
from canvas.scenarios import load
from canvas.scoring import Result
from canvas.summary import summary
from tests.bench.bench_backend import measured

MODEL, RUNS, TEMPERATURE = "models/gguf/sft/Q4_K_M.gguf", 8, 0.7


class Replay(Backend):
    """Recorded replies in the place of a model; the rest is done as `backend` does it."""

    def __init__(self, backend: LlamaCppBackend, recorded: Sequence[Sequence[Reply]]):
        """`recorded` holds the replies of each conversation, in the order they are asked for."""
        self._backend, self._recorded = backend, iter(recorded)

    def converse(self, conversations: Sequence[Conversation], **_) -> list:
        return [self._play(conversation) for conversation in conversations]

    def _play(self, conversation: Conversation) -> object:
        request = next(conversation)
        for reply in next(self._recorded):
            self._backend.prompt(request)
            read_reply(reply.raw, reply.finish, reply.prompt_tokens, reply.completion_tokens)
            try:
                request = conversation.send(reply)
            except StopIteration as end:
                return end.value
        raise RuntimeError("the conversation did not end where the recorded one did")


def by_run(results: Sequence[Result], runs: int) -> list[list[Reply]]:
    """The replies of every run of every scenario, run by run."""
    return [result.transcript.turns for run in range(runs) for result in results[run::runs]]


def main(path: str = MODEL, runs: str = str(RUNS)) -> None:
    if not Path(path).is_file():
        remedy = "`make repro` trains it; another GGUF file can be named"
        raise io.BadInput(path, "no such model", remedy=remedy)
    scenarios = load(Path("data/scenarios"))
    settings = io.params("seed", "eval.tools", "eval.max_turns", "eval.max_tokens")
    settings |= {"runs": int(runs), "temperature": TEMPERATURE}
    backend = LlamaCppBackend(Path(path))
    with measured(f"{len(scenarios)} scenarios, {runs} runs each") as model:
        results = run_scenarios(backend, scenarios, **settings)
    with measured("the same with recorded replies") as harness:
        run_scenarios(Replay(backend, by_run(results, int(runs))), scenarios, **settings)
    turns = [turn for result in results for turn in result.transcript.turns]
    made = sum(turn.completion_tokens for turn in turns)
    print(f"{len(turns)} turns, {made} tokens made, {made / model.wall:.0f} a second")
    print(f"harness beside the model: {1000 * harness.cpu / len(turns):.2f} ms a turn")
    scores = summary(results, settings["seed"])
    print({tier: scores[tier] for tier in sorted({case.tier for case in scenarios})})


if __name__ == "__main__":
    main(*sys.argv[1:])
