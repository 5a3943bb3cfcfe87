"""Likelihoods from GGUF files: what transformers computes, whatever was read before."""

import numpy as np
import pytest

from canvas.gguf.export import export
from canvas.likelihood import Reader, log_softmax, spread
from canvas.llama import BATCH, Context, Model


@pytest.fixture(scope="module")
def model(nano_model, tmp_path_factory):
    path = tmp_path_factory.mktemp("gguf") / "f16.gguf"
    export(nano_model, nano_model, path, "test")
    return Model(path)


def behind(count, first=1):
    """Marks of every token from `first` on."""
    return np.arange(count) >= first


def tokens_of(count, seed=0):
    return np.random.default_rng(seed).integers(300, 1000, count).tolist()


def test_log_softmax_does_not_overflow():
    logits = np.array([[1e4, 1e4], [-1e4, 0.0]], np.float32)
    assert np.allclose(log_softmax(logits), [[-np.log(2)] * 2, [-1e4, 0.0]])


def test_token_likelihoods_are_those_of_transformers(model, nano_model):
    import torch
    from transformers import Gemma4ForCausalLM

    tokens = tokens_of(BATCH + 30)
    network = Gemma4ForCausalLM.from_pretrained(nano_model).eval()
    with torch.no_grad():
        rows = torch.log_softmax(network(torch.tensor([tokens])).logits[0].double(), -1).numpy()
    expected = rows[np.arange(len(tokens) - 1), tokens[1:]]
    found = Reader(model, len(tokens)).token_logps(tokens, behind(len(tokens)))
    assert np.allclose(found, expected, atol=0.02)
    assert abs(found.sum() - expected.sum()) < 0.1


def test_marks_choose_the_tokens(model):
    tokens, marked = tokens_of(2 * BATCH), np.zeros(2 * BATCH, bool)
    whole = Reader(model, len(tokens)).token_logps(tokens, behind(len(tokens)))
    marked[[1, 2, 3, 17, 90]] = marked[100:250] = True
    reader = Reader(model, len(tokens))
    assert np.allclose(reader.token_logps(tokens, marked), whole[marked[1:]], atol=0.02)
    assert len(reader.token_logps(tokens, np.zeros(len(tokens), bool))) == 0


def test_what_is_not_marked_only_fills_the_cache(model, monkeypatch):
    calls, decode = [], Context.decode

    def counted(self, tokens, positions, sequences, wanted):
        calls.append((len(tokens), wanted))
        return decode(self, tokens, positions, sequences, wanted)

    monkeypatch.setattr(Context, "decode", counted)
    marked = np.isin(np.arange(40), [11, 12, 30])
    Reader(model, 64).token_logps(tokens_of(40), marked)
    assert calls == [(10, False), (2, True), (17, False), (1, True)]


def test_distributions_come_in_blocks_that_sum_to_one(model):
    tokens = tokens_of(BATCH + 5)
    blocks = list(Reader(model, 256).distributions(tokens))
    assert [len(block) for block in blocks] == [BATCH, 4]
    assert np.allclose(np.exp(np.concatenate(blocks)).sum(axis=1), 1)


def test_a_shared_prefix_changes_no_score(model):
    prompt, answers = tokens_of(40), [tokens_of(8, seed=1), tokens_of(5, seed=2)]
    shared = Reader(model, 64)
    for answer in (*answers, answers[0]):
        alone = Reader(model, 64).token_logps(prompt + answer, behind(40 + len(answer), 40))
        assert np.allclose(
            shared.token_logps(prompt + answer, behind(40 + len(answer), 40)), alone, atol=0.02
        )


def test_a_sequence_can_be_read_again_and_extended(model):
    tokens = tokens_of(40)
    reader = Reader(model, 64)
    first = reader.token_logps(tokens[:30], behind(30, 20))
    assert np.allclose(reader.token_logps(tokens[:30], behind(30, 20)), first, atol=0.02)
    assert np.allclose(reader.token_logps(tokens, behind(40, 20))[:10], first, atol=0.02)


def test_spread_keeps_the_order():
    readers = ["a", "b", "c"]
    for count in (0, 1, 2, 7):
        found = spread(list(range(count)), readers, lambda reader, job: (reader, job))
        assert [job for _, job in found] == list(range(count))
        assert [reader for reader, _ in found] == sorted(reader for reader, _ in found)
