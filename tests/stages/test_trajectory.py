from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import io
from stages.trajectory import main

TOOL = {
    "type": "function",
    "function": {
        "name": "canvas.get_course",
        "description": "One course.",
        "parameters": {
            "type": "object",
            "properties": {"course": {"type": "string"}},
            "required": ["course"],
        },
    },
}
CALL = {
    "role": "assistant",
    "content": "",
    "tool_calls": [
        {
            "type": "function",
            "function": {"name": "canvas.get_course", "arguments": {"course": "@COURSE7"}},
        }
    ],
}
MESSAGES = [
    {"role": "user", "content": "Who teaches @COURSE7?"},
    CALL,
    {"role": "tool", "name": "canvas.get_course", "content": '{"instructor":"@PERSON3"}'},
    {"role": "assistant", "content": "@PERSON3 does."},
]
SESSION = {"session_id": "s1", "wording": "w1", "messages": MESSAGES, "tools": [TOOL]}
BROKEN = SESSION | {"session_id": "s2", "messages": MESSAGES[2:]}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    io.write_rows(Path("sessions.jsonl"), [SESSION, BROKEN])


def run():
    return CliRunner().invoke(main, ["sessions.jsonl", "out"])


def test_writes_rows_and_quarantine():
    result = run()
    assert result.exit_code == 0, result.output
    [row] = io.read_rows(Path("out/rows.jsonl"))
    [quarantined] = io.read_rows(Path("out/quarantine.jsonl"))
    assert row["messages"] == MESSAGES
    assert quarantined["session"] == "s2"
    assert "1 sessions quarantined" in result.output
    assert quarantined["reason"] in result.output


def test_a_cut_line_is_named_and_nothing_is_written():
    with Path("sessions.jsonl").open("a") as file:
        file.write('{"session_id": "s3", "mess')
    result = run()
    assert result.exit_code == 1
    assert "sessions.jsonl:3" in result.output
    assert not Path("out").exists()
