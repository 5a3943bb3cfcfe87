"""The plans pass the hand-written scenarios; doing nothing does not."""

from pathlib import Path

import pytest

from canvas.backends import Backend, Reply
from canvas.backends.scripted import ScriptedBackend
from canvas.evaluate import run_scenarios
from canvas.planning import PLANS
from canvas.scenarios import load

SCENARIOS = {s.id: s for s in load(Path("data/scenarios/planning.yaml"))}


def test_there_is_a_plan_for_every_scenario():
    assert set(PLANS) == set(SCENARIOS)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_oracle_passes(name):
    (result,) = run_scenarios(ScriptedBackend(lambda _: PLANS[name]()), [SCENARIOS[name]])
    assert result.score.passed, (result.score.failed, result.transcript.answer)
    assert result.transcript.parsed_turns == result.transcript.marked_turns


class Idle(Backend):
    """Claims to be done without doing anything."""

    def chat(self, messages, tools, **sampling):
        return Reply("Done.", raw="Done.")


@pytest.mark.parametrize("name", SCENARIOS)
def test_doing_nothing_fails(name):
    (result,) = run_scenarios(Idle(), [SCENARIOS[name]])
    assert not result.score.passed
    assert result.score.state is not bool(SCENARIOS[name].expect)
