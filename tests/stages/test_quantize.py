"""Stage quantize: six files and their distances, or a clear failure."""

import pytest
from click.testing import CliRunner

from canvas import io
from canvas.gguf.export import export
from canvas.gguf.quantize import TYPES, fallbacks
from stages import quantize

ROWS = [
    {"messages": [{"role": "user", "content": f"Plan {n} hours."}], "tools": []} for n in range(9)
]


@pytest.fixture
def here(nano_model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_text("quantize:\n  kl_tokens: 60\n")
    io.write_rows(tmp_path / "rows.jsonl", ROWS)
    (tmp_path / "sft").mkdir()
    export(nano_model, nano_model, tmp_path / "sft" / "f16.gguf", "sft")
    return tmp_path


def run():
    return CliRunner().invoke(
        quantize.main, ["sft", "sft/f16.gguf", "rows.jsonl", "sft", "metrics/sft.json"]
    )


def test_six_files_and_metrics(here):
    result = run()
    assert result.exit_code == 0, result.output
    metrics = io.read_json(here / "metrics" / "sft.json")
    assert list(TYPES) == sorted(metrics)
    for kind in TYPES:
        assert metrics[kind]["bytes"] == (here / "sft" / f"{kind}.gguf").stat().st_size
        assert metrics[kind]["kl_mean"] > 0
        assert metrics[kind]["fallback"] == fallbacks(here / "sft" / f"{kind}.gguf", kind)
    assert metrics["Q4_K_M"]["fallback"]["blk.*.proj.weight"] == "Q5_0"
    assert "Q4_K_M: blk.*.proj.weight" in result.stderr


def test_two_runs_write_the_same(here):
    for kept in ("first", "second"):
        assert run().exit_code == 0
        (here / "metrics" / "sft.json").rename(here / kept)
    assert (here / "first").read_bytes() == (here / "second").read_bytes()


def test_a_broken_original_gives_no_metrics_and_no_parts(here):
    original = here / "sft" / "f16.gguf"
    original.write_bytes(original.read_bytes()[:100_000])
    result = run()
    assert result.exit_code != 0
    assert "f16.gguf" in str(result.exception)
    assert [path.name for path in (here / "sft").iterdir()] == ["f16.gguf"]
    assert not (here / "metrics").exists()
