import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import io
from stages import reference, train

ROOT = Path(__file__).resolve().parents[2]
PARAMS = """
seed: 42
training: {device: cpu, dtype: float32, autocast: false, gradient_checkpointing: false}
methods:
  sft: &sft
    train: &common
      {trainer: sft, learning_rate: 1e-3, effective_batch: 2, micro_batch: 2, max_length: 640,
       optim: adamw_torch, steps: 2}
  one: *sft
  two: *sft
  apo-zero:
    train:
      {trainer: preference, learning_rate: 1e-3, effective_batch: 2, micro_batch: 2,
       max_length: 640, optim: adamw_torch, steps: 2, loss_type: apo_zero, beta: 0.1}
"""


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    """A folder with params.yaml, trajectory rows and preference rows, and it is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_text(PARAMS)
    sessions = [
        {
            "messages": [
                {"role": "user", "content": f"Say {number}."},
                {"role": "assistant", "content": f"It is {number}."},
            ],
            "tools": [],
        }
        for number in range(6)
    ]
    io.write_rows(tmp_path / "sessions.jsonl", sessions)
    pairs = [
        {
            "pair_id": f"p{number}",
            "prompt": f"{number}?",
            "chosen": "Do A.",
            "rejected": "Do B now.",
        }
        for number in range(6)
    ]
    io.write_rows(tmp_path / "pairs.jsonl", pairs)
    return tmp_path


def run(stage, *arguments):
    return CliRunner().invoke(stage.main, [str(argument) for argument in arguments])


def train_sft(nano_model, name="sft", rows="sessions.jsonl"):
    paths = (f"models/{name}", f"metrics/train/{name}.json", f"metrics/curves/{name}.json")
    return run(train, name, rows, nano_model, *paths)


def test_writes_model_metrics_and_curve(workspace, nano_model):
    result = train_sft(nano_model)
    assert result.exit_code == 0, result.output
    curve = io.read_json(workspace / "metrics/curves/sft.json")
    metrics = io.read_json(workspace / "metrics/train/sft.json")
    assert [row["step"] for row in curve] == [1, 2]
    assert metrics["rows_seen"] == 4
    assert io.read_json(workspace / "models/sft/history.json") == curve
    assert (workspace / "models/sft/model.safetensors").exists()
    assert list((workspace / ".scratch").rglob("*.*")) == []
    for file in ("metrics/train/sft.json", "metrics/curves/sft.json", "models/sft/config.json"):
        text = (workspace / file).read_text()
        assert "time" not in text
        assert "second" not in text
        assert str(workspace) not in text


def test_two_devices_give_what_one_gives(workspace, nano_model):
    train_sft(nano_model, "one")
    launcher = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2", "-m"]
    paths = ["models/two", "metrics/two.json", "metrics/curve.json"]
    done = subprocess.run(
        [*launcher, "stages.train", "two", "sessions.jsonl", str(nano_model), *paths],
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    one, two = (io.read_json(workspace / f"models/{name}/history.json") for name in ("one", "two"))
    assert [row["loss"] for row in two] == pytest.approx([row["loss"] for row in one], rel=1e-4)
    assert sorted(p.name for p in (workspace / "models").iterdir()) == ["one", "two"]


def test_keys_of_other_methods_do_not_matter(workspace, nano_model):
    train_sft(nano_model)
    first = (workspace / "models/sft/model.safetensors").read_bytes()
    text = (workspace / "params.yaml").read_text()
    (workspace / "params.yaml").write_text(text.replace("beta: 0.1", "betta: 7"))
    assert train_sft(nano_model).exit_code == 0
    assert (workspace / "models/sft/model.safetensors").read_bytes() == first
    result = train_sft(nano_model, "apo-zero", "pairs.jsonl")
    assert result.exit_code == 1
    assert "methods.apo-zero.train.betta" in result.output


def test_a_failed_run_leaves_the_model_as_it_was(workspace, nano_model):
    train_sft(nano_model)
    before = (workspace / "models/sft/model.safetensors").read_bytes()
    (workspace / "sessions.jsonl").write_text('{"messages": []}\n')
    result = train_sft(nano_model)
    assert result.exit_code == 1
    assert "sessions.jsonl:1" in result.output
    assert (workspace / "models/sft/model.safetensors").read_bytes() == before
    assert [path.name for path in (workspace / "models").iterdir()] == ["sft"]


def test_an_unknown_method_is_named(workspace, nano_model):
    result = train_sft(nano_model, "grpo")
    assert result.exit_code == 1
    assert "methods.grpo.train" in result.output


def test_reference_then_a_preference_method(workspace, nano_model):
    result = run(reference, nano_model, "pairs.jsonl", "data/reference/rows.jsonl")
    assert result.exit_code == 0, result.output
    rows = io.read_rows(workspace / "data/reference/rows.jsonl")
    assert [row["pair_id"] for row in rows] == [f"p{number}" for number in range(6)]
    assert all(row["ref_rejected_logps"] < row["ref_chosen_logps"] < 0 for row in rows)
    result = train_sft(nano_model, "apo-zero", "data/reference/rows.jsonl")
    assert result.exit_code == 0, result.output
    metrics = json.loads((workspace / "metrics/train/apo-zero.json").read_text())
    assert metrics["loss_first"] == pytest.approx(1.0, rel=1e-4)


def test_a_pair_without_its_answer_is_named(workspace, nano_model):
    (workspace / "pairs.jsonl").write_text('{"prompt": "p", "chosen": "c"}\n')
    result = run(reference, nano_model, "pairs.jsonl", "out.jsonl")
    assert result.exit_code == 1
    assert "pairs.jsonl:1" in result.output
    assert not (workspace / "out.jsonl").exists()
