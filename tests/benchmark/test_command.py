"""Benchmarks from the command line: drawn, scored, compared."""

import pytest
from click.testing import CliRunner

from canvas import backends, io
from canvas.backends.scripted import ScriptedBackend
from canvas.benchmark.command import compare, scenarios, score
from canvas.families import made

COUNT, SEED = 10, 6


class Played(ScriptedBackend):
    """Stands for a GGUF file: plays the plans of all scenarios, or says nothing of use."""

    def __init__(self, path, *, lenient):
        drawn = [made(SEED, number) for number in range(COUNT)]
        plans = {one.row["prompt"]: one.plan for one in drawn}
        super().__init__(lambda text: plans[text]() if path.stem == "good" else idle())


def idle():
    return "Done."
    yield


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(backends, "LlamaCppBackend", Played, raising=False)
    monkeypatch.chdir(tmp_path)
    for name in ("good.gguf", "idle.gguf"):
        (tmp_path / name).touch()
    drawn = run(scenarios, "--count", COUNT, "--seed", SEED, "--out", "bench.jsonl")
    assert drawn.output == "bench.jsonl: 10 scenarios\n"
    return tmp_path


def run(command, *arguments):
    return CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)


def test_a_model_is_scored(place):
    result = run(score, "bench.jsonl", "--model", "good.gguf", "--out", "good.jsonl")
    assert result.exit_code == 0
    assert "planning pass^1: 1.000 [1.000, 1.000] over 10 runs" in result.output
    assert "parse: 1.000" in result.output
    assert "pass^4" not in result.output
    rows = io.read_rows(place / "good.jsonl")
    assert [row["failed"] for row in rows] == [[[]]] * COUNT


def test_without_a_file_scenarios_are_printed(place):
    printed = run(scenarios, "--count", COUNT, "--seed", SEED)
    assert printed.output == (place / "bench.jsonl").read_text(encoding="utf-8")


def test_several_runs(place):
    options = ("--model", "good.gguf", "--runs", 4)
    result = run(score, "bench.jsonl", *options, "--temperature", 0.7)
    assert "planning pass^4: 1.000 [1.000, 1.000] over 40 runs" in result.output
    refused = run(score, "bench.jsonl", *options)
    assert refused.exit_code == 2
    assert "--temperature" in refused.output


def test_two_models_are_compared(place):
    for name in ("good", "idle"):
        run(score, "bench.jsonl", "--model", f"{name}.gguf", "--out", f"{name}.jsonl")
    result = run(compare, "idle.jsonl", "good.jsonl")
    assert result.exit_code == 0
    (line,) = result.output.splitlines()[1:]
    assert line.split() == [
        "planning",
        "10",
        "0.000",
        "1.000",
        "+1.000",
        "[+1.000,",
        "+1.000]",
        "0.0020",
        "10/0",
    ]


@pytest.mark.parametrize(
    ("options", "reason"),
    [((), "which model"), (("--model", "none.gguf"), "no such file")],
)
def test_a_model_must_be_there(place, options, reason):
    result = run(score, "bench.jsonl", *options)
    assert result.exit_code != 0
    assert reason in result.output
