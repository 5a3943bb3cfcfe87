"""The eval stage scores both files and the held-out splits, and writes one metrics file."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import backends, heldout
from canvas.backends.scripted import ScriptedBackend
from canvas.planning import PLANS
from canvas.scenarios import load
from stages.eval import main

SCENARIOS = Path("data/scenarios/planning.yaml").resolve()
COUNT = len(load(SCENARIOS))
PARAMS = """seed: 42
eval: {runs: 2, tools: declared, max_turns: 8, max_tokens: 64, temperature: 0.7, heldout_rows: 5}
"""
HELDOUT = {"trajectory_loss": 1.5, "preference_accuracy": 0.5, "kto_accuracy": 0.5}


class Played(ScriptedBackend):
    """Stands for a GGUF file: f16 plays the plans, the other file says nothing of use."""

    def __init__(self, path: Path):
        assert path.exists()
        plans = {scenario.prompt: PLANS[scenario.id] for scenario in load(SCENARIOS)}
        super().__init__(lambda text: plans[text]() if path.stem == "f16" else idle())


def idle():
    """No call, no fact."""
    return "Done."
    yield


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    (tmp_path / "params.yaml").write_text(PARAMS, encoding="utf-8")
    (tmp_path / "gguf").mkdir()
    (tmp_path / "splits").mkdir()
    for name in ("f16", "Q4_K_M"):
        (tmp_path / "gguf" / f"{name}.gguf").touch()
    asked = []
    monkeypatch.setattr(backends, "LlamaCppBackend", Played, raising=False)
    monkeypatch.setattr(heldout, "evaluate", lambda *args: asked.append(args) or HELDOUT)
    monkeypatch.chdir(tmp_path)
    return asked


def run(*options: str):
    arguments = ["sft", "gguf", str(SCENARIOS), "splits", "metrics/sft.json", *options]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def test_metrics_hold_both_files_and_the_held_out_scores(workplace):
    assert run().exit_code == 0
    metrics = json.loads(Path("metrics/sft.json").read_text(encoding="utf-8"))
    assert set(metrics) == {"f16", "Q4_K_M", "heldout"}
    certain = {"pass_1": 1.0, "pass_1_low": 1.0, "pass_1_high": 1.0, "n": 2 * COUNT}
    assert metrics["f16"]["planning"] == certain
    assert metrics["f16"]["parse_rate"] == 1.0
    assert metrics["Q4_K_M"]["planning"] == dict.fromkeys(certain, 0.0) | {"n": 2 * COUNT}
    assert metrics["heldout"] == HELDOUT
    assert workplace == [(Path("gguf/f16.gguf"), Path("splits"), 5)]


def test_metrics_are_the_same_again(workplace):
    run()
    first = Path("metrics/sft.json").read_bytes()
    run()
    assert Path("metrics/sft.json").read_bytes() == first


def test_transcripts_are_written_when_asked_for(workplace):
    run()
    assert not Path("runs.jsonl").exists()
    run("--transcripts", "runs.jsonl")
    rows = [json.loads(line) for line in Path("runs.jsonl").read_text().splitlines()]
    assert len(rows) == 4 * COUNT
    assert {row["file"] for row in rows} == {"f16", "Q4_K_M"}
    assert all(row["passed"] == (row["file"] == "f16") for row in rows)


def test_verdicts_are_written_when_asked_for(workplace):
    run("--outcomes", "metrics/outcomes/sft.jsonl")
    text = Path("metrics/outcomes/sft.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    assert len(rows) == 2 * COUNT
    for row in rows:
        assert len(row["failed"]) == 2
        assert all(not fields for fields in row["failed"]) == (row["file"] == "f16")


def test_several_runs_need_a_temperature(workplace):
    text = PARAMS.replace("temperature: 0.7", "temperature: 0.0")
    Path("params.yaml").write_text(text, encoding="utf-8")
    result = run()
    assert result.exit_code == 1
    assert "eval.runs" in result.output
    assert "eval.temperature" in result.output


def test_a_missing_parameter_is_named(workplace):
    Path("params.yaml").write_text("seed: 42\neval: {runs: 1}\n", encoding="utf-8")
    result = run()
    assert result.exit_code == 1
    assert "eval.tools" in result.output
