"""The layer over llama.cpp: text and tokens, sequences kept apart, errors that say why."""

import numpy as np
import pytest

from canvas.gguf.export import export
from canvas.llama import BATCH, Context, LlamaError, Model, _Shortcut


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


def last_logits(context, tokens, start=0, sequence=0):
    """Logits behind `tokens`, of which all but the last only fill the cache."""
    context.fill(sequence, tokens[:-1], start)
    return context.decode(tokens[-1:], [start + len(tokens) - 1], sequence, True)[0].copy()


def test_filling_leaves_the_cache_that_a_full_pass_leaves(model):
    tokens = tokens_of(model, 40)
    context = Context(model, 64)
    context.decode(tokens[:39], range(39), 0, True)
    full = context.decode(tokens[39:], [39], 0, True).copy()
    context.keep(0, 0)
    assert np.array_equal(last_logits(context, tokens), full[0])


def test_filling_ends_where_nothing_more_is_stored(model, monkeypatch):
    passes, asked = [], _Shortcut._asked

    def counted(self, node, before, data):
        passes[-1] += before
        return asked(self, node, before, data)

    monkeypatch.setattr(_Shortcut, "_asked", counted)
    passes.append(0)
    context = Context(model, 64)
    for wanted in (True, False):
        passes.append(0)
        context.decode([5], [len(passes)], 0, wanted)
    assert passes[0] == passes[1]
    assert 0 < passes[2] < 0.8 * passes[1]


def test_filling_in_parts_continues_a_sequence(model):
    tokens = tokens_of(model, 40)
    context = Context(model, 64)
    whole = last_logits(context, tokens)
    context.keep(0, 0)
    context.fill(0, tokens[:25])
    assert np.allclose(last_logits(context, tokens[25:], 25), whole, atol=0.02)


def test_what_is_longer_than_a_batch_is_run_in_batches(model):
    tokens = tokens_of(model, BATCH + 8)
    context = Context(model, BATCH + 64)
    last = last_logits(context, tokens)
    context.keep(0, BATCH)
    assert np.array_equal(last_logits(context, tokens[BATCH:], BATCH), last)


def test_sequences_do_not_see_each_other(model):
    mine, other = tokens_of(model, 20), tokens_of(model, 30, seed=1)
    context = Context(model, 64, sequences=3)
    alone = last_logits(context, mine)
    context.fill(1, other)
    assert np.array_equal(last_logits(context, mine, sequence=2), alone)


def test_a_saved_cache_goes_on_like_its_source_in_any_context(model):
    tokens = tokens_of(model, 20)
    context, other = Context(model, 64, sequences=2), Context(model, 64, sequences=2)
    context.fill(0, tokens)
    saved = context.save(0)
    for place in (context, other):
        place.fill(1, tokens_of(model, 9, seed=1))
        place.load(1, saved)
    source = context.decode([7, 7], [20, 20], [0, 1], True).copy()
    assert np.array_equal(source[0], source[1])
    other.fill(0, tokens)
    assert np.array_equal(other.decode([7, 7], [20, 20], [0, 1], True), source)


def test_a_cache_that_does_not_fit_is_an_error(model):
    context = Context(model, 512)
    context.fill(0, tokens_of(model, 300))
    with pytest.raises(LlamaError, match="saved cache"):
        Context(model, 256).load(0, context.save(0))


def test_only_wanted_logits_come_back(model):
    wanted = np.array([False, True, False, True])
    context = Context(model, 16)
    assert context.decode([5, 6, 7, 8], range(4), 0, wanted).shape == (2, model.vocab_size)
    assert context.decode([5], [4], 0, False).shape == (0, model.vocab_size)


def test_a_full_sequence_is_an_error(model):
    context = Context(model, 256)
    context.fill(0, tokens_of(model, 256))
    with pytest.raises(LlamaError):
        context.decode([5], [256], 0, True)


def test_a_file_that_is_no_model_is_named(tmp_path):
    path = tmp_path / "nothing.gguf"
    path.write_text("not a model")
    with pytest.raises(LlamaError, match=r"nothing\.gguf.*magic"):
        Model(path)


def test_nothing_is_printed(model, capfd):
    Context(Model(model.path), 16).fill(0, [5, 6])
    assert capfd.readouterr() == ("", "")
