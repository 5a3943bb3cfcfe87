"""The toolbox: declarations, argument checks, and no exception whatever a call holds."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from canvas import tools
from canvas.tools import DECLARATIONS, Toolbox, declarations
from canvas.world import World

NAMES = [
    "canvas.list_courses",
    "canvas.get_course",
    "canvas.get_assignments",
    "canvas.get_syllabus",
    "canvas.get_todo",
    "canvas.get_grades",
    "canvas.list_announcements",
    "canvas.list_planner_items",
    "calendar.list_events",
    "calendar.find_free_blocks",
    "calendar.create_event",
    "calendar.modify_event",
    "calendar.delete_event",
    "study.spaced_schedule",
    "study.semester_schedule",
    "study.recommend_block_size",
    "study.exam_bracket",
    "reranker.priority_hint",
]
ARGUMENTS = sorted({key for d in DECLARATIONS.values() for key in d["parameters"]["properties"]})


def error(name: str, arguments) -> str:
    """The error text of a call that must change nothing."""
    world = World.generate(11)
    before = world.to_dict()
    result = json.loads(Toolbox(world).call(name, arguments))
    assert list(result) == ["error"]
    assert world.to_dict() == before
    return result["error"]


def test_the_eighteen_tools():
    assert list(DECLARATIONS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_declarations_are_small_valid_schemas(name):
    declared = DECLARATIONS[name]
    assert list(declared) == ["name", "description", "parameters"]
    assert declared["name"] == name
    assert 4 <= len(declared["description"].split()) <= 11
    Draft202012Validator.check_schema(declared["parameters"])
    properties = declared["parameters"]["properties"]
    assert set(declared["parameters"]["required"]) <= set(properties)
    assert all("type" in schema for schema in properties.values())


def test_declared_names_restrict_the_toolbox():
    box = Toolbox(World.generate(1), ["canvas.get_todo", "canvas.list_courses"])
    assert [d["function"]["name"] for d in box.declarations] == list(box.names)
    assert all(d["type"] == "function" for d in box.declarations)
    assert "courses" in json.loads(box.call("canvas.list_courses", {}))
    refused = json.loads(box.call("canvas.get_grades", {"course": "@COURSE1"}))
    assert refused == {"error": "unknown tool; known: canvas.get_todo, canvas.list_courses"}


def test_declarations_belong_to_the_caller():
    declarations(["canvas.get_todo"])[0]["function"]["parameters"]["properties"].clear()
    assert DECLARATIONS["canvas.get_todo"]["parameters"]["properties"] == {
        "days": {"type": "integer"}
    }


@pytest.mark.parametrize("names", [["canvas.nothing"], ["canvas.get_todo", "canvas.get_todo"]])
def test_wrong_names_are_the_programmers_error(names):
    with pytest.raises(ValueError, match=r"unknown tool 'canvas.nothing'|named twice"):
        Toolbox(World.generate(1), names)


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("canvas.nothing", {}, "unknown tool; known: canvas.list_courses, canvas.get_course"),
        (None, {}, "unknown tool"),
        (["canvas.get_todo"], {}, "unknown tool"),
        ("canvas.get_todo", None, "arguments must be an object"),
        ("canvas.get_todo", '{"days": 3}', "arguments must be an object"),
        ("canvas.get_todo", {}, "missing argument days"),
        ("calendar.create_event", {"start": "x"}, "missing argument title, minutes"),
        ("canvas.get_todo", {"days": "3"}, "days must be a whole number"),
        ("canvas.get_todo", {"days": 2.5}, "days must be a whole number"),
        ("canvas.get_todo", {"days": True}, "days must be a whole number"),
        ("canvas.get_todo", {"days": None}, "days must be a whole number"),
        ("canvas.get_todo", {"days": [3]}, "days must be a whole number"),
        ("canvas.get_todo", {"days": 3, "course": "x"}, "unknown argument; known: days"),
        ("canvas.list_courses", {"all": True}, "unknown argument; known: none"),
        ("canvas.get_course", {"course": 7}, "course must be text"),
        ("study.semester_schedule", {"course": "x", "hours": "y"}, "hours must be a number"),
        ("reranker.priority_hint", {"items": "Lab"}, "items must be a list"),
        ("reranker.priority_hint", {"items": ["Lab", 3]}, "item 2 of items must be text"),
        ("canvas.get_todo", {"days": float("nan")}, "numbers must lie within"),
        ("canvas.get_todo", {"days": float("inf")}, "numbers must lie within"),
        ("canvas.get_todo", {"days": 10**5000}, "numbers must lie within"),
        ("canvas.get_todo", {"days": {1}}, "arguments must be JSON values"),
        ("canvas.get_todo", {3: 3}, "argument names must be text"),
        ("canvas.get_course", {"course": "x" * 10**6}, "text must have at most"),
        ("canvas.get_course", {"course": "a\nb"}, "text must be one line"),
        ("canvas.get_course", {"course": "\ud800"}, "text must be one line"),
        ("canvas.get_course", {"course": '<|"|>'}, "text must be one line"),
        ("canvas.get_course", {"<tool_response|>": "x"}, "text must be one line"),
        ("reranker.priority_hint", {"items": ["x"] * 10**5}, "arguments must have at most 100"),
        ("reranker.priority_hint", {"items": [["x"] * 60] * 60}, "arguments must have at most 100"),
    ],
)
def test_wrong_calls_are_answered_in_words(name, arguments, reason):
    assert error(name, arguments).startswith(reason)


def test_the_first_declared_argument_is_named_first():
    wrong = {"minutes": "x", "start": 4, "title": 5}
    assert error("calendar.create_event", wrong) == "title must be text"


def test_deep_and_endless_arguments():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert error("reranker.priority_hint", {"items": deep}) == "arguments are nested too deep"
    endless: dict = {}
    endless["items"] = endless
    assert error("reranker.priority_hint", endless) == "arguments are nested too deep"


def test_a_whole_float_is_an_integer():
    box = Toolbox(World.generate(11))
    assert box.call("canvas.get_todo", {"days": 9.0}) == box.call("canvas.get_todo", {"days": 9})


def test_a_bug_in_a_tool_is_not_swallowed(monkeypatch):
    def broken(world):
        raise KeyError("a bug")

    entry = replace(tools.TOOLS["canvas.list_courses"], run=broken)
    monkeypatch.setitem(tools.TOOLS, "canvas.list_courses", entry)
    with pytest.raises(KeyError, match="a bug"):
        Toolbox(World.generate(1)).call("canvas.list_courses", {})


WORLD = World.generate(11)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-3, 40),
    st.floats(),
    st.text(max_size=30),
    st.characters(categories=["Cs"]),
    st.dates().map(str),
    st.integers(0, 30).map(lambda n: f"2026-11-{n:02d}"),
    st.datetimes().map(lambda d: d.isoformat(timespec="minutes")),
    st.integers(0, 40).map(lambda n: str((WORLD.now.replace(day=1)).isoformat())[:8] + f"{n:02d}"),
    st.sampled_from([c.course for c in WORLD.courses] + [e.event for e in WORLD.events]),
    st.sampled_from([i.title for i in WORLD.assignments] + ["ASGN", "EXAM", "<|tool_call>"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@st.composite
def near_calls(draw) -> tuple[str, dict]:
    """A known tool with its own argument names, so that many calls get past the schema."""
    name = draw(st.sampled_from(NAMES))
    properties = DECLARATIONS[name]["parameters"]["properties"]
    return name, {key: draw(VALUES if draw(st.booleans()) else SCALARS) for key in properties}


ANY_CALLS = st.tuples(
    st.sampled_from(NAMES) | st.text() | SCALARS,
    st.dictionaries(st.sampled_from(ARGUMENTS) | st.text(), VALUES) | VALUES,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(near_calls() | ANY_CALLS, min_size=1, max_size=6))
@example([("calendar.create_event", {"title": "x", "start": "2100-12-31T23:59", "minutes": 720})])
@example([("calendar.find_free_blocks", {"date": "2100-12-31", "minutes": 1})])
@example([("calendar.list_events", {"start": "2100-12-30", "end": "2100-12-31"})])
@example([("study.exam_bracket", {"exam_date": "2100-12-31", "days": 30})])
def test_a_call_never_raises_and_always_answers_json(calls):
    box = Toolbox(World.generate(11))
    for name, arguments in calls:
        text = box.call(name, arguments)
        text.encode("utf-8")
        assert isinstance(json.loads(text), dict)
        assert "<|" not in text
        assert "|>" not in text


def test_results_are_the_same_in_every_process():
    code = (
        "from canvas.world import World; from canvas.tools import Toolbox\n"
        "w = World.generate(11); box = Toolbox(w); c = w.courses[0].course\n"
        "print(box.declarations, [box.call(n, a) for n, a in [\n"
        "('canvas.get_course', {'b': 1, 'a': 2}), ('canvas.get_assignments', {'course': c}),\n"
        "('study.semester_schedule', {'course': c, 'hours': 7.5}),\n"
        "('reranker.priority_hint', {'items': [i.title for i in w.assignments]})]])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "777")
    }
    assert len(outputs) == 1
    assert b"missing argument course" in outputs.pop()
