"""Growing the base: masks, batches, optimiser, and a loss that falls; packing loses no file."""

import itertools
import json

import pytest
import torch

from canvas import io
from canvas.nano import growth, model, muon, pretrain

RECIPE = {
    "batch_tokens": 1500,
    "learning_rate": 5e-3,
    "matrix_learning_rate": 1e-2,
    "decay": 0.3,
    "context_weight": 0.3,
}


@pytest.fixture(scope="module")
def tok(nano_model):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(nano_model)


@pytest.fixture(scope="module")
def encoded(base_rows, tok):
    return pretrain.encode(base_rows, tok, 1024)


def test_spoken_tokens_are_those_of_the_assistant(base_rows, tok, encoded):
    row = next(r for r in base_rows if sum(m["role"] == "tool" for m in r["messages"]) == 1)
    found = encoded[base_rows.index(row)]
    said = tok.decode([i for i, s in zip(found.ids, found.spoken, strict=True) if s])
    call, answer = said.split("<|tool_response>")
    name = row["messages"][2]["tool_calls"][0]["function"]["name"]
    assert call.startswith(f"<|tool_call>call:{name}{{")
    assert answer.startswith(row["messages"][4]["content"])
    assert row["messages"][3]["content"] not in said


def test_long_rows_are_left_out(base_rows, tok):
    assert max(len(row.ids) for row in pretrain.encode(base_rows, tok, 200)) <= 200


def test_batches_keep_their_size_and_miss_no_row(encoded):
    per_epoch = []
    for batch in pretrain.batches(encoded, 2000, 0):
        lengths = [len(row.ids) for row in batch]
        assert len(batch) == 1 or len(batch) * (max(lengths) - 15) <= 2000
        assert max(lengths) - min(lengths) < 100
        per_epoch += [id(row) for row in batch]
        if len(per_epoch) >= len(encoded):
            break
    assert len(set(per_epoch)) == len(encoded)


def test_same_seed_same_batches(encoded):
    def first(seed):
        stream = itertools.islice(pretrain.batches(encoded, 1500, seed), 5)
        return [[row.ids for row in batch] for batch in stream]

    assert first(1) == first(1)
    assert first(1) != first(2)


def test_orthogonal_evens_the_singular_values_out():
    torch.manual_seed(0)
    batch = torch.randn(3, 40, 16)
    values = torch.linalg.svdvals(muon.orthogonal(batch))
    assert values.min() > 0.6
    assert values.max() < 1.3
    assert torch.allclose(muon.orthogonal(batch.mT), muon.orthogonal(batch).mT, atol=1e-5)


def test_muon_moves_by_the_learning_rate():
    matrix = torch.nn.Parameter(torch.zeros(32, 32))
    matrix.grad = torch.eye(32)
    muon.Muon([matrix], lr=0.1).step()
    # 0.1 * 0.2 * sqrt(32) times an orthogonal matrix, against the gradient.
    assert torch.diagonal(matrix).mean().item() == pytest.approx(-0.113, abs=0.04)


def grown(base_rows, nano_model, tokens, seed=1):
    shape = json.loads((nano_model / "config.json").read_text())
    base = {
        "seed": seed,
        "vocab_size": 900,
        "shape": {
            "hidden": 64,
            "intermediate": 128,
            "layers": 4,
            "heads": 2,
            "head_dim": 32,
            "global_head_dim": 64,
            "shared_kv_layers": 2,
            "window": shape["sliding_window"],
            "ple": 32,
            "context": 1024,
        },
        "recipe": {"tokens": tokens, "max_length": 700, **RECIPE},
    }
    return base


def test_growth_learns_and_repeats_and_packs(base_rows, nano_model, tmp_path):
    base = grown(base_rows, nano_model, 60_000)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        growth.grow_base(base_rows, base_rows[:20], base, tmp_path / name)
    curve = io.read_json(tmp_path / "one" / "history.json")
    assert curve[-1]["loss"] < 0.75 * curve[0]["loss"]
    assert curve == io.read_json(tmp_path / "two" / "history.json")

    growth.pack(tmp_path / "one", tmp_path / "packed", {"text": "a"})
    growth.unpack(tmp_path / "packed", tmp_path / "unpacked", {"text": "a"})
    with pytest.raises(io.BadInput, match=r"source\.json.*'text'.*make base"):
        growth.unpack(tmp_path / "packed", tmp_path / "stale", {"text": "b"})
    whole = (tmp_path / "one" / "model.safetensors").stat().st_size
    assert (tmp_path / "packed" / "model.safetensors").stat().st_size < 0.6 * whole
    from transformers import Gemma4ForCausalLM

    one, two = (Gemma4ForCausalLM.from_pretrained(tmp_path / n) for n in ("one", "unpacked"))
    for (name, a), (_, b) in zip(one.state_dict().items(), two.state_dict().items(), strict=True):
        assert torch.allclose(a, b, rtol=1e-2), name
    assert {p.name for p in (tmp_path / "unpacked").iterdir()} == {
        p.name for p in (tmp_path / "one").iterdir()
    }


def test_a_missing_pack_is_named(tmp_path):
    with pytest.raises(io.BadInput, match="make base"):
        growth.unpack(tmp_path / "none", tmp_path / "out", {})


def test_the_reported_loss_is_that_of_the_assistant_whatever_the_weight(nano_model, encoded):
    from transformers import Gemma4ForCausalLM

    network = Gemma4ForCausalLM.from_pretrained(nano_model)
    losses = [pretrain._losses(network, encoded[:3], weight, "cpu") for weight in (0.0, 0.3, 1.0)]
    reported = [spoken.item() for _, spoken in losses]
    assert reported == pytest.approx([reported[0]] * 3)
    trained = [loss.item() for loss, _ in losses]
    assert trained[0] == pytest.approx(reported[0])
    assert len(set(trained)) == 3


@pytest.mark.parametrize(
    ("kept", "decay", "said"),
    [(0, 0.3, "no rows"), (1, 0.0, "decay"), (1, 1.5, "decay")],
)
def test_what_nothing_can_be_learnt_from(encoded, kept, decay, said):
    rates = {**RECIPE, "decay": decay}
    with pytest.raises(ValueError, match=said):
        pretrain.fit(torch.nn.Linear(2, 2), encoded[:kept], tokens=9, seed=0, **rates)


def test_a_row_without_a_word_of_the_assistant_is_refused():
    silent = pretrain.Encoded([1, 2, 3], [False] * 3)
    with pytest.raises(ValueError, match="no token of the assistant"):
        pretrain.fit(torch.nn.Linear(2, 2), [silent], tokens=9, seed=0, **RECIPE)


def test_query_norms_start_at_the_inverse_root_of_the_head_size(nano_model, tok):
    shape = grown([], nano_model, 1)["shape"]
    fresh = model.build(tok, shape)
    assert [layer.self_attn.q_norm.weight[0].item() for layer in fresh.model.layers] == [
        pytest.approx(32**-0.5),
        pytest.approx(64**-0.5),
        pytest.approx(32**-0.5),
        pytest.approx(64**-0.5),
    ]
