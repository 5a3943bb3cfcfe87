from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import io
from stages.sessions import main

WORDINGS = Path("data/wordings/train.yaml").resolve()
PARAMS = "seed: 7\nsessions:\n  rows: 25\n  tools_min: 4\n  tools_max: 5\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "params.yaml").write_text(PARAMS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(out: Path):
    return CliRunner().invoke(main, [str(WORDINGS), str(out)])


def test_writes_the_same_bytes_every_time(folder):
    for name in ("one.jsonl", "two.jsonl"):
        result = run(folder / name)
        assert result.exit_code == 0, result.output
    assert (folder / "one.jsonl").read_bytes() == (folder / "two.jsonl").read_bytes()
    rows = io.read_rows(folder / "one.jsonl")
    assert len({row["session_id"] for row in rows}) == 25
    assert all(4 <= len(row["tools"]) <= 5 for row in rows)


def test_a_missing_parameter_is_named(folder):
    (folder / "params.yaml").write_text(PARAMS.replace("  tools_max: 5\n", ""))
    result = run(folder / "one.jsonl")
    assert result.exit_code == 1
    assert "sessions.tools_max" in result.output
    assert not (folder / "one.jsonl").exists()
