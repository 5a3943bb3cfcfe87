import dataclasses
import re
import shutil

import pytest

from canvas.io import BadInput
from canvas.training import model
from canvas.training.recipe import Adapter

TARGETS = ["q_proj", "v_proj", "up_proj"]


def edited(source, folder, edit):
    """A copy of a model folder whose tensors went through `edit`."""
    from safetensors.torch import load_file, save_file

    shutil.copytree(source, folder)
    tensors = load_file(folder / "model.safetensors")
    edit(tensors)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_a_missing_weight_is_an_error(nano_model, machine, tmp_path):
    name = "model.layers.1.mlp.up_proj.weight"
    broken = edited(nano_model, tmp_path / "m", lambda tensors: tensors.pop(name))
    with pytest.raises(BadInput, match=re.escape(f"missing keys, first {name}")):
        model.load(broken, machine)


def test_a_superfluous_weight_is_an_error(nano_model, machine, tmp_path):
    import torch

    def tower(tensors):
        tensors["model.vision_tower.weight"] = torch.zeros(2)

    with pytest.raises(BadInput, match="unexpected keys"):
        model.load(edited(nano_model, tmp_path / "m", tower), machine)


def test_an_adapter_is_no_start(tmp_path, machine):
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(BadInput, match="adapter"):
        model.load(tmp_path, machine)


def test_dtype_is_the_machines(nano_model, machine):
    import torch

    half = model.load(nano_model, dataclasses.replace(machine, dtype="bfloat16"))
    assert {parameter.dtype for parameter in half.parameters()} == {torch.bfloat16}


def test_frozen_parameters(nano_model, machine):
    frozen = dataclasses.replace(machine, freeze=["embed_tokens_per_layer"])
    network = model.load(nano_model, frozen)
    still = [name for name, p in network.named_parameters() if not p.requires_grad]
    assert still == ["model.embed_tokens_per_layer.weight"]
    with pytest.raises(BadInput, match="embed_token_per_layer"):
        model.load(nano_model, dataclasses.replace(machine, freeze=["embed_token_per_layer"]))


def test_a_table_too_large_for_the_optimizers_is_frozen(nano_model, machine, monkeypatch):
    monkeypatch.setattr(model, "LARGEST_TRAINABLE", 70_000)
    network = model.load(nano_model, machine)
    for name, parameter in network.named_parameters():
        assert parameter.requires_grad == (parameter.numel() <= 70_000), name
    assert not all(parameter.requires_grad for parameter in network.parameters())


def test_nf4_holds_the_linear_layers_alone(nano_model, machine):
    from bitsandbytes.nn import Linear4bit

    adapter = Adapter(r=4, alpha=8, targets=TARGETS, quantize_4bit=True)
    network = model.load(nano_model, machine, adapter)
    layers = network.model.layers
    assert isinstance(layers[0].mlp.up_proj, Linear4bit)
    assert layers[0].mlp.up_proj.weight.quant_type == "nf4"
    assert network.model.embed_tokens_per_layer.weight.dtype.is_floating_point
    assert not isinstance(network.lm_head, Linear4bit)


def test_adapters_stay_out_of_the_towers():
    import torch
    from peft import get_peft_model
    from transformers import Gemma4Config, Gemma4ForConditionalGeneration

    text = {
        "hidden_size": 32,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "layer_types": ["sliding_attention", "full_attention"],
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": 16,
        "global_head_dim": 16,
        "hidden_size_per_layer_input": 8,
        "vocab_size": 64,
        "vocab_size_per_layer_input": 64,
    }
    tower = {"num_hidden_layers": 1, "hidden_size": 32, "intermediate_size": 32}
    vision = {**tower, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 16}
    config = Gemma4Config(text_config=text, vision_config=vision, audio_config=tower)
    with torch.device("meta"):
        network = Gemma4ForConditionalGeneration(config)
    assert any("vision_tower" in name and "q_proj" in name for name, _ in network.named_modules())
    adapted = get_peft_model(network, model.lora(network, Adapter(r=2, alpha=4, targets=TARGETS)))
    places = [name for name, _ in adapted.named_parameters() if "lora_" in name]
    assert len(places) == 2 * 2 * len(TARGETS)
    assert all("language_model.layers" in name for name in places)


def test_a_target_that_is_not_there(nano_model, machine):
    network = model.load(nano_model, machine)
    with pytest.raises(BadInput, match="lm_head"):
        model.lora(network, Adapter(r=2, alpha=4, targets=["q_proj", "lm_head"]))
