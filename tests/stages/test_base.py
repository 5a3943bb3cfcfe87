"""Stages corpus and base, called in a temporary folder."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from canvas import io

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def params(tmp_path, monkeypatch):
    """A function that writes params.yaml into the working folder, with changes to its `base`."""
    tree = io.read_yaml(ROOT / "params.yaml")
    monkeypatch.chdir(tmp_path)

    def write(**base):
        tree["base"] |= base
        tree["corpus"] = {"rows": 40}
        YAML().dump(tree, Path("params.yaml"))

    return write


def run(script, *arguments):
    import importlib

    main = importlib.import_module(f"stages.{script}").main
    return CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)


def test_corpus_gives_the_same_bytes_twice(params):
    params()
    for name in ("one", "two"):
        assert run("corpus", ROOT / "data/wordings/base.yaml", f"{name}.jsonl").exit_code == 0
    assert Path("one.jsonl").read_bytes() == Path("two.jsonl").read_bytes()
    assert len(io.read_rows(Path("one.jsonl"))) == 40


def base(*more):
    Path("text").mkdir(exist_ok=True)
    if not Path("text/text.jsonl").exists():
        run("corpus", ROOT / "data/wordings/base.yaml", "text/text.jsonl")
        shutil.copyfile("text/text.jsonl", "sessions.jsonl")
    return run("base", "text", "sessions.jsonl", "packed", "models/base", *more)


def test_a_base_is_grown_packed_and_unpacked(params):
    shape = {"hidden": 64, "intermediate": 64, "layers": 4, "heads": 2, "head_dim": 32}
    shape |= {"global_head_dim": 64, "shared_kv_layers": 2, "window": 64, "ple": 32, "context": 512}
    recipe = {"tokens": 3000, "max_length": 1024, "batch_tokens": 1500, "learning_rate": 1e-3}
    recipe |= {"matrix_learning_rate": 1e-3, "decay": 0.3, "context_weight": 0.3}
    params(vocab_size=700, shape=shape, recipe=recipe)
    assert base("--grow").exit_code == 0
    grown = Path("models/base/config.json").read_bytes()
    assert Path("packed/model.safetensors").exists()
    shutil.rmtree("models")
    assert base().exit_code == 0
    assert Path("models/base/config.json").read_bytes() == grown
    params(vocab_size=700, shape=shape, recipe={**recipe, "learning_rate": 2e-3})
    result = base()
    assert result.exit_code == 1
    assert "source.json" in result.output
    assert "recipe" in result.output
    assert Path("models/base/config.json").read_bytes() == grown
    params(vocab_size=700, shape=shape, recipe=recipe)
    text = Path("text/text.jsonl")
    io.write_rows(text, io.read_rows(text)[1:])
    assert "text" in base().output


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"source": "packed"}, "make base"),
        ({"source": "hub"}, "base.source"),
        ({"source": "checkpoint", "checkpoint": "x", "revision": None}, "base.revision"),
        ({"source": "checkpoint", "checkpoint": "x", "revision": "main"}, "base.revision"),
        ({"source": "checkpoint", "checkpoint": None, "revision": "0" * 40}, "base.checkpoint"),
    ],
)
def test_bad_sources_are_named_and_leave_nothing(params, change, said):
    params(**change)
    result = base()
    assert result.exit_code == 1
    assert said in result.output
    assert not list(Path().glob("models/*"))


def test_the_committed_base_has_the_shape_of_params(params):
    tree = io.read_yaml(ROOT / "params.yaml")["base"]
    config = io.read_json(ROOT / "data/pretrained/config.json")
    assert config["hidden_size"] == tree["shape"]["hidden"]
    assert config["num_hidden_layers"] == tree["shape"]["layers"]
    assert config["vocab_size"] == tree["vocab_size"]
    assert (ROOT / "data/pretrained/model.safetensors").stat().st_size <= 12e6
