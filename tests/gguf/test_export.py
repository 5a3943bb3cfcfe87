"""The exporter against transformers: same weights, same logits, for every shape of Gemma 4."""

import json
import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from canvas.gguf.architecture import text_config
from canvas.gguf.export import export
from canvas.io import BadInput
from canvas.likelihood import Reader, log_softmax
from canvas.llama import BATCH, Model
from tests.checkpoints import SHAPES, build


def gguf_tensors(path):
    from gguf import GGUFReader

    return {tensor.name: np.array(tensor.data) for tensor in GGUFReader(path).tensors}


@pytest.mark.parametrize("shape", SHAPES)
def test_logits_are_those_of_transformers_over_more_than_one_batch(shape, nano_model, tmp_path):
    import torch

    model = build(tmp_path / "hf", nano_model, SHAPES[shape], "bfloat16")
    export(tmp_path / "hf", tmp_path / "hf", tmp_path / "f16.gguf", "test")
    loaded = Model(tmp_path / "f16.gguf")
    tokens = np.random.default_rng(0).integers(5, loaded.vocab_size, 4 * BATCH + 9).tolist()
    with torch.no_grad():
        expected = log_softmax(model(torch.tensor([tokens])).logits[0, :-1].numpy())
    found = np.concatenate(list(Reader(loaded, len(tokens)).distributions(tokens)))
    divergence = (np.exp(expected) * (expected - found)).sum(axis=1)
    # A router that rounding tips over chooses another expert.
    assert divergence.mean() < (1e-2 if shape == "MoE" else 2e-4)
    assert (expected.argmax(axis=1) == found.argmax(axis=1)).mean() > 0.9


def test_weights_are_rounded_once_and_norms_kept(nano_model, tmp_path):
    export(nano_model, nano_model, tmp_path / "f16.gguf", "test")
    stored = load_file(nano_model / "model.safetensors")
    found = gguf_tensors(tmp_path / "f16.gguf")
    pairs = {
        "token_embd.weight": "model.embed_tokens.weight",
        "per_layer_token_embd.weight": "model.embed_tokens_per_layer.weight",
        "blk.1.attn_q.weight": "model.layers.1.self_attn.q_proj.weight",
        "blk.3.ffn_down.weight": "model.layers.3.mlp.down_proj.weight",
        "blk.2.attn_q_norm.weight": "model.layers.2.self_attn.q_norm.weight",
        "blk.0.layer_output_scale.weight": "model.layers.0.layer_scalar",
    }
    for name, key in pairs.items():
        kind = np.float16 if stored[key].ndim > 1 else np.float32
        assert found[name].dtype == kind, name
        assert found[name].tobytes() == stored[key].astype(kind).tobytes(), name
    assert len(found) == len(stored) + 1
    width = text_config(nano_model)["global_head_dim"]
    still = [np.float32(1e30)] * (width * 3 // 8)
    assert found["rope_freqs.weight"].tolist() == [1.0] * (width // 8) + still


def test_the_same_model_gives_the_same_bytes(nano_model, tmp_path):
    for name in ("a.gguf", "b.gguf"):
        export(nano_model, nano_model, tmp_path / name, "test")
    assert (tmp_path / "a.gguf").read_bytes() == (tmp_path / "b.gguf").read_bytes()


def test_multimodal_checkpoints_give_the_text_tower(nano_model, tmp_path):
    wrapped = tmp_path / "wrapped"
    shutil.copytree(nano_model, wrapped)
    config = json.loads((wrapped / "config.json").read_text())
    (wrapped / "config.json").write_text(
        json.dumps({"model_type": "gemma4", "text_config": config})
    )
    stored = load_file(wrapped / "model.safetensors")
    renamed = {key.replace("model.", "model.language_model."): part for key, part in stored.items()}
    renamed["model.vision_tower.patch.weight"] = np.zeros((2, 2), np.float32)
    save_file(renamed, wrapped / "model.safetensors")
    export(nano_model, nano_model, tmp_path / "plain.gguf", "test")
    export(wrapped, wrapped, tmp_path / "wrapped.gguf", "test")
    assert (tmp_path / "plain.gguf").read_bytes() == (tmp_path / "wrapped.gguf").read_bytes()


def test_a_weight_without_a_place_is_an_error(nano_model, tmp_path):
    folder = tmp_path / "odd"
    shutil.copytree(nano_model, folder)
    stored = load_file(folder / "model.safetensors")
    stored["model.layers.0.self_attn.sink.weight"] = np.zeros((2, 2), np.float32)
    save_file(stored, folder / "model.safetensors")
    with pytest.raises(BadInput, match=r"self_attn\.sink"):
        export(folder, folder, tmp_path / "odd.gguf", "test")


def test_other_architectures_are_refused(nano_model, tmp_path):
    folder = tmp_path / "other"
    shutil.copytree(nano_model, folder)
    (folder / "config.json").write_text('{"model_type": "gemma3_text"}')
    with pytest.raises(BadInput, match="model_type"):
        export(folder, folder, tmp_path / "other.gguf", "test")


def test_large_tables_are_converted_in_parts(nano_model, tmp_path, monkeypatch):
    export(nano_model, nano_model, tmp_path / "whole.gguf", "test")
    monkeypatch.setattr("canvas.gguf.export.CHUNK", 1000)
    export(nano_model, nano_model, tmp_path / "parts.gguf", "test")
    assert (tmp_path / "parts.gguf").read_bytes() == (tmp_path / "whole.gguf").read_bytes()
