import copy
import json

import pytest

from canvas import trajectory
from canvas.template import render


def tool(name, *keys):
    properties = {key: {"type": "string"} for key in keys}
    parameters = {"type": "object", "properties": properties, "required": list(keys)}
    return {
        "type": "function",
        "function": {"name": name, "description": "Do it.", "parameters": parameters},
    }


TOOLS = [tool("canvas.get_assignments", "course"), tool("calendar.create_event", "title", "start")]


def call(name, **arguments):
    function = {"name": name, "arguments": arguments}
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"type": "function", "function": function}],
    }


def session(number=1, wording="wording-01", **changes):
    result = json.dumps({"assignments": [{"title": "Quiz 5", "due": None, "points": 10}]})
    return {
        "session_id": f"session-{number:06d}",
        "wording": wording,
        "outcome": "pass",
        "messages": [
            {"role": "system", "content": "You plan."},
            {"role": "user", "content": "What is due in @COURSE7? Book it."},
            call("canvas.get_assignments", course="@COURSE7"),
            {"role": "tool", "name": "canvas.get_assignments", "content": result},
            call("calendar.create_event", title='Quiz 5, "Part {1}"', start="2026-03-04T14:00"),
            {"role": "tool", "name": "calendar.create_event", "content": '{"event":"E7"}'},
            {"role": "assistant", "content": "Booked E7 for Quiz 5."},
        ],
        "tools": TOOLS,
    } | changes


def test_passing_session_becomes_a_row_that_renders():
    rows, quarantine = trajectory.build([session()])
    assert quarantine == []
    [row] = rows
    assert set(row) == {"row_id", "wording", "messages", "tools"}
    assert row["messages"] == session()["messages"]
    assert "call:calendar.create_event" in render(row["messages"], row["tools"])


def test_failed_sessions_are_no_trajectories_and_contributed_ones_are():
    contributed = session()
    for key in ("session_id", "wording", "outcome"):
        del contributed[key]
    rows, quarantine = trajectory.build([session(2, outcome="fail"), contributed])
    assert quarantine == []
    [row] = rows
    assert row["wording"].startswith("contributed-")


def test_contributed_wording_ignores_case_and_spaces():
    first, second = session(), session()
    del first["wording"], second["wording"]
    second["messages"] = copy.deepcopy(first["messages"])
    second["messages"][1]["content"] = " what is DUE in  @COURSE7? book it."
    assert trajectory.wording_key(first) == trajectory.wording_key(second)


def test_rows_do_not_depend_on_order_repeats_or_new_sessions():
    few = [session(number) for number in range(20)]
    before, _ = trajectory.build(few)
    after, _ = trajectory.build([session(99), *reversed(few), few[3]])
    assert [row["row_id"] for row in before] == sorted(row["row_id"] for row in before)
    assert len(after) == 21
    assert [row for row in after if row in before] == before


def changed(change):
    messages = copy.deepcopy(session()["messages"])
    change(messages)
    return messages


def set_arguments(messages, **arguments):
    messages[4]["tool_calls"][0]["function"]["arguments"] = arguments


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda m: m.pop(2), "a tool result follows no call"),
        (lambda m: m[2].update(content="Looking."), "text and calls in one message"),
        (lambda m: m.pop(), "the last message is not the assistant's"),
        (lambda m: m.clear(), "the last message is not the assistant's"),
        (
            lambda m: m[2]["tool_calls"][0]["function"].update(name="canvas.hack"),
            "not declared: canvas.hack",
        ),
        (lambda m: set_arguments(m, title='a<|"|>,b:<|"|>c', start="x"), "parse as other calls"),
        (lambda m: set_arguments(m, title="x", start={"a}": 1}), "parses as cut"),
        (lambda m: m[2].update(tool_calls=[{"type": "function"}]), "cannot be rendered"),
    ],
)
def test_what_does_not_round_trip_is_quarantined_with_its_reason(change, reason):
    broken = session(5, messages=changed(change))
    rows, [row] = trajectory.build([broken, session(6)])
    assert reason in row["reason"]
    assert row["session"] == "session-000005"
    assert len(rows) == 1


def test_arguments_of_every_json_kind_survive():
    messages = changed(lambda m: set_arguments(
        m, title="a,b:{c}\n\"d\" 'e' ü", start="", n=-1.5, big=1e22, yes=True, none=None,
        items=["x", ["y", 2]], nested={"k-1": {"z": []}},
    ))  # fmt: skip
    assert trajectory.fault(messages, TOOLS) is None
