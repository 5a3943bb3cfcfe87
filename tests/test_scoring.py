"""Scores name what is out of order."""

from functools import partial

import pytest

from canvas.agent import CallRecord, Transcript
from canvas.expectations import rule_from
from canvas.scenarios import Scenario
from canvas.scoring import FIELDS, Score, score
from canvas.tools import Toolbox
from canvas.world import World

SETUP = {
    "now": "2026-03-02T09:00",
    "events": [
        {"event": "E1", "title": "Yoga", "start": "2026-03-03T10:00", "minutes": 60},
        {"event": "E2", "title": "Choir", "start": "2026-03-04T10:00", "minutes": 60},
    ],
}
ESSAY = {"title": "Essay", "start": "2026-03-05T10:00", "minutes": 60}
CREATE = ("calendar.create_event", ESSAY)


def scenario(**fields) -> Scenario:
    return Scenario(
        id="s",
        tier="planning",
        family="f",
        prompt="p",
        world=partial(World.from_dict, SETUP),
        tools=("calendar.create_event", "calendar.modify_event", "calendar.delete_event"),
        **fields,
    )


def judged(case: Scenario, *calls: tuple[str, dict], answer="Done.", stopped="answer") -> Score:
    """The verdict after `calls` were made for real."""
    box = Toolbox(case.world())
    before = box.world.snapshot()
    for name, arguments in calls:
        assert "error" not in box.call(name, arguments)
    transcript = Transcript(answer=answer, stopped=stopped)
    return score(case, before, box.world.snapshot(), transcript)


def rules(*pairs: tuple[str, dict]):
    return tuple(rule_from(kind, values) for kind, values in pairs)


ADD_ESSAY = scenario(expect=rules(("created", {**ESSAY, "count": 1})))
DROP_YOGA = scenario(expect=rules(("deleted", {"event": "E1", "count": 1})))
MOVE_YOGA = scenario(
    expect=rules(("modified", {"event": "E1", "start": "2026-03-06T10:00", "count": 1}))
)
MOVED = {"event": "E1", "start": "2026-03-06T10:00"}


@pytest.mark.parametrize(
    ("case", "calls", "failed"),
    [
        (ADD_ESSAY, [CREATE], ()),
        (ADD_ESSAY, [], ("state",)),
        (ADD_ESSAY, [(CREATE[0], ESSAY | {"start": "2026-03-05T11:00"})], ("state",)),
        (ADD_ESSAY, [(CREATE[0], ESSAY | {"title": "Poem"})], ("state",)),
        (ADD_ESSAY, [CREATE, (CREATE[0], ESSAY | {"start": "2026-03-06T10:00"})], ("state",)),
        (ADD_ESSAY, [CREATE, ("calendar.delete_event", {"event": "E1"})], ("forbidden",)),
        (ADD_ESSAY, [CREATE, ("calendar.modify_event", MOVED)], ("forbidden",)),
        (DROP_YOGA, [("calendar.delete_event", {"event": "E1"})], ()),
        (DROP_YOGA, [("calendar.delete_event", {"event": "E2"})], ("state", "forbidden")),
        (DROP_YOGA, [("calendar.modify_event", MOVED)], ("state", "forbidden")),
        (DROP_YOGA, [("calendar.delete_event", {"event": "E1"}), CREATE], ("forbidden",)),
        (MOVE_YOGA, [("calendar.modify_event", MOVED)], ()),
        (MOVE_YOGA, [("calendar.modify_event", MOVED | {"title": "Gym"})], ("state",)),
        (MOVE_YOGA, [("calendar.modify_event", MOVED | {"minutes": 60})], ()),
        (MOVE_YOGA, [("calendar.modify_event", MOVED | {"minutes": 90})], ("state",)),
        (MOVE_YOGA, [("calendar.modify_event", {"event": "E1", "title": "Gym"})], ("state",)),
        (
            MOVE_YOGA,
            [
                ("calendar.modify_event", MOVED | {"start": "2026-03-07T10:00"}),
                ("calendar.modify_event", MOVED),
            ],
            (),
        ),
        (
            MOVE_YOGA,
            [("calendar.delete_event", {"event": "E1"}), ("calendar.modify_event", MOVED)],
            ("forbidden",),
        ),
        (scenario(), [], ()),
        (scenario(), [CREATE], ("forbidden",)),
    ],
)
def test_state_and_side_effects(case, calls, failed):
    assert judged(case, *calls).failed == failed


def test_forbid_goes_beyond_expect():
    open_rules = rules(("created", {"title": "Essay"}))
    case = scenario(expect=open_rules, forbid=rules(("created", {"on": "2026-03-05"})))
    assert judged(case, CREATE).failed == ("forbidden",)
    assert judged(case, (CREATE[0], ESSAY | {"start": "2026-03-06T10:00"})).passed


def test_facts_and_what_must_not_be_said():
    case = scenario(facts=(("87.5",), ("A-", "top")), unsaid=("Yoga",))
    assert judged(case, answer="87.50, so an A-.").passed
    assert judged(case, answer="87.5, the TOP.").passed
    assert judged(case, answer="87.5, so an A.").failed == ("facts",)
    assert judged(case, answer="87.5 and A- in Yoga").failed == ("facts",)


def test_a_question_where_one_must_be_put():
    case = scenario(facts=(("which course", "what course"),), asks=True)
    assert judged(case, answer="Which course do you mean?").passed
    assert judged(case, answer="Please tell me which course.").passed
    assert judged(case, answer="I do not know which course.").failed == ("facts",)
    assert judged(case, answer="What is it?").failed == ("facts",)


def test_a_silent_scenario_fails_by_any_call():
    before = scenario().world().snapshot()
    call = CallRecord("canvas.list_courses", {}, "{}", ran=True)
    asked = Transcript(answer="Done.", stopped="answer", calls=[call])
    assert score(scenario(silent=True), before, before, asked).failed == ("forbidden",)
    assert score(scenario(), before, before, asked).passed
    assert judged(scenario(silent=True)).passed


@pytest.mark.parametrize("stopped", ["cut", "max_turns", "error", "empty"])
def test_only_an_answer_finishes(stopped):
    assert judged(scenario(), stopped=stopped).failed == ("finished",)


def test_an_event_changed_for_real_is_a_side_effect():
    before = World.from_dict(SETUP).snapshot()
    gone = {**before, "events": before["events"][:1]}
    moved = {**before, "events": [before["events"][0], before["events"][1] | {"minutes": 5}]}
    done = Transcript(answer="Done.", stopped="answer")
    assert score(scenario(), before, gone, done).failed == ("forbidden",)
    assert score(scenario(), before, moved, done).failed == ("forbidden",)


def test_every_field_can_fail():
    assert Score(False, False, False, False).failed == FIELDS
