from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import io
from stages.kto import main

PARAMETERS = {
    "type": "object",
    "properties": {"course": {"type": "string"}},
    "required": ["course"],
}
TOOL = {"name": "canvas.get_course", "description": "One course.", "parameters": PARAMETERS}
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
SESSION = {
    "session_id": "s1",
    "wording": "w1",
    "messages": [
        {"role": "user", "content": "Who teaches @COURSE7?"},
        CALL,
        {"role": "tool", "name": "canvas.get_course", "content": '{"instructor":"@PERSON3"}'},
        {"role": "assistant", "content": "@PERSON3 does."},
    ],
    "tools": [{"type": "function", "function": TOOL}],
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("params.yaml").write_text("kto: {keep_desirable: 1.0}\n")
    io.write_rows(Path("sessions.jsonl"), [SESSION])


def run():
    return CliRunner().invoke(main, ["sessions.jsonl", "out/kto.jsonl"])


def test_writes_a_row_a_call():
    result = run()
    assert result.exit_code == 0, result.output
    [row] = io.read_rows(Path("out/kto.jsonl"))
    assert (row["tool"], row["label"], row["completion"]) == ("canvas.get_course", True, [CALL])


def test_a_cut_line_is_named_and_nothing_is_written():
    with Path("sessions.jsonl").open("a") as file:
        file.write('{"session_id": "s3", "mess')
    result = run()
    assert result.exit_code == 1
    assert "sessions.jsonl:2" in result.output
    assert not Path("out").exists()
