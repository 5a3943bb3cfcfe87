"""Merging adapters: as PEFT merges them, and nothing merged that is not understood."""

import json

import numpy as np
import pytest

from canvas.gguf import adapter, weights
from canvas.io import BadInput


@pytest.fixture(scope="module")
def tuned(nano_model, tmp_path_factory):
    """An adapter folder and the base model with PEFT's own merge of it."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import Gemma4ForCausalLM

    folder = tmp_path_factory.mktemp("adapter")
    base = Gemma4ForCausalLM.from_pretrained(nano_model)
    config = LoraConfig(
        r=4, lora_alpha=16, target_modules=r".*layers\.\d+\.(self_attn|mlp)\.\w+_proj"
    )
    model = get_peft_model(base, config)
    torch.manual_seed(0)
    for name, weight in model.named_parameters():
        if "lora_B" in name:
            weight.data = 0.1 * torch.randn_like(weight)
    model.save_pretrained(folder)
    return folder, model.merge_and_unload()


def test_merged_weights_equal_those_of_peft(nano_model, tuned):
    folder, merged = tuned
    expected = {key: part.numpy() for key, part in merged.state_dict().items()}
    base = weights.text_tower(nano_model)
    found = adapter.merge(base, folder)
    changed = [key for key, part in found.items() if isinstance(part, adapter.Merged)]
    assert len(changed) == 4 * 5 + 2 * 2
    for key, part in found.items():
        assert np.allclose(part.rows(), expected[key], atol=1e-6), key
    key = changed[0]
    assert not np.allclose(found[key].rows(), base[key].rows(), atol=1e-3)
    assert np.array_equal(found[key].rows(3, 7), found[key].rows()[3:7])


def test_rank_stabilised_adapters_are_scaled_by_the_root(nano_model, tuned, tmp_path):
    folder, _ = tuned
    copy = _with(folder, tmp_path, use_rslora=True)
    key = "model.layers.0.mlp.up_proj.weight"
    base = weights.text_tower(nano_model)
    plain, rooted = (adapter.merge(base, part)[key] for part in (folder, copy))
    assert (plain.scale, rooted.scale) == (16 / 4, 16 / 2)


@pytest.mark.parametrize(
    "change", [{"use_dora": True}, {"alpha_pattern": {"q_proj": 8}}, {"modules_to_save": ["norm"]}]
)
def test_what_cannot_be_merged_is_refused(change, nano_model, tuned, tmp_path):
    copy = _with(tuned[0], tmp_path, **change)
    with pytest.raises(BadInput, match=next(iter(change))):
        adapter.merge(weights.text_tower(nano_model), copy)


def test_an_adapter_of_another_model_is_refused(nano_model, tuned):
    base = weights.text_tower(nano_model)
    del base["model.layers.3.mlp.up_proj.weight"]
    with pytest.raises(BadInput, match="no such weight"):
        adapter.merge(base, tuned[0])


def _with(folder, out, **change):
    """A copy of an adapter folder with another configuration."""
    for path in folder.iterdir():
        if path.is_file():
            (out / path.name).write_bytes(path.read_bytes())
    config = json.loads((folder / "adapter_config.json").read_text())
    (out / "adapter_config.json").write_text(json.dumps(config | change))
    return out
