import copy
from collections import Counter
from pathlib import Path

import pytest

from canvas import facts, io, scenarios, seeds, wordings
from canvas.intents import INTENTS, basic
from canvas.intents import scenarios as expand
from canvas.intents.basic import FIRST_SEED, declared
from canvas.tools import DECLARATIONS

PATH = Path("data/scenarios/basic.yaml")
DOCUMENT = io.read_yaml(PATH)
LOADED = scenarios.load(PATH)
EVALUATION = wordings.parse(DOCUMENT, PATH)
TRAINING = wordings.read(Path("data/wordings/train.yaml"))


def trained() -> list[str]:
    """Every way that a training wording can be put, without openers and closers."""
    made = []
    for patterns in TRAINING.patterns.values():
        for pattern in patterns:
            for text in wordings.expansions(pattern):
                made += [text, *TRAINING.framed(text)]
    return made


def test_size_and_shares():
    kinds = Counter(INTENTS[scenario.family].kind for scenario in LOADED)
    assert kinds.total() >= 90
    assert 0.2 <= kinds["pair"] / kinds.total() <= 0.26
    assert 4 <= kinds["none"] <= 10


def test_all_tools_are_needed():
    needed = {name for scenario in LOADED for name in INTENTS[scenario.family].tools}
    assert needed == set(DECLARATIONS)


def test_prompts_declare_the_needed_tools_and_distractors():
    for scenario in LOADED:
        assert set(INTENTS[scenario.family].tools) <= set(scenario.tools)
        assert len(set(scenario.tools)) == len(scenario.tools)
        assert 4 <= len(scenario.tools) <= 6


def test_every_wording_is_used_and_ids_differ():
    used = Counter(scenario.family for scenario in LOADED)
    for name, patterns in EVALUATION.patterns.items():
        assert 2 <= len(patterns) <= used[name]
    assert len({scenario.id for scenario in LOADED}) == len(LOADED)


def test_the_published_scenarios_are_the_same():
    """Their pass rates are published: a change here must be meant, and the rates measured anew."""
    asked = [s.prompt for s in LOADED], [s.tools for s in LOADED]
    worlds = [io.dumps(s.world().to_dict()) for s in LOADED]
    assert seeds.stable_hash(*asked[0], *asked[1], *worlds) == 15625283346529552503


def test_slots_are_those_of_the_prompt():
    for scenario in LOADED:
        drawn = basic.slots(scenario)
        assert drawn.keys() == INTENTS[scenario.family].slots
        assert all(str(value) in scenario.prompt for value in drawn.values()), scenario.id


def test_slots_of_another_scenario_are_refused():
    planning = scenarios.load(Path("data/scenarios/planning.yaml"))[0]
    with pytest.raises(ValueError, match="no scenario of an intent"):
        basic.slots(planning)


def test_evaluation_asks_for_more_than_recording():
    by_family = {scenario.family: scenario for scenario in LOADED}
    assert all(by_family[name].silent for name in ("greeting", "out_of_scope"))
    assert all(by_family[name].asks for name in ("ask_course", "ask_when"))
    listing = [s for s in LOADED if s.family in ("get_todo", "prioritise_todo", "list_events")]
    assert sum(bool(s.unsaid) for s in listing) > 0.8 * len(listing)
    for scenario in LOADED:
        told = [form for fact in scenario.facts for form in fact]
        assert not any(facts.states(form, t) for t in scenario.unsaid for form in told)


def test_more_scenarios_depend_on_seed_and_place_alone():
    few, many = (list(basic.more(DOCUMENT, PATH, count, 3)) for count in (40, 130))
    assert [s.prompt for s in few] == [s.prompt for s in many[:40]]
    assert Counter(s.family for s in many[:128]) == Counter(s.family for s in LOADED)
    known = {s.world.args for s in LOADED}
    assert not known & {s.world.args for s in many}


def test_loading_twice_gives_the_same():
    again = scenarios.load(PATH)
    assert [s.prompt for s in again] == [s.prompt for s in LOADED]
    assert [(s.expect, s.facts, s.tools) for s in again] == [
        (s.expect, s.facts, s.tools) for s in LOADED
    ]


def test_no_wording_is_a_training_wording():
    known = {wordings.normalise(text) for text in trained()}
    for name, patterns in EVALUATION.patterns.items():
        for pattern in patterns:
            assert wordings.normalise(pattern) not in known, f"{name}: {pattern}"


def test_no_wording_is_nearly_a_training_wording():
    known = [wordings.trigrams(text) for text in trained()]
    for name, patterns in EVALUATION.patterns.items():
        for pattern in patterns:
            found = wordings.trigrams(pattern)
            shared = max(len(found & other) for other in known)
            assert shared <= 0.8 * len(found), f"{name}: {pattern}"


def test_openers_and_closers_are_others():
    ours = {wordings.normalise(text) for text in EVALUATION.openers + EVALUATION.closers}
    assert not ours & {wordings.normalise(text) for text in TRAINING.openers + TRAINING.closers}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"seeds": {"fly": [FIRST_SEED]}}, "seeds.fly"),
        ({"seeds": {"get_grades": [FIRST_SEED - 1]}}, "seeds.get_grades"),
        ({"seeds": {}}, "seeds"),
        ({"tools_max": None}, "tools_max"),
        ({"openers": None}, "openers"),
    ],
)
def test_bad_files_are_named(change, field):
    with pytest.raises(io.BadInput, match=field):
        expand({**copy.deepcopy(DOCUMENT), **change}, PATH)


def test_declared_tools():
    needed = ("canvas.get_grades", "canvas.get_course")
    sizes = Counter()
    for seed in range(400):
        names = declared(needed, (4, 6), seeds.rng("declared", seed))
        assert set(needed) < set(names) <= set(DECLARATIONS)
        sizes[len(names)] += 1
    assert sizes[4] > sizes[5] > sizes[6] > 0
    assert declared(needed, (1, 1), seeds.rng("few")) in (needed, needed[::-1])
