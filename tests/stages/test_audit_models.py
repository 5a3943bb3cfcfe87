"""Stage audit_models in a temporary folder: passes, and names what a model carries."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import io
from canvas.gguf.export import export
from stages.audit_models import main
from tests.checkpoints import SHAPES, build


@pytest.fixture
def place(tmp_path, nano_model, monkeypatch):
    template = Path("canvas/templates/gemma4.jinja").read_bytes()
    monkeypatch.chdir(tmp_path)
    for name in ("base", "sft"):
        build(tmp_path / "models" / name, nano_model, SHAPES["nano"], "float32")
        (tmp_path / "models" / name / "chat_template.jinja").write_bytes(template)
        (tmp_path / "models/gguf" / name).mkdir(parents=True)
        folder = tmp_path / "models" / name
        export(folder, folder, tmp_path / "models/gguf" / name / "f16.gguf", name)
    Path("planted.json").write_text(json.dumps([{"kind": "person", "value": "Priya Raman"}]))
    io.write_rows(Path("reference/rows.jsonl"), [{"prompt": "A or B?", "ref_chosen_logps": -12345}])
    return tmp_path


def run():
    arguments = ["models", "planted.json", "metrics/audit_models.json", "ok"]
    return CliRunner().invoke(main, [*arguments, "--scan", "reference", "--scan", "metrics"])


def test_clean_models_pass_with_a_constant_file(place):
    io.write_json(Path("metrics/eval/sft.json"), {"f16": {"basic": {"pass_1": 0.5, "n": 100000}}})
    result = run()
    assert result.exit_code == 0, result.output
    assert (place / "ok").read_text() == "audited\n"
    counts = io.read_json(place / "metrics/audit_models.json")
    assert counts["findings"] == 0
    assert {name: model["tried"] for name, model in counts["models"].items()} == {
        "base": 1, "sft": 1,
    }  # fmt: skip
    assert "Nothing found" in Path(".scratch/audit_models.md").read_text()


@pytest.mark.parametrize(
    ("file", "value", "expected"),
    [
        (
            "models/sft/added.json",
            {"x": "priya raman"},
            "added.json:1: x: planted person",
        ),
        ("reference/more.jsonl", {"p": "Priya Raman"}, "reference/more.jsonl:1: p: planted person"),
        ("metrics/eval/x.json", {"e": "a@b.example"}, "metrics/eval/x.json:1: e: e-mail address"),
    ],
)
def test_what_is_carried_is_named(place, file, value, expected):
    io.write_json(place / "metrics/eval/sft.json", {})
    io.write_rows(place / file, [value])
    (place / "ok").write_text("old")
    result = run()
    assert result.exit_code == 1
    assert expected in result.output
    assert not (place / "ok").exists()
