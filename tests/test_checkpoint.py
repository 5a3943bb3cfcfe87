"""Real loading code on tiny checkpoints: the text tower comes out whole, or not at all."""

import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file

from canvas import checkpoint, io


@pytest.fixture(scope="module")
def multimodal(nano_model, tmp_path_factory):
    """A Gemma 4 with vision tower around the nano text weights, and the nano tokenizer."""
    from transformers import Gemma4Config, Gemma4ForCausalLM, Gemma4ForConditionalGeneration

    inner = Gemma4ForCausalLM.from_pretrained(nano_model)
    vision = {
        "hidden_size": 32,
        "intermediate_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "patch_size": 4,
    }
    config = Gemma4Config(text_config=inner.config.to_dict(), vision_config=vision)
    whole = Gemma4ForConditionalGeneration(config)
    whole.model.language_model.load_state_dict(inner.model.state_dict())
    folder = tmp_path_factory.mktemp("multimodal")
    whole.save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(nano_model / name, folder / name)
    return folder


@pytest.mark.parametrize("kind", ["nano_model", "multimodal"])
def test_the_text_tower_has_the_weights_of_the_checkpoint(kind, request, nano_model):
    tower = checkpoint.text_tower(str(request.getfixturevalue(kind)))
    expected = load_file(nano_model / "model.safetensors")
    found = tower.state_dict()
    assert type(tower).__name__ == "Gemma4ForCausalLM"
    for name, weight in expected.items():
        assert torch.equal(found[name], weight), name


@pytest.mark.parametrize("kind", ["nano_model", "multimodal"])
def test_a_missing_or_surplus_weight_is_an_error(kind, request, tmp_path):
    broken = shutil.copytree(request.getfixturevalue(kind), tmp_path / "broken")
    weights = load_file(broken / "model.safetensors")
    one = next(name for name in weights if name.endswith("layers.1.mlp.up_proj.weight"))
    weight = weights.pop(one)

    def said(changed):
        save_file(changed, broken / "model.safetensors", metadata={"format": "pt"})
        with pytest.raises(io.BadInput) as caught:
            checkpoint.text_tower(str(broken))
        return str(caught.value)

    assert "lacks 1 weights of the text tower" in (text := said(weights))
    assert "layers.1.mlp.up_proj" in text
    surplus = one.replace("layers.1", "layers.77")
    assert "has no place" in (text := said({**weights, one: weight, surplus: weight.clone()}))
    assert "layers.77.mlp.up_proj" in text


@pytest.mark.parametrize("revision", [None, "", "main", "v1.0", "0" * 39, "G" * 40])
def test_a_revision_that_moves_is_refused(revision, multimodal, tmp_path):
    with pytest.raises(io.BadInput, match=r"base\.revision"):
        checkpoint.fetch(str(multimodal), revision, tmp_path)


def test_the_saved_tokenizer_carries_our_template(multimodal, tmp_path):
    from transformers import AutoTokenizer

    checkpoint.fetch(str(multimodal), "0" * 40, tmp_path)
    assert "{%- generation" in AutoTokenizer.from_pretrained(tmp_path).chat_template.replace(
        "{% generation", "{%- generation"
    )
    assert checkpoint.text_tower(str(tmp_path)).config.model_type == "gemma4_text"
