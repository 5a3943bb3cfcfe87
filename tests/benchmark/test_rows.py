"""Benchmarks of any size read back as they were drawn, in either kind of file."""

from dataclasses import replace
from pathlib import Path

import pytest

from canvas.backends.scripted import ScriptedBackend
from canvas.benchmark import rows
from canvas.evaluate import run_scenarios
from canvas.intents import INTENTS, basic
from canvas.io import BadInput
from canvas.oracle import plan
from canvas.scenarios import load


@pytest.mark.parametrize("tier", rows.TIERS)
def test_both_kinds_of_file_hold_the_same(tmp_path, tier):
    for name in ("a.yaml", "a.jsonl"):
        assert rows.write(rows.TIERS[tier](15, 3), tmp_path / name, "note") == 15
    written, lines = load(tmp_path / "a.yaml"), load(tmp_path / "a.jsonl")
    assert [s.world() for s in written] == [s.world() for s in lines]
    assert [replace(s, world=None) for s in written] == [replace(s, world=None) for s in lines]
    assert {s.tier for s in written} == {tier}
    assert (tmp_path / "a.yaml").read_text(encoding="utf-8").startswith("# note\n")


def test_another_kind_of_file_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"\.jsonl, \.yaml"):
        rows.write(rows.planning_rows(1, 1), tmp_path / "a.txt", "")


def test_basic_scenarios_are_passed_by_the_oracle_in_new_worlds(tmp_path):
    path = tmp_path / "basic.jsonl"
    rows.write(rows.basic_rows(256, 2), path, "")
    found, committed = load(path), load(Path("data/scenarios/basic.yaml"))
    for scenario in found:
        backend = ScriptedBackend(lambda _, s=scenario: plan(s.family, basic.slots(s)))
        (result,) = run_scenarios(backend, [scenario])
        assert result.score.passed, (scenario.id, result.score.failed)
    seeds = {s.world.args for s in found}
    assert len(seeds) == len(found)
    assert not seeds & {s.world.args for s in committed}
    assert {s.family for s in found} == {s.family for s in committed} <= set(INTENTS)


def test_the_strict_demands_survive_writing(tmp_path):
    path = tmp_path / "basic.jsonl"
    rows.write(rows.basic_rows(128, 1), path, "")
    found = load(path)
    assert any(s.unsaid for s in found if s.family == "get_todo")
    assert all(s.silent for s in found if s.family == "greeting")
    assert all(s.asks for s in found if s.family == "ask_when")
