"""Evaluation: run every scenario against a backend, in lockstep, and score what came of it."""

from collections.abc import Sequence

from canvas.agent import CanvasAgent, Transcript, run_many
from canvas.backends.base import Backend
from canvas.faults import FaultyToolbox
from canvas.scenarios import Scenario
from canvas.scoring import Result, score
from canvas.tools import DECLARATIONS, Toolbox

TOOLS = ("declared", "all")


def run_scenarios(
    backend: Backend,
    scenarios: Sequence[Scenario],
    *,
    runs: int = 1,
    tools: str = "declared",
    max_turns: int = 8,
    seed: int = 0,
    **sampling,
) -> list[Result]:
    """Scored runs, `runs` of each scenario one behind the other, each in a fresh world.

    `tools` is `declared` (those that a scenario names) or `all` 18. Runs of one scenario differ in
    their sampling seed only: seed, seed + 1, … Raises ValueError on another value of `tools`, and
    on several runs without a temperature, which would all be the same run.
    """
    if tools not in TOOLS:
        raise ValueError(f"tools is {tools!r}, not one of {', '.join(TOOLS)}")
    if runs > 1 and not sampling.get("temperature"):
        raise ValueError(f"{runs} runs of each scenario need a temperature above 0")
    rounds = [
        _run_once(backend, scenarios, tools, max_turns, {**sampling, "seed": seed + run})
        for run in range(runs)
    ]
    return [result for group in zip(*rounds, strict=True) for result in group]


def _run_once(
    backend: Backend, scenarios: Sequence[Scenario], tools: str, max_turns: int, sampling: dict
) -> list[Result]:
    names = [scenario.tools if tools == "declared" else DECLARATIONS for scenario in scenarios]
    boxes = [
        FaultyToolbox(scenario.world(), declared, scenario.faults)
        for scenario, declared in zip(scenarios, names, strict=True)
    ]
    before = [box.world.snapshot() for box in boxes]
    agents = [CanvasAgent(backend, box, max_turns) for box in boxes]
    transcripts = run_many(agents, [s.prompt for s in scenarios], backend, **sampling)
    runs = zip(scenarios, boxes, before, transcripts, strict=True)
    return [_judge(*run) for run in runs]


def _judge(scenario: Scenario, box: Toolbox, before: dict, transcript: Transcript) -> Result:
    verdict = score(scenario, before, box.world.snapshot(), transcript)
    return Result(scenario, box.names, transcript, verdict)


def transcript_row(result: Result) -> dict:
    """One scored run as a JSON-able row, for reading what a model did."""
    transcript = result.transcript
    return {
        "scenario": result.scenario.id,
        "tier": result.scenario.tier,
        "passed": result.score.passed,
        "failed": list(result.score.failed),
        "stopped": transcript.stopped,
        "answer": transcript.answer,
        "messages": transcript.messages,
        "raw": [turn.raw for turn in transcript.turns],
    }
