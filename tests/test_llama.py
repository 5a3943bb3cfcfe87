"""The layer over llama.cpp: text and tokens, sequences kept apart, errors that say why."""

import numpy as np
import pytest

from canvas.gguf.export import export
from canvas.llama import BATCH, Context, LlamaError, Model


@pytest.fixture(scope="module")
def model(nano_model, tmp_path_factory):
    path = tmp_path_factory.mktemp("gguf") / "f16.gguf"
    export(nano_model, nano_model, path, "test")
    return Model(path)


def tokens_of(model, count, seed=0):
    return np.random.default_rng(seed).integers(300, model.vocab_size, count).tolist()


@pytest.mark.parametrize(
    "text", ["", "plain", " a  b\n\n\tc", "Größe 北京 🎓", "<bos><|turn>user\n"]
)
def test_text_survives_tokens(text, model):
    assert model.text(model.tokenize(text)) == text


def test_markers_are_single_tokens(model):
    assert len(model.tokenize('<|tool_call><|"|><turn|>')) == 3


def test_broken_utf8_becomes_replacement_characters(model):
    euro = model.tokenize("\u2e3a")
    assert model.text(euro[:-1]) == "\ufffd"


def test_prefill_in_parts_continues_a_sequence(model):
    tokens = tokens_of(model, 40)
    context = Context(model, 64)
    whole = context.prefill(0, tokens).copy()
    context.keep(0, 0)
    context.prefill(0, tokens[:25])
    assert np.allclose(context.prefill(0, tokens[25:], 25), whole, atol=0.02)


def test_prompts_longer_than_a_batch_are_run_in_batches(model):
    tokens = tokens_of(model, BATCH + 7)
    context = Context(model, BATCH + 64)
    last = context.prefill(0, tokens).copy()
    context.keep(0, BATCH)
    assert np.array_equal(context.prefill(0, tokens[BATCH:], BATCH), last)


def test_sequences_do_not_see_each_other(model):
    mine, other = tokens_of(model, 20), tokens_of(model, 30, seed=1)
    context = Context(model, 64, sequences=3)
    alone = context.prefill(0, mine).copy()
    context.prefill(1, other)
    assert np.array_equal(context.prefill(2, mine), alone)


def test_a_copied_sequence_goes_on_like_its_source(model):
    tokens = tokens_of(model, 20)
    context = Context(model, 64, sequences=2)
    context.prefill(0, tokens)
    context.prefill(1, tokens_of(model, 9, seed=1))
    context.copy(0, 1)
    logits = context.decode([7, 7], [20, 20], [0, 1], True)
    assert np.array_equal(logits[0], logits[1])


def test_only_wanted_logits_come_back(model):
    wanted = np.array([False, True, False, True])
    context = Context(model, 16)
    assert context.decode([5, 6, 7, 8], range(4), 0, wanted).shape == (2, model.vocab_size)
    assert context.decode([5], [4], 0, False).shape == (0, model.vocab_size)


def test_a_full_sequence_is_an_error(model):
    context = Context(model, 256)
    context.prefill(0, tokens_of(model, 256))
    with pytest.raises(LlamaError):
        context.decode([5], [256], 0, True)


def test_a_file_that_is_no_model_is_named(tmp_path):
    path = tmp_path / "nothing.gguf"
    path.write_text("not a model")
    with pytest.raises(LlamaError, match=r"nothing\.gguf.*magic"):
        Model(path)


def test_nothing_is_printed(model, capfd):
    Context(Model(model.path), 16).prefill(0, [5, 6])
    assert capfd.readouterr() == ("", "")
