"""Supervised fine-tuning: the assistant's tokens alone carry loss."""

from pathlib import Path
from typing import TYPE_CHECKING

from canvas.training import tokens
from canvas.training.given import Parts
from canvas.training.recipe import SftRecipe

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

TRL = "trl.trainer.sft_trainer"

Example = dict[str, list[int]]


def examples(
    rows: tokens.Numbered, tokenizer: "PreTrainedTokenizerBase", source: Path | str
) -> list[Example]:
    """`input_ids` and `labels` of rows; labels are -100 off the assistant's tokens."""
    tokens.require(rows, ("messages", "tools"), source, "rerun stage split")
    conversations = ((line, row["messages"], row["tools"]) for line, row in rows)
    encoded = tokens.encode(conversations, tokenizer, source)
    return [{"input_ids": item.ids, "labels": item.labels()} for item in encoded]


def length(example: Example) -> int:
    """Tokens of one row."""
    return len(example["input_ids"])


def complete(
    examples: list[Example], model: "PreTrainedModel", at_once: int, autocast: bool
) -> list[Example]:
    """Examples need nothing of the model here."""
    return examples


def parts(recipe: SftRecipe, arguments: dict, pad: int) -> Parts:
    """TRL's SFTTrainer over examples that are ready as they are."""
    from trl.trainer.sft_config import SFTConfig
    from trl.trainer.sft_trainer import DataCollatorForLanguageModeling, SFTTrainer

    settings = SFTConfig(**arguments, dataset_kwargs={"skip_prepare_dataset": True})
    return SFTTrainer, settings, DataCollatorForLanguageModeling(pad_token_id=pad)
