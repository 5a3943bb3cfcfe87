"""The model of a run: loaded whole or not at all, adapted, frozen, saved with its tokenizer."""

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from canvas.io import BadInput
from canvas.training.recipe import PARAMS, Adapter, Machine

if TYPE_CHECKING:
    from peft import LoraConfig
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

# Linear layers of the text decoder, in a text-only and in a multimodal checkpoint; never a tower.
DECODER = r"model\.(?:language_model\.)?layers\.\d+\.(?:self_attn\.|mlp\.)?"

# bitsandbytes 0.50's 8-bit optimizers fail on a larger parameter: Gemma 4's per-layer table.
LARGEST_TRAINABLE = 2**31

# Training changes none of these, so the start model's files are kept byte for byte.
BESIDE_WEIGHTS = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "chat_template.jinja",
    "generation_config.json",
)

# What trainers set in the configuration for their own ends, and leave there.
TRAINERS_CHANGE = ("use_cache", "bos_token_id", "eos_token_id", "pad_token_id")


def load_tokenizer(start: Path) -> "PreTrainedTokenizerBase":
    """The tokenizer of a model folder. Raises BadInput if it has no padding token."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(start)
    if tokenizer.pad_token_id is None:
        raise BadInput(start, "the tokenizer has no padding token", field="pad_token")
    return tokenizer


def load(start: Path, machine: Machine, adapter: Adapter | None = None) -> "PreTrainedModel":
    """The causal language model of a folder on the machine's device, in its dtype or in nf4.

    Raises BadInput if the folder holds an adapter or if a weight is missing, superfluous or of
    another shape: transformers would only warn and leave random values."""
    import torch
    from transformers import AutoModelForCausalLM, BitsAndBytesConfig
    from transformers.utils import logging

    if (start / "adapter_config.json").exists():
        raise BadInput(start, "an adapter, not a model", remedy="start from a merged model")
    dtype = getattr(torch, machine.dtype)
    options = {"dtype": dtype}
    device = f"cuda:{os.environ.get('LOCAL_RANK', 0)}" if machine.device == "cuda" else "cpu"
    quantized = adapter is not None and adapter.quantize_4bit
    if quantized:
        compute = torch.bfloat16 if machine.autocast else dtype
        options["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=compute
        )
        options["device_map"] = {"": device}
    logging.disable_progress_bar()
    model, report = AutoModelForCausalLM.from_pretrained(start, output_loading_info=True, **options)
    for problem in ("missing_keys", "unexpected_keys", "mismatched_keys"):
        if report[problem]:
            raise BadInput(
                start,
                f"{len(report[problem])} {problem.replace('_', ' ')}, first {min(report[problem])}",
                remedy="rebuild it with its stage",
            )
    if not quantized:
        model.to(device)
    _freeze(model, machine.freeze)
    return model


def lora(model: "PreTrainedModel", adapter: Adapter) -> "LoraConfig":
    """The adapter's configuration. Raises BadInput on a target that the text decoder lacks."""
    from peft import LoraConfig

    names = [name for name, _ in model.named_modules()]
    for target in adapter.targets:
        pattern = re.compile(DECODER + re.escape(target))
        if not any(pattern.fullmatch(name) for name in names):
            raise BadInput(PARAMS, "not a layer of the text decoder", field=f"targets: {target}")
    return LoraConfig(
        r=adapter.r,
        lora_alpha=adapter.alpha,
        lora_dropout=adapter.dropout,
        target_modules=f"{DECODER}(?:{'|'.join(map(re.escape, adapter.targets))})",
        task_type="CAUSAL_LM",
    )


def widen(model: "PreTrainedModel", machine: Machine) -> None:
    """Hold what is trained in the machine's dtype: TRL rounds adapters over nf4 to bfloat16."""
    import torch

    for parameter in model.parameters():
        if parameter.requires_grad:
            parameter.data = parameter.data.to(getattr(torch, machine.dtype))


def save(model: "PreTrainedModel", start: Path, out: Path) -> None:
    """Write the weights, or the adapter alone, and copy the start model's tokenizer."""
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(start)
    for name in TRAINERS_CHANGE:
        setattr(model.config, name, getattr(config, name))
    adapter = {"save_embedding_layers": False} if hasattr(model, "peft_config") else {}
    model.save_pretrained(out, **adapter)
    # PEFT's model card: a form with nothing filled in.
    (out / "README.md").unlink(missing_ok=True)
    for name in BESIDE_WEIGHTS:
        if (start / name).exists():
            shutil.copyfile(start / name, out / name)


def _freeze(model: "PreTrainedModel", patterns: list[str]) -> None:
    """Stop gradients of parameters too large for the optimizers, or named by a pattern."""
    parameters = dict(model.named_parameters())
    for pattern in patterns:
        if not any(re.search(pattern, name) for name in parameters):
            raise BadInput(PARAMS, f"{pattern!r} matches no parameter", field="training.freeze")
    for name, parameter in parameters.items():
        if parameter.numel() > LARGEST_TRAINABLE or any(re.search(p, name) for p in patterns):
            parameter.requires_grad_(False)
