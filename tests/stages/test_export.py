"""Stage export: one folder in, one file out, and nothing where it fails."""

import shutil

import pytest
from click.testing import CliRunner

from canvas.llama import Model
from stages import export


def run(*arguments):
    return CliRunner().invoke(export.main, [str(argument) for argument in arguments])


def test_a_checkpoint_becomes_a_file_that_loads(nano_model, tmp_path):
    from gguf import GGUFReader

    out = tmp_path / "gguf" / "sft" / "f16.gguf"
    result = run("sft", nano_model, nano_model, out)
    assert result.exit_code == 0, result.output
    assert Model(out).tokenize("<bos>") == [2]
    assert GGUFReader(out).fields["general.name"].contents() == "canvas-calendar-agent-sft"


def test_an_adapter_is_merged_into_its_base(nano_model, tmp_path):
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoTokenizer, Gemma4ForCausalLM

    base = Gemma4ForCausalLM.from_pretrained(nano_model)
    tuned = get_peft_model(base, LoraConfig(r=2, target_modules=["q_proj"]))
    torch.manual_seed(0)
    for name, weight in tuned.named_parameters():
        if "lora_B" in name:
            weight.data = torch.randn_like(weight)
    tuned.save_pretrained(tmp_path / "lora")
    tuned.merge_and_unload().save_pretrained(tmp_path / "merged")
    for folder in ("lora", "merged"):
        AutoTokenizer.from_pretrained(nano_model).save_pretrained(tmp_path / folder)
        result = run("lora", tmp_path / folder, nano_model, tmp_path / f"{folder}.gguf")
        assert result.exit_code == 0, result.output
    merged, lora = ((tmp_path / f"{name}.gguf").read_bytes() for name in ("merged", "lora"))
    assert len(merged) == len(lora)
    differing = sum(a != b for a, b in zip(merged, lora, strict=True))
    assert differing < 100, "float16 rounding of sums in another order, nothing more"


@pytest.mark.parametrize("lost", ["model.safetensors", "tokenizer.json"])
def test_a_failure_leaves_no_file(lost, nano_model, tmp_path):
    folder = shutil.copytree(nano_model, tmp_path / "model")
    (folder / lost).unlink()
    result = run("sft", folder, folder, tmp_path / "out" / "f16.gguf")
    assert result.exit_code != 0
    assert lost.split(".")[-1] in str(result.exception) + result.output
    assert list((tmp_path / "out").iterdir()) == []
