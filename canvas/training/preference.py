"""The DPO family: one trainer, the loss is a key; start and reference are one checkpoint."""

from pathlib import Path
from typing import TYPE_CHECKING

from canvas.training import tokens
from canvas.training.given import Parts, ReferenceGiven
from canvas.training.recipe import PreferenceRecipe

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

TRL = "trl.trainer.dpo_trainer"

Example = dict[str, list[int] | float]

REFERENCE = ("ref_chosen_logps", "ref_rejected_logps")


def examples(
    rows: tokens.Numbered, tokenizer: "PreTrainedTokenizerBase", source: Path | str
) -> list[Example]:
    """Token ids of pairs beside the log-probabilities that stage reference gave their answers."""
    tokens.require(rows, REFERENCE, source, "take the rows of stage reference")
    encoded = tokens.pairs(rows, tokenizer, source)
    return [
        {**ids, **{name: row[name] for name in REFERENCE}}
        for ids, (_, row) in zip(encoded, rows, strict=True)
    ]


def length(example: Example) -> int:
    """Tokens of the longer of the pair's two sequences."""
    return len(example["prompt_ids"]) + max(
        len(example["chosen_ids"]), len(example["rejected_ids"])
    )


def complete(
    examples: list[Example], model: "PreTrainedModel", at_once: int, autocast: bool
) -> list[Example]:
    """Examples need nothing of the model here: stage reference has seen them."""
    return examples


def parts(recipe: PreferenceRecipe, arguments: dict, pad: int) -> Parts:
    """TRL's DPOTrainer without a reference model: the rows carry what it would compute."""
    from trl.trainer import dpo_trainer
    from trl.trainer.dpo_config import DPOConfig

    class PreferenceTrainer(ReferenceGiven, dpo_trainer.DPOTrainer):
        pass

    losses = recipe.loss_type if isinstance(recipe.loss_type, list) else [recipe.loss_type]
    settings = DPOConfig(
        **arguments,
        loss_type=losses,
        loss_weights=recipe.loss_weights,
        beta=recipe.beta,
        precompute_ref_log_probs=True,
    )
    return PreferenceTrainer, settings, dpo_trainer.DataCollatorForPreference(pad_token_id=pad)
