"""The scripted backend plays a plan through the agent loop."""

import json

import pytest

from canvas.agent import CanvasAgent
from canvas.backends.scripted import ScriptedBackend
from canvas.toolcall import parse_reply
from canvas.tools import Toolbox
from canvas.world import World


def courses():
    """One call, then the calls of one turn, then an answer."""
    listed = yield "canvas.list_courses", {}
    tokens = [course["course"] for course in listed["courses"]]
    grades = yield [("canvas.get_grades", {"course": token}) for token in tokens]
    return " ".join(str(grade["score"]) for grade in grades)


def silent():
    """An answer without a call."""
    return "Which one?"
    yield


def test_a_plan_is_played_through_real_tools():
    world = World.generate(5)
    transcript = CanvasAgent(ScriptedBackend(lambda _: courses()), Toolbox(world)).run("Hi")
    assert transcript.answer == " ".join(str(course.score) for course in world.courses)
    assert len(transcript.turns) == 3
    assert len(transcript.calls) == 1 + len(world.courses)
    assert json.loads(transcript.calls[0].result)["courses"]


def test_raw_text_parses_back_to_the_calls():
    transcript = CanvasAgent(ScriptedBackend(lambda _: courses()), Toolbox(World.generate(5))).run(
        "Hi"
    )
    for turn in transcript.turns[:2]:
        assert parse_reply(turn.raw).calls == turn.calls


def test_the_user_text_chooses_the_plan():
    backend = ScriptedBackend({"a": silent, "b": courses}.__getitem__)
    with pytest.raises(TypeError):
        backend.chat([{"role": "user", "content": "a"}], [])
    backend = ScriptedBackend(lambda text: {"a": silent, "b": courses}[text]())
    assert backend.chat([{"role": "user", "content": "a"}], []).content == "Which one?"
    assert backend.chat([{"role": "user", "content": "b"}], []).calls[0].name == (
        "canvas.list_courses"
    )
