"""What the model is told, what waits for a yes, and what a yes does."""

import json

import pytest

from canvas.agent import CanvasAgent, Observer
from canvas.backends import Backend, Reply
from canvas.chat.conversation import Conversation
from canvas.live import Stale
from canvas.tools import Toolbox
from tests.chat.script import GYM, PARTY

BEFORE = sorted([GYM, PARTY])


def ask(conversation, text):
    return conversation.ask(text, Observer())


def said(script):
    """Everything in the latest prompt, as text."""
    return json.dumps(script.asked[-1])


def test_the_model_sees_tokens_for_the_student_s_words(conversation, script):
    transcript = ask(conversation, "grade in Organic Chemistry?")
    assert "Organic" not in said(script)
    assert script.asked[0][-1]["content"] == "grade in @COURSE1?"
    assert conversation.world.unmask(transcript.answer) == "You have 91.5 in Organic Chemistry."


def test_it_goes_on_and_forgets_in_time(conversation, script):
    conversation._remember = 2
    for text in ("hello one", "hello two", "hello three", "grade now"):
        ask(conversation, text)
    users = [m["content"] for m in script.asked[-1] if m["role"] == "user"]
    assert users == ["hello two", "hello three", "grade now"]
    conversation.forget()
    assert not conversation.remembers
    ask(conversation, "hello again")
    assert [m["role"] for m in script.asked[-1]] == ["system", "user"]


def test_nothing_is_written_before_a_yes(conversation, held, calendar):
    before = calendar.read_bytes()
    ask(conversation, "all")
    assert [p["action"] for p in conversation.pending] == ["create", "modify", "delete", "create"]
    assert calendar.read_bytes() == before
    for proposal in conversation.pending:
        conversation.decline(proposal)
    assert calendar.read_bytes() == before
    assert conversation.agreed == {}


def test_a_yes_does_one_thing(conversation, held):
    ask(conversation, "all")
    conversation.accept(conversation.pending[0])
    assert held() == sorted([*BEFORE, ("Read Organic Chemistry", "2026-03-04T10:00", 60)])
    conversation.accept(conversation.pending[0])
    assert ("Gym", "2026-03-03T19:00", 60) in held()
    conversation.accept(conversation.pending[0])
    assert [title for title, *_ in held()] == ["Gym", "Read Organic Chemistry"]
    titles = {event.title for event in conversation.agreed.values()}
    assert titles == {"Read @COURSE1", "Gym"}


def test_the_model_is_told_what_the_student_decided(conversation, script):
    ask(conversation, "both")
    first, second = conversation.pending
    conversation.accept(first)
    conversation.decline(second)
    ask(conversation, "hello")
    results = [json.loads(m["content"]) for m in script.asked[-1] if m["role"] == "tool"]
    assert [(r["title"], r["student"]) for r in results] == [
        ("Read @COURSE1", "accepted"),
        ("Write", "declined"),
    ]


@pytest.mark.parametrize("request_", ["read", "move", "delete"])
def test_undo_takes_back(conversation, held, request_):
    ask(conversation, request_)
    conversation.accept(conversation.pending[0])
    assert held() != BEFORE
    conversation.undo()
    assert held() == BEFORE
    assert conversation.way_back is None
    assert conversation.pending == []
    assert conversation.agreed == {}


def test_undo_goes_back_step_by_step(conversation, held):
    ask(conversation, "both")
    for proposal in conversation.pending:
        conversation.accept(proposal)
    both = held()
    ask(conversation, "move")
    conversation.accept(conversation.pending[0])
    conversation.undo()
    assert held() == both
    assert conversation.way_back["action"] == "delete"
    conversation.undo()
    conversation.undo()
    assert held() == BEFORE


def test_what_was_changed_meanwhile_is_not_overwritten(conversation, calendar, held):
    ask(conversation, "move")
    (proposal,) = conversation.pending
    calendar.write_bytes(calendar.read_bytes().replace(b"SUMMARY:Gym", b"SUMMARY:Dentist"))
    with pytest.raises(Stale):
        conversation.accept(proposal)
    assert ("Dentist", *GYM[1:]) in held()
    assert conversation.pending == []


class Interrupts(Observer):
    def called(self, record):
        if record.name == "calendar.create_event":
            raise KeyboardInterrupt


def test_an_interrupted_run_leaves_nothing(conversation, script, held):
    with pytest.raises(KeyboardInterrupt):
        conversation.ask("read", Interrupts())
    assert conversation.pending == []
    assert not conversation.remembers
    assert held() == BEFORE


class Full(Backend):
    """Its context is full from the second exchange on."""

    def chat(self, messages, tools, **sampling):
        if sum(m["role"] == "user" for m in messages) > 1:
            return Reply("the prompt has 9 tokens, the context holds 8", finish="error")
        return Reply("Hello.")


def test_a_prompt_that_does_not_fit_is_not_remembered(conversation):
    full = Conversation(CanvasAgent(Full(), Toolbox(conversation.world)))
    assert ask(full, "one").stopped == "answer"
    assert ask(full, "two").stopped == "error"
    full.forget()
    assert ask(full, "two").stopped == "answer"
