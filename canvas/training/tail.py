"""Computing no more than the tail of a batch that carries loss: exact, and often half the work.

Gemma 4's last layers share the keys and values of earlier ones, so a position whose output nobody
reads need not pass through them, nor through the LM head. transformers 5.23 skips such positions
for an integer `logits_to_keep` if the mask is explicit (5.17 spares the LM head alone); TRL's
trainers never ask for it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel

ROLLED = ("input_ids", "attention_mask", "completion_mask", "labels")


def padded_left(collate: Callable[[list[dict]], dict[str, Any]]) -> Callable:
    """A collator whose batches are padded on the left, so that answers end in one column."""

    def collate_left(examples: list[dict]) -> dict[str, Any]:
        batch = collate(examples)
        for prefix in ("", "KL_"):
            if prefix + "attention_mask" in batch:
                index = _rolled(batch[prefix + "attention_mask"])
                for name in ROLLED:
                    if prefix + name in batch:
                        batch[prefix + name] = batch[prefix + name].gather(1, index)
        return batch

    return collate_left


def project_tail(model: "PreTrainedModel") -> None:
    """Let the forward that TRL patched with `add_fused_lm_head` compute only what its labels need.

    Outputs keep shapes and values: TRL's per-token fields are zero where there is no label."""
    import torch.nn.functional as F

    fused = model.forward

    def forward(*args, labels=None, fused_lm_head=False, **inputs):
        if not fused_lm_head or labels is None or not (labels != -100).any():
            return fused(*args, labels=labels, fused_lm_head=fused_lm_head, **inputs)
        width = labels.shape[1]
        first = max(1, int((labels != -100).any(0).nonzero()[0]))
        keep = width - first + 1
        ids, mask = _with_padding(inputs.pop("input_ids"), inputs.pop("attention_mask"))
        inputs["position_ids"] = (mask.cumsum(1) - 1).clamp(min=0)
        outputs = fused(
            input_ids=ids,
            attention_mask=mask,
            labels=labels[:, -keep:],
            fused_lm_head=True,
            logits_to_keep=keep,
            **inputs,
        )
        for name, value in outputs.items():
            if getattr(value, "ndim", 0) == 2:
                outputs[name] = F.pad(value, (width - 1 - value.shape[1], 0))
        return outputs

    model.forward = forward
    model.base_model.register_forward_hook(_keep_tail, with_kwargs=True)


def _keep_tail(_module, _args, inputs: dict, outputs: Any) -> Any:
    """Cut the hidden states to `logits_to_keep` where the backbone has not done so itself."""
    keep = inputs.get("logits_to_keep", 0)
    if keep and outputs.last_hidden_state.shape[1] > keep:
        outputs.last_hidden_state = outputs.last_hidden_state[:, -keep:]
    return outputs


def _with_padding(ids: "Tensor", mask: "Tensor") -> tuple["Tensor", "Tensor"]:
    """With a column of padding in front if there is none: without, transformers makes no mask."""
    import torch.nn.functional as F

    if mask.all():
        return F.pad(ids, (1, 0)), F.pad(mask, (1, 0))
    return ids, mask


def _rolled(mask: "Tensor") -> "Tensor":
    """Column indices (rows, width) that bring the padding of each row from its end to its start."""
    import torch

    width = mask.shape[1]
    return (torch.arange(width) + mask.sum(1, keepdim=True)) % width
