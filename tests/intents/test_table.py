from pathlib import Path

import pytest

from canvas import oracle, seeds, wordings
from canvas.agent import Transcript
from canvas.intents import INTENTS
from canvas.intents.basic import scenario, world
from canvas.scoring import score
from canvas.tools import DECLARATIONS, Toolbox

WORDS = {
    path: wordings.read(Path(path))
    for path in ("data/wordings/train.yaml", "data/scenarios/basic.yaml")
}
SEEDS = range(20)


def drawn(name: str, seed: int) -> tuple[int, dict]:
    """The first world from a seed on in which the intent makes sense, and its slots."""
    for world_seed in range(1000 * seed, 1000 * seed + 50):
        rng = seeds.rng("test", name, world_seed)
        slots = INTENTS[name].draw(world(world_seed), rng)
        if slots is not None:
            return world_seed, slots
    raise AssertionError(f"no world for {name} from seed {1000 * seed} on")


def judged(name: str, seed: int, follow) -> tuple[dict, Transcript, object]:
    """Slots, transcript and score of what `follow` does about an intent."""
    world_seed, slots = drawn(name, seed)
    toolbox = Toolbox(world(world_seed), INTENTS[name].tools)
    before, outcome = toolbox.world.snapshot(), INTENTS[name].outcome(toolbox.world, slots)
    assert toolbox.world.snapshot() == before
    case = scenario("", "basic", INTENTS[name], "", world_seed, toolbox.names, outcome)
    transcript = follow(oracle.plan(name, slots), toolbox)
    return slots, transcript, score(case, before, toolbox.world.snapshot(), transcript)


def idle(plan, toolbox):
    return oracle.finish(Transcript(stopped="answer"), "Done.")


@pytest.mark.parametrize("path", WORDS)
def test_every_wording_has_exactly_the_slots_of_its_intent(path):
    for name, patterns in WORDS[path].patterns.items():
        for pattern in patterns:
            assert wordings.slots_of(pattern) == INTENTS[name].slots, f"{name}: {pattern}"


def test_every_intent_has_many_training_wordings():
    patterns = WORDS["data/wordings/train.yaml"].patterns
    assert set(patterns) == set(INTENTS)
    assert min(map(len, patterns.values())) >= 30


def test_every_tool_has_an_intent():
    assert {name for intent in INTENTS.values() for name in intent.tools} == set(DECLARATIONS)


@pytest.mark.parametrize("name", INTENTS)
def test_the_oracle_passes(name):
    for seed in SEEDS:
        slots, _, verdict = judged(name, seed, oracle.follow)
        assert verdict.passed, (seed, slots, verdict.failed)


@pytest.mark.parametrize("name", INTENTS)
def test_doing_nothing_fails(name):
    for seed in SEEDS:
        assert not judged(name, seed, idle)[2].passed


@pytest.mark.parametrize("name", INTENTS)
def test_calls_are_as_many_as_the_kind_says(name):
    wanted = {"single": 1, "pair": 2, "none": 0}[INTENTS[name].kind]
    for seed in SEEDS:
        calls = judged(name, seed, oracle.follow)[1].calls
        assert len(calls) == wanted
        assert not wanted or {call.name for call in calls} <= set(INTENTS[name].tools)


@pytest.mark.parametrize("name", INTENTS)
def test_slots_are_those_declared(name):
    for seed in SEEDS:
        assert drawn(name, seed)[1].keys() == INTENTS[name].slots
