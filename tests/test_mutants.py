"""The scorer notices one mistake: mutated plans over all scenarios fail in the right field."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from canvas import io, scenarios
from canvas.backends.scripted import Plan
from canvas.families import made
from canvas.intents import basic
from canvas.oracle import plan
from canvas.planning import PLANS
from canvas.scenarios import Scenario
from tests.mutants import Mutant, mutants

NUMBER, SEED = 60, 5
# What a request leaves open is no mistake: a time of day, and which grade cannot be read.
OPEN = {
    ("outage", "wrong course"),
    ("spread-work", "hour off"),
    ("spread-work", "hour early"),
    ("book_free_block", "hour off"),
    ("book_free_block", "hour early"),
}


def hand_written() -> list[tuple[Scenario, Plan]]:
    found = scenarios.load(Path("data/scenarios/planning.yaml"))
    return [(scenario, PLANS[scenario.id]) for scenario in found]


def generated(folder: Path) -> list[tuple[Scenario, Plan]]:
    drawn = [made(SEED, number) for number in range(NUMBER)]
    path = folder / "drawn.jsonl"
    io.write_rows(path, [one.row for one in drawn])
    return [(s, one.plan) for s, one in zip(scenarios.load(path), drawn, strict=True)]


def intents() -> list[tuple[Scenario, Plan]]:
    found = scenarios.load(Path("data/scenarios/basic.yaml"))
    return [(s, partial(plan, s.family, basic.slots(s))) for s in found]


@pytest.fixture(scope="module", params=["hand-written", "generated", "basic"])
def made_up(request, tmp_path_factory) -> list[Mutant]:
    sources = {"hand-written": hand_written, "basic": intents}
    if request.param == "generated":
        cases = generated(tmp_path_factory.mktemp("drawn"))
    else:
        cases = sources[request.param]()
    return [mutant for scenario, its_plan in cases for mutant in mutants(scenario, its_plan)]


def test_there_are_enough_mutants(made_up):
    assert len(made_up) >= 200


def test_mutants_fail_in_the_right_field(made_up):
    survivors = [mutant for mutant in made_up if mutant.survives()]
    found = Counter((m.scenario.family, m.kind) for m in survivors)
    assert {key: n for key, n in found.items() if key not in OPEN} == {}
    for kind, number in Counter(mutant.kind for mutant in made_up).items():
        left = sum(m.kind == kind and (m.scenario.family, kind) not in OPEN for m in survivors)
        assert left <= 0.05 * number, kind
    assert len(survivors) <= 0.05 * len(made_up)
