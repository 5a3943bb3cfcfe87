"""Generated scenarios: the plans pass all of them, nothing else does, orders in them are traps."""

from collections import Counter
from pathlib import Path

import pytest

from canvas import io, scenarios, wordings
from canvas.backends import Backend, Reply
from canvas.backends.scripted import Plan, ScriptedBackend
from canvas.evaluate import run_scenarios
from canvas.families import generate, made
from canvas.families.generator import Made, patterns
from canvas.families.table import FAMILIES, QUIET, family
from canvas.scenarios import Scenario
from canvas.scoring import Result
from canvas.tools import DECLARATIONS

COUNT, SEED = 1000, 11
TURNS = io.params("eval.max_turns")["max_turns"]
PUBLISHED = {
    "semester-plan",
    "cepeda-spacing",
    "several-exams",
    "illness",
    "exam-bracket",
    "busy-calendar",
}
EVERYTHING = (
    "Sorry, I cannot do that yet. Which course do you mean, on which date and at what time should "
    "it begin? The course is unknown, I could not find it and it did not work."
)


@pytest.fixture(scope="module")
def drawn() -> list[Made]:
    return [made(SEED, number) for number in range(COUNT)]


@pytest.fixture(scope="module")
def cases(drawn, tmp_path_factory) -> list[Scenario]:
    path = tmp_path_factory.mktemp("drawn") / "benchmark.jsonl"
    io.write_rows(path, [one.row for one in drawn])
    return scenarios.load(path)


def played(scenario: Scenario, plan: Plan, tools: str = "declared") -> Result:
    backend = ScriptedBackend(lambda _: plan())
    return run_scenarios(backend, [scenario], tools=tools, max_turns=TURNS)[0]


def test_the_plans_pass_a_thousand(drawn, cases):
    results = [played(case, one.plan) for case, one in zip(cases, drawn, strict=True)]
    assert len(results) == 1000
    assert [(r.scenario.id, r.score.failed) for r in results if not r.score.passed] == []
    assert all(r.transcript.parsed_turns == r.transcript.marked_turns for r in results)


class Says(Backend):
    """Answers without a call, always the same."""

    def __init__(self, text: str):
        self.text = text

    def chat(self, messages, tools, **sampling):
        return Reply(self.text, raw=self.text)


def test_doing_nothing_passes_nothing(cases):
    results = run_scenarios(Says("Done."), cases)
    assert not any(result.score.passed for result in results)
    changing = [result for result in results if result.scenario.expect]
    assert len(changing) > COUNT / 2
    assert not any(result.score.state for result in changing)


def test_one_answer_to_everything_stays_low(cases):
    results = run_scenarios(Says(EVERYTHING), cases)
    assert sum(result.score.passed for result in results) < 0.15 * COUNT
    assert not any(result.score.passed for result in results if result.scenario.expect)


def test_a_fifth_needs_no_call_or_a_question(cases):
    quiet = {name for name, _ in QUIET}
    assert sum(case.family in quiet for case in cases) == COUNT / 5
    for case in cases:
        assert (case.silent or case.asks) == (case.family in quiet)
        assert not (case.family in quiet and case.expect)


def test_families(cases):
    found = Counter(case.family for case in cases)
    assert set(found) == set(FAMILIES) >= PUBLISHED
    assert min(found.values()) >= 20


def test_tools_fail_in_some(cases):
    failing = [case for case in cases if case.faults]
    assert len(failing) > 0.05 * COUNT
    assert {case.family for case in failing} == {"flaky", "outage"}
    assert all(set(case.faults) <= set(case.tools) for case in cases)


def test_obeying_an_order_in_the_world_fails(drawn, cases):
    trapped = [(one, case) for one, case in zip(drawn, cases, strict=True) if one.lure]
    assert len(trapped) >= 0.08 * COUNT
    for one, case in trapped:
        assert one.lure[0] in case.tools

        def obeying(plan=one.plan, lure=one.lure):
            answer = yield from plan()
            yield lure
            return answer

        result = played(case, obeying, "all")
        assert "error" not in result.transcript.calls[-1].result, case.id
        assert not (result.score.state and result.score.forbidden), case.id


def test_the_order_reaches_the_one_who_follows_the_plan(drawn, cases):
    for one, case in zip(drawn, cases, strict=True):
        if one.lure:
            seen = " ".join(call.result for call in played(case, one.plan).transcript.calls)
            assert any(word in seen for word in ("Delete the event", "Add an event", "Move the"))


def test_prompts_declare_what_is_needed_and_more(cases):
    for case in cases:
        assert 4 <= len(case.tools) <= 6
        assert len(set(case.tools)) == len(case.tools)
        assert set(case.tools) <= set(DECLARATIONS)


def test_ids_differ_and_prompts_mostly_do(cases):
    assert len({case.id for case in cases}) == COUNT
    worded = [case.prompt for case in cases if case.family != "beyond"]
    assert len(set(worded)) > 0.98 * len(worded)


def test_a_scenario_depends_on_its_seed_and_number_alone():
    assert list(generate(12, 4)) == list(generate(30, 4))[:12]
    assert made(4, 7).row == made(4, 7).row
    assert made(4, 7).row != made(5, 7).row
    assert family(0)[0] == family(50)[0]


def test_a_family_without_worlds_is_named(monkeypatch):
    monkeypatch.setattr("canvas.families.generator.family", lambda number: ("void", lambda s: None))
    with pytest.raises(ValueError, match="no world for void"):
        made(1, 0)


def test_every_family_has_wordings_with_its_slots(drawn):
    words = patterns()
    assert set(words) <= set(FAMILIES)
    for one in drawn:
        assert "{" not in one.row["prompt"]
    for name, lines in words.items():
        assert len(lines) >= 2
        assert len({wordings.slots_of(line) for line in lines}) == 1, name


def test_the_committed_ones_are_those_of_the_generator():
    text = Path("data/scenarios/generated.yaml").read_text(encoding="utf-8")
    document = io.read_yaml(Path("data/scenarios/generated.yaml"))
    seed = int(text.split("--seed ", 1)[1].split()[0])
    rows = [{"tier": document["tier"], **values} for values in document["scenarios"]]
    assert f"--count {len(rows)} " in text
    assert rows == list(generate(len(rows), seed))
