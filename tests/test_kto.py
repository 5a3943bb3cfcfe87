from canvas import kto

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": "Do it.",
            "parameters": {
                "type": "object",
                "properties": {"course": {"type": "string"}},
                "required": ["course"],
            },
        },
    }
    for name in ("canvas.get_course", "canvas.get_grades")
]


def call(name, course):
    function = {"name": name, "arguments": {"course": course}}
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"type": "function", "function": function}],
    }


def result(name):
    return {"role": "tool", "name": name, "content": '{"course":"@COURSE7"}'}


def session(number=1, **changes):
    return {
        "session_id": f"session-{number:06d}",
        "wording": "wording-01",
        "outcome": "pass",
        "deviation": None,
        "messages": [
            {"role": "user", "content": "Tell me about @COURSE7 and my grade."},
            call("canvas.get_course", "@COURSE7"),
            result("canvas.get_course"),
            call("canvas.get_grades", "@COURSE7"),
            result("canvas.get_grades"),
            {"role": "assistant", "content": "It is @COURSE7."},
        ],
        "tools": TOOLS,
    } | changes


def failed(message, **changes):
    deviation = {"kind": "wrong_course", "message": message}
    return session(outcome="fail", deviation=deviation, **changes)


def test_every_call_of_a_passing_session_is_desirable():
    rows = sorted(kto.build([session()]), key=lambda row: len(row["prompt"]))
    assert [row["tool"] for row in rows] == ["canvas.get_course", "canvas.get_grades"]
    assert all(row["label"] is True for row in rows)
    messages = session()["messages"]
    assert rows[1]["prompt"] == messages[:3]
    assert rows[1]["completion"] == [messages[3]]
    assert rows[1]["tools"] == TOOLS
    assert rows[1]["wording"] == "wording-01"


def test_only_the_deviating_call_of_a_failed_session_is_undesirable():
    [row] = kto.build([failed(3)])
    assert row["label"] is False
    assert row["tool"] == "canvas.get_grades"
    assert row["prompt"] == session()["messages"][:3]


def test_a_failure_without_a_wrong_call_gives_no_row():
    assert kto.build([failed(5)]) == []
    contributed = session(outcome="fail")
    del contributed["deviation"], contributed["session_id"], contributed["wording"]
    assert kto.build([contributed]) == []


def test_contributed_recordings_are_desirable():
    contributed = session()
    for key in ("deviation", "session_id", "wording", "outcome"):
        del contributed[key]
    rows = kto.build([contributed])
    assert [row["label"] for row in rows] == [True, True]
    assert len({row["wording"] for row in rows}) == 1


def test_sessions_that_do_not_render_give_no_row():
    broken = session()
    del broken["messages"][1]
    assert kto.build([broken]) == []


def test_rows_are_sorted_and_new_sessions_change_none():
    few = [session(number) for number in range(10)]
    before = kto.build(few)
    after = kto.build([failed(1, session_id="session-000099"), *reversed(few), few[0]])
    assert [row["row_id"] for row in before] == sorted({row["row_id"] for row in before})
    assert [row for row in after if row in before] == before
    assert len(after) == len(before) + 1


def test_a_share_of_the_desirable_and_all_of_the_undesirable_are_taken():
    sessions = [session(number) for number in range(200)]
    sessions += [failed(1, session_id=f"bad-{number}") for number in range(20)]
    rows = kto.build(sessions, keep_desirable=0.25)
    desirable = [row for row in rows if row["label"]]
    assert len(rows) - len(desirable) == 20
    assert 60 < len(desirable) < 140
    wider = kto.build(sessions, keep_desirable=0.5)
    assert all(row in wider for row in rows)
