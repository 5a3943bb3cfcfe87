"""Scenario files are read strictly; errors name file, scenario and field."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from canvas import io
from canvas.io import BadInput
from canvas.scenarios import load
from canvas.tools import DECLARATIONS, Toolbox

FOLDER = Path("data/scenarios")
GOOD = {
    "id": "one",
    "family": "busy-calendar",
    "prompt": "Put it in.",
    "tools": "[calendar.create_event]",
    "world": "{now: 2026-03-02T09:00}",
    "expect": "[{created: {title: Essay, count: 1}}]",
    "forbid": "[{deleted: {}}, {modified}]",
    "facts": "[87.5, '2026-03-04', [one, 1]]",
    "unsaid": "[never]",
    "asks": "true",
    "faults": "{calendar.create_event: 2, canvas.get_grades: always}",
}


@pytest.fixture(scope="module")
def committed():
    return load(FOLDER)


def write(path: Path, *scenarios: dict) -> Path:
    """A file of tier planning; values are YAML text, None leaves a field out."""
    lines = ["tier: planning", "scenarios:"]
    for values in scenarios:
        lines.append("  -")
        lines += [f"    {key}: {value}" for key, value in values.items() if value is not None]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_scenario_is_read(tmp_path):
    (scenario,) = load(write(tmp_path / "a.yaml", GOOD))
    assert (scenario.id, scenario.tier, scenario.tools) == (
        "one",
        "planning",
        ("calendar.create_event",),
    )
    assert scenario.facts == (("87.5",), ("2026-03-04",), ("one", "1"))
    assert [rule.kind for rule in scenario.forbid] == ["deleted", "modified"]
    assert scenario.unsaid == ("never",)
    assert (scenario.asks, scenario.silent) == (True, False)
    assert scenario.faults == {"calendar.create_event": 2, "canvas.get_grades": math.inf}


def test_a_scenario_a_line_is_the_same(tmp_path):
    (written,) = load(write(tmp_path / "a.yaml", GOOD))
    values = io.read_yaml(tmp_path / "a.yaml")["scenarios"][0]
    io.write_rows(tmp_path / "b.jsonl", [{"tier": "planning", **values}])
    (read,) = load(tmp_path / "b.jsonl")
    assert replace(read, world=None) == replace(written, world=None)
    assert read.world() == written.world()
    with pytest.raises(BadInput, match="occurs twice"):
        load(tmp_path)


def test_a_line_needs_a_tier(tmp_path):
    io.write_rows(tmp_path / "b.jsonl", [{"id": "one"}])
    with pytest.raises(BadInput, match="tier") as caught:
        load(tmp_path / "b.jsonl")
    assert caught.value.line == 1


def test_worlds_are_fresh(tmp_path):
    (scenario,) = load(write(tmp_path / "a.yaml", GOOD))
    first = scenario.world()
    arguments = {"title": "Essay", "start": "2026-03-02T10:00", "minutes": 60}
    Toolbox(first).call("calendar.create_event", arguments)
    assert len(first.events) == 1
    assert scenario.world().events == []


def test_a_seeded_world_takes_sizes(tmp_path):
    values = GOOD | {"world": "{seed: 7, courses: [2, 2], events: [9, 9]}"}
    (scenario,) = load(write(tmp_path / "a.yaml", values))
    assert (len(scenario.world().courses), len(scenario.world().events)) == (2, 9)
    assert scenario.world() == scenario.world()


BAD = [
    ("family", None, "missing"),
    ("prompt", None, "missing"),
    ("prompt", "''", "not a text"),
    ("tools", "[canvas.fly]", "canvas.fly"),
    ("tools", "canvas.get_course", "not a list"),
    ("world", "[]", "not a mapping"),
    ("world", "{}", "now"),
    ("world", "{now: soon}", "2026"),
    ("world", "{now: 2026-03-02T09:00, events: [{event: E1}]}", "Event"),
    ("world", "{now: 2026-03-02T09:00, events: 7}", "events"),
    ("world", "{now: 2026-03-02T09:00, planets: []}", "planets"),
    ("world", "{seed: 7, planets: [1, 2]}", "planets"),
    ("expect", "{created: {}}", "not a list"),
    ("expect", "[created, deleted]", "each rule"),
    ("expect", "[{moved: {}}]", "moved"),
    ("expect", "[{created: {starts: 7}}]", "created.starts"),
    ("forbid", "[{created: {on: never}}]", "created.on"),
    ("facts", "[[]]", "not texts"),
    ("facts", "[{a: b}]", "not texts"),
    ("facts", "[null]", "not texts"),
    ("unsaid", "text", "not a list"),
    ("asks", "1", "not true or false"),
    ("faults", "[canvas.get_grades]", "not a mapping"),
    ("faults", "{canvas.fly: 1}", "canvas.fly"),
    ("faults", "{canvas.get_grades: 0}", "not a number"),
    ("faults", "{canvas.get_grades: true}", "not a number"),
    ("extra", "1", "unknown field"),
]


@pytest.mark.parametrize(("field", "value", "reason"), BAD)
def test_bad_fields_are_named(tmp_path, field, value, reason):
    path = write(tmp_path / "a.yaml", GOOD, GOOD | {"id": "two", field: value})
    with pytest.raises(BadInput) as caught:
        load(path)
    text = caught.value.message
    assert "a.yaml" in text
    assert "'two'" in text
    assert caught.value.field == field
    assert reason in text


def test_a_scenario_without_id_is_named_by_its_place(tmp_path):
    with pytest.raises(BadInput) as caught:
        load(write(tmp_path / "a.yaml", GOOD, GOOD | {"id": None}))
    assert caught.value.field == "scenarios[2].id"


def test_an_id_may_occur_once_only(tmp_path):
    write(tmp_path / "a.yaml", GOOD)
    write(tmp_path / "b.yaml", GOOD)
    with pytest.raises(BadInput, match="occurs twice"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tier: [", "not YAML"),
        ("", "tier"),
        ("tier: planning\nscenarios: 7", "not a list"),
        ("- 1", "tier"),
    ],
)
def test_bad_files_are_named(tmp_path, text, reason):
    path = tmp_path / "a.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=reason):
        load(path)


def test_bytes_that_are_no_text_are_named(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"tier: \xff\xfe")
    with pytest.raises(BadInput, match="not YAML"):
        load(path)


def test_an_empty_folder_is_an_error(tmp_path):
    with pytest.raises(BadInput, match=r"no \*\.jsonl or \*\.yaml"):
        load(tmp_path)


def test_planning_holds_the_published_families(committed):
    planning = [s for s in committed if s.tier == "planning"]
    assert len(planning) >= 40
    published = {
        "semester-plan",
        "cepeda-spacing",
        "several-exams",
        "illness",
        "exam-bracket",
        "busy-calendar",
    }
    assert published <= {s.family for s in planning}


def test_planning_holds_what_gets_in_the_way(committed):
    planning = [s for s in committed if s.tier == "planning"]
    quiet = [s for s in planning if s.silent or s.asks]
    assert len(quiet) >= 0.2 * len(planning)
    assert not any(s.expect for s in quiet)
    assert {"conflict", "overlap", "unknown-course", "outage"} <= {s.family for s in planning}
    assert sum(bool(s.faults) for s in planning) >= 2
    assert sum(s.family.startswith("injected") for s in planning) >= 3


def test_basic_is_wide_enough(committed):
    basic = [s for s in committed if s.tier == "basic"]
    assert len(basic) >= 80
    assert len({s.prompt for s in basic}) == len(basic)
    assert len({s.family for s in basic}) >= 8


def test_declared_tools_fit_a_nano_prompt(committed):
    for scenario in committed:
        assert 4 <= len(scenario.tools) <= 6, scenario.id
        assert len(set(scenario.tools)) == len(scenario.tools), scenario.id
        assert set(scenario.tools) <= set(DECLARATIONS), scenario.id


def test_every_scenario_asks_for_something(committed):
    for scenario in committed:
        assert scenario.expect or scenario.facts, scenario.id
