"""KTO (arXiv:2402.01306): rows that are desirable or not, one completion each."""

from pathlib import Path
from typing import TYPE_CHECKING

from canvas import reference
from canvas.training import tokens
from canvas.training.given import Parts, ReferenceGiven
from canvas.training.recipe import KtoRecipe

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

TRL = "trl.trainer.kto_trainer"

Example = dict[str, list[int] | float | bool]


def examples(
    rows: tokens.Numbered, tokenizer: "PreTrainedTokenizerBase", source: Path | str
) -> list[Example]:
    """`prompt_ids`, `completion_ids`, `label` of rows: `prompt`, `completion`, `label`, `tools`."""
    tokens.require(rows, ("prompt", "completion", "label", "tools"), source, "rerun stage split")
    conversations = ((line, row["prompt"] + row["completion"], row["tools"]) for line, row in rows)
    found = []
    encoded = tokens.encode(conversations, tokenizer, source)
    for (_, row), item in zip(rows, encoded, strict=True):
        prompt, completion = item.last_turn()
        found.append({"prompt_ids": prompt, "completion_ids": completion, "label": row["label"]})
    return found


def length(example: Example) -> int:
    """Tokens of one row."""
    return len(example["prompt_ids"]) + len(example["completion_ids"])


def complete(
    examples: list[Example], model: "PreTrainedModel", at_once: int, autocast: bool
) -> list[Example]:
    """Examples, in the order of training, scored by the reference: the model as it starts.

    The KL term pairs each prompt with the completion before its own among the `at_once` rows of a
    micro batch, the first with the last (section 4.1 of the paper)."""
    mismatched = []
    for start in range(0, len(examples), at_once):
        batch = [example["completion_ids"] for example in examples[start : start + at_once]]
        mismatched += batch[-1:] + batch[:-1]
    sequences = [(example["prompt_ids"], example["completion_ids"]) for example in examples]
    crossed = [
        (example["prompt_ids"], other) for example, other in zip(examples, mismatched, strict=True)
    ]
    logps = reference.logps(model, sequences + crossed, autocast=autocast)
    return [
        {**example, "KL_completion_ids": other, "ref_logps": own, "ref_KL_logps": kl}
        for example, other, own, kl in zip(
            examples, mismatched, logps[: len(examples)], logps[len(examples) :], strict=True
        )
    ]


def parts(recipe: KtoRecipe, arguments: dict, pad: int) -> Parts:
    """TRL's KTOTrainer without a second model: the start model has been asked before."""
    from trl.trainer import kto_trainer
    from trl.trainer.kto_config import KTOConfig

    class UnpairedTrainer(ReferenceGiven, kto_trainer.KTOTrainer):
        pass

    settings = KTOConfig(
        **arguments,
        loss_type=recipe.loss_type,
        beta=recipe.beta,
        desirable_weight=recipe.desirable_weight,
        undesirable_weight=recipe.undesirable_weight,
        precompute_ref_log_probs=True,
    )
    return (
        UnpairedTrainer,
        settings,
        kto_trainer.DataCollatorForUnpairedPreference(pad_token_id=pad),
    )
