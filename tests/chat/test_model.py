"""Which model answers, and that any kind of it can."""

import pytest
from click.testing import CliRunner

from canvas import io
from canvas.backends import LlamaCppBackend, OpenAIBackend, TransformersBackend
from canvas.chat import model
from canvas.chat.model import open_model
from canvas.cli import main
from canvas.gguf.export import export

SIZES = {"context": 1024, "threads": 1}


@pytest.fixture(scope="module")
def gguf(nano_model, tmp_path_factory):
    path = tmp_path_factory.mktemp("chat") / "nano.gguf"
    export(nano_model, nano_model, path, "nano")
    return path


def test_a_file(gguf):
    found = open_model(str(gguf), None, **SIZES)
    assert isinstance(found.backend, LlamaCppBackend)
    assert (found.name, found.remember) == (str(gguf), model.REMEMBERED_BY_SMALL)


def test_a_folder(nano_model):
    found = open_model(str(nano_model), None, **SIZES)
    assert isinstance(found.backend, TransformersBackend)
    assert found.remember == model.REMEMBERED


def test_a_server_with_one_model_needs_no_name(endpoint):
    found = open_model(None, endpoint, **SIZES)
    assert isinstance(found.backend, OpenAIBackend)
    assert found.name == f"script at {endpoint}"


def test_without_a_name_it_is_the_smallest_that_the_pipeline_made(gguf, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(io.BadInput, match="make repro"):
        open_model(None, None, **SIZES)
    for place in reversed(model.NANO):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.hardlink_to(gguf)
        assert open_model(None, None, **SIZES).name == str(place)


def test_out_of_the_box(gguf, tmp_path, monkeypatch):
    """Random weights say nothing of sense; whatever they say, the program takes it."""
    monkeypatch.chdir(tmp_path)
    model.NANO[0].parent.mkdir(parents=True)
    model.NANO[0].hardlink_to(gguf)
    names = ("CANVAS_BASE_URL", "CANVAS_TOKEN", "CALDAV_URL", "CANVAS_ICS")
    runner = CliRunner(env=dict.fromkeys(names))
    result = runner.invoke(main, ["chat", "--max-tokens", "32"], input="Hello.\nn\n/week\n")
    assert result.exit_code == 0, result.output
    assert "a made-up student" in result.output
    assert str(model.NANO[0]) in result.output
    assert "fault of canvas" not in result.output
