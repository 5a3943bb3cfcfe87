"""Log-probabilities that a model gives to completions: the yardstick of preference losses."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tqdm import tqdm

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel

# Padded tokens of one forward pass: enough to fill two cores, little beside a model of any size.
BATCH_TOKENS = 4096

Sequence = tuple[list[int], list[int]]


def logps(
    model: "PreTrainedModel",
    sequences: list[Sequence],
    *,
    autocast: bool = False,
    batch_tokens: int = BATCH_TOKENS,
) -> list[float]:
    """Summed log-probability in nats of each sequence's completion ids, given its prompt ids.

    Sequences of like length share a batch, padded on the left, so that the completions end in one
    column and no more than their part goes through the LM head. `autocast` computes in bfloat16."""
    import torch

    order = sorted(range(len(sequences)), key=lambda index: _length(sequences[index]))
    found = [0.0] * len(sequences)
    training = model.training
    model.eval()
    with (
        torch.no_grad(),
        torch.autocast(model.device.type, torch.bfloat16, enabled=autocast),
        tqdm(total=len(order), unit="seq", desc="reference") as bar,
    ):
        for batch in batches(order, lambda index: _length(sequences[index]), batch_tokens):
            values = _batch_logps(model, [sequences[index] for index in batch])
            for index, value in zip(batch, values.tolist(), strict=True):
                found[index] = value
            bar.update(len(batch))
    model.train(training)
    return found


def batches(order: list[int], length: Callable[[int], int], batch_tokens: int) -> list[list[int]]:
    """Cut `order` (ascending lengths) into batches of at most `batch_tokens` once padded."""
    made: list[list[int]] = []
    for index in order:
        if made and (len(made[-1]) + 1) * length(index) <= batch_tokens:
            made[-1].append(index)
        else:
            made.append([index])
    return made


def _length(sequence: Sequence) -> int:
    prompt, completion = sequence
    return len(prompt) + len(completion)


def _batch_logps(model: "PreTrainedModel", sequences: list[Sequence]) -> "Tensor":
    """Summed log-probabilities (rows,) in float32."""
    import torch

    # One column more than the longest row: without any padding transformers makes no explicit mask,
    # and only with one do the layers that share keys skip the prompt.
    width = max(map(_length, sequences)) + 1
    longest = max(len(completion) for _, completion in sequences)
    ids = torch.zeros(len(sequences), width, dtype=torch.long)
    mask, target = torch.zeros_like(ids), torch.zeros_like(ids)
    for row, (prompt, completion) in enumerate(sequences):
        start = width - len(prompt) - len(completion)
        ids[row, start:] = torch.tensor(prompt + completion)
        mask[row, start:] = 1
        target[row, width - len(completion) :] = 1
    ids, mask, target = (tensor.to(model.device) for tensor in (ids, mask, target))
    logits = model(
        input_ids=ids,
        attention_mask=mask,
        position_ids=(mask.cumsum(1) - 1).clamp(min=0),
        logits_to_keep=longest + 1,
        use_cache=False,
    ).logits[:, :-1]
    scored = logits.float().log_softmax(-1).gather(2, ids[:, -longest:, None]).squeeze(2)
    return (scored * target[:, -longest:]).sum(1)
