import json

import pytest

from canvas import oracle, seeds
from canvas.clumsy import blunder, slips
from canvas.intents.basic import world
from canvas.tools import Toolbox

COURSE = world(5).courses[0].course
OTHERS = [course.course for course in world(5).courses[1:]]


def toolbox() -> Toolbox:
    names = ("canvas.get_grades", "canvas.get_syllabus", "canvas.get_assignments")
    return Toolbox(world(5), names)


def kinds(call: tuple[str, dict], box: Toolbox) -> dict[str, list]:
    found: dict[str, list] = {}
    for kind, wrong in slips(call, box):
        found.setdefault(kind, []).append(wrong)
    return found


def test_slips_of_a_course():
    found = kinds(("canvas.get_grades", {"course": COURSE}), toolbox())
    wanted = [("canvas.get_grades", {"course": other}) for other in OTHERS]
    assert found["wrong_course"] == wanted
    assert found["wrong_tool"] == [
        ("canvas.get_syllabus", {"course": COURSE}),
        ("canvas.get_assignments", {"course": COURSE}),
    ]
    assert found["missing_call"] == [None]


def test_slips_of_an_event():
    call = (
        "calendar.create_event",
        {"title": "Read Trade Routes", "start": "2026-02-28T14:00", "minutes": 60},
    )
    found = {
        kind: [wrong and wrong[1] for wrong in made]
        for kind, made in kinds(call, toolbox()).items()
    }
    assert [a["title"] for a in found["wrong_title"]] == ["Read Trade"]
    assert [a["start"] for a in found["wrong_date"]] == ["2026-02-27T14:00", "2026-03-01T14:00"]
    assert [a["minutes"] for a in found["wrong_value"]] == [50, 70]


def test_dates_stay_dates():
    found = kinds(("study.exam_bracket", {"exam_date": "2026-03-01", "days": 1}), toolbox())
    assert [a["exam_date"] for _, a in found["wrong_date"]] == ["2026-02-28", "2026-03-02"]
    assert [a["days"] for _, a in found["wrong_value"]] == [2]


@pytest.mark.parametrize("place", [0, 1])
def test_a_blunder_is_run_and_located(place):
    seen = set()
    for seed in range(60):
        plan = oracle.plan("grade_and_work", {"course": COURSE})
        made = blunder(plan, toolbox(), place, seeds.rng("blunder", seed))
        transcript, kind, where = made
        seen.add(kind)
        assert where == 2 * place
        assert transcript.messages[-1]["content"] == transcript.answer != ""
        right = ("canvas.get_grades", "canvas.get_assignments")[place]
        message = transcript.messages[where]
        if kind == "missing_call":
            assert "tool_calls" not in message
            continue
        function = message["tool_calls"][0]["function"]
        assert (function["name"], function["arguments"]) != (right, {"course": COURSE})
        for call in transcript.calls:
            assert call.result == toolbox().call(call.name, call.arguments)
            assert isinstance(json.loads(call.result), dict)
    assert seen == {"wrong_course", "wrong_tool", "missing_call"}


def test_a_question_back_is_replaced_by_a_guess():
    made = blunder(oracle.plan("ask_course", {}), toolbox(), 0, seeds.rng("guess"))
    transcript, kind, where = made
    assert (kind, where) == ("needless_call", 0)
    assert transcript.calls[0].arguments == {"course": COURSE}


def test_no_blunder_where_the_plan_has_no_such_call():
    assert blunder(oracle.plan("list_courses", {}), toolbox(), 2, seeds.rng("late")) is None
