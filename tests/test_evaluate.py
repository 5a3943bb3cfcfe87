"""Scenarios run in fresh worlds, in lockstep, with the tools and seeds that were asked for."""

from dataclasses import replace
from pathlib import Path

import pytest

from canvas.backends import Backend, Reply
from canvas.evaluate import run_scenarios, transcript_row
from canvas.faults import FAILURE
from canvas.io import dumps
from canvas.scenarios import load
from canvas.toolcall import ToolCall, render_call
from canvas.tools import DECLARATIONS

SCENARIOS = load(Path("data/scenarios/planning.yaml"))[:3]
CALL = ("calendar.create_event", {"title": "Gym", "start": "2027-01-01T10:00", "minutes": 30})


class Booker(Backend):
    """Makes one event, then answers with its seed; keeps what it was asked."""

    def __init__(self):
        self.batches, self.declared = [], []

    def chat(self, messages, tools, **sampling):
        self.declared.append([tool["function"]["name"] for tool in tools])
        if messages[-1]["role"] == "tool":
            answer = f"Seed {sampling['seed']}, at most {sampling['max_tokens']} tokens."
            return Reply(answer, raw=answer)
        return Reply("", [ToolCall(*CALL)], render_call(*CALL))

    def chat_many(self, requests, **sampling):
        self.batches.append(len(requests))
        return super().chat_many(requests, **sampling)


def test_runs_are_in_lockstep_and_in_order():
    backend = Booker()
    results = run_scenarios(backend, SCENARIOS, runs=2, seed=7, max_tokens=20, temperature=0.7)
    assert backend.batches == [3, 3, 3, 3]
    assert [r.scenario.id for r in results] == [s.id for s in SCENARIOS for _ in range(2)]
    assert [r.transcript.answer[:6] for r in results] == ["Seed 7", "Seed 8"] * 3


def test_every_run_has_a_world_of_its_own():
    results = run_scenarios(Booker(), SCENARIOS, runs=2, max_tokens=20, temperature=0.7)
    assert not any("conflict" in r.transcript.calls[0].result for r in results)


def test_declared_or_all_tools():
    backend = Booker()
    run_scenarios(backend, SCENARIOS[:1], max_tokens=20)
    assert backend.declared[0] == list(SCENARIOS[0].tools)
    backend = Booker()
    (result,) = run_scenarios(backend, SCENARIOS[:1], tools="all", max_tokens=20)
    assert backend.declared[0] == list(DECLARATIONS) == list(result.tools)


def test_another_value_of_tools_is_refused():
    with pytest.raises(ValueError, match="some"):
        run_scenarios(Booker(), SCENARIOS, tools="some")


@pytest.mark.parametrize("sampling", [{}, {"temperature": 0.0}])
def test_the_same_run_several_times_is_refused(sampling):
    with pytest.raises(ValueError, match="temperature"):
        run_scenarios(Booker(), SCENARIOS, runs=2, **sampling)


def test_tools_fail_as_the_scenario_says():
    case = replace(SCENARIOS[0], faults={CALL[0]: 1})
    (result,) = run_scenarios(Booker(), [case], max_tokens=20)
    assert [call.result for call in result.transcript.calls] == [FAILURE]


def test_turns_are_limited():
    (result,) = run_scenarios(Booker(), SCENARIOS[:1], max_turns=1, max_tokens=20)
    assert result.transcript.stopped == "max_turns"


def test_a_transcript_row_is_json():
    (result,) = run_scenarios(Booker(), SCENARIOS[:1], max_tokens=20)
    row = transcript_row(result)
    assert row["scenario"] == SCENARIOS[0].id
    assert row["passed"] is False
    assert row["messages"][-1]["content"] == row["answer"]
    assert "<|tool_call>" in row["raw"][0]
    assert dumps(row)
