"""Teach the nano base from random weights: next-token prediction over whole conversations.

Muon for the hidden matrices (Jordan et al. 2024, "Muon: An optimizer for hidden layers") and AdamW
for embeddings and norms; a constant learning rate with a linear decay at the end; batches of rows
of about equal length, measured in tokens.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from canvas import template

if TYPE_CHECKING:
    import torch
    from transformers import Gemma4ForCausalLM, PreTrainedTokenizerFast


@dataclass(frozen=True)
class Encoded:
    """Token ids of one conversation and, per token, whether the assistant wrote it."""

    ids: list[int]
    spoken: list[bool]


def encode(rows: Sequence[dict], tokenizer: "PreTrainedTokenizerFast", limit: int) -> list[Encoded]:
    """Render and tokenise rows with messages and tools; rows over `limit` tokens are left out."""
    rendered = [template.assistant_spans(row["messages"], row["tools"]) for row in rows]
    texts = [text for text, _ in rendered]
    batch = tokenizer(texts, add_special_tokens=False, return_offsets_mapping=True)
    found = []
    for (_, spans), ids, offsets in zip(
        rendered, batch.input_ids, batch.offset_mapping, strict=True
    ):
        if len(ids) <= limit:
            found.append(Encoded(ids, _inside(offsets, spans)))
    return found


def _inside(offsets: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]]) -> list[bool]:
    spoken, spans = [], list(spans)
    for start, _ in offsets:
        while spans and start >= spans[0][1]:
            spans.pop(0)
        spoken.append(bool(spans) and start >= spans[0][0])
    return spoken


def batches(rows: Sequence[Encoded], tokens: int, seed: int) -> Iterator[list[Encoded]]:
    """Endless batches of about `tokens` tokens, of rows of like length; a new order each epoch."""
    rng = random.Random(seed)
    while True:
        order = sorted(rows, key=lambda row: (len(row.ids) // 16, rng.random()))
        groups: list[list[Encoded]] = [[]]
        for row in order:
            if groups[-1] and len(row.ids) * (len(groups[-1]) + 1) > tokens:
                groups.append([])
            groups[-1].append(row)
        rng.shuffle(groups)
        yield from groups


def fit(
    model: "Gemma4ForCausalLM",
    rows: Sequence[Encoded],
    *,
    tokens: int,
    batch_tokens: int,
    learning_rate: float,
    matrix_learning_rate: float,
    decay: float,
    context_weight: float,
    seed: int,
) -> list[dict]:
    """Train in place until `tokens` tokens were read; returns [{"step", "tokens", "loss"}].

    `loss` is the mean over assistant tokens; `context_weight` weighs the other tokens in training
    (1 counts them fully, 0 not at all). `decay` is the last share of tokens, over which both
    learning rates fall linearly to zero. Raises ValueError without rows, on a decay outside (0, 1],
    and on a row of which the assistant wrote nothing.
    """
    import torch
    from tqdm import tqdm

    if not all(any(row.spoken[1:]) for row in rows):
        raise ValueError("a row holds no token of the assistant")
    if not rows:
        raise ValueError("no rows to learn from")
    if not 0 < decay <= 1:
        raise ValueError(f"decay must be over 0 and at most 1, not {decay}")
    device = next(model.parameters()).device
    optimizers = _optimizers(model, learning_rate, matrix_learning_rate)
    peaks = [group["lr"] for optimizer in optimizers for group in optimizer.param_groups]
    history, seen, recent = [], 0, []
    model.train()
    stream = batches(rows, batch_tokens, seed)
    with tqdm(total=tokens, unit="tok", mininterval=5, desc="base") as bar:
        while seen < tokens:
            batch = next(stream)
            scale = min(1.0, (tokens - seen) / (decay * tokens))
            groups = [group for optimizer in optimizers for group in optimizer.param_groups]
            for group, peak in zip(groups, peaks, strict=True):
                group["lr"] = peak * scale
            loss, spoken_loss = _losses(model, batch, context_weight, device)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for optimizer in optimizers:
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
            read = sum(len(row.ids) for row in batch)
            seen += read
            bar.update(read)
            recent.append(spoken_loss.detach())
            if len(recent) == 25 or seen >= tokens:
                mean = torch.stack(recent).mean().item()
                step = (history[-1]["step"] if history else 0) + len(recent)
                history.append({"step": step, "tokens": seen, "loss": round(mean, 4)})
                recent = []
    return history


def _optimizers(
    model: "Gemma4ForCausalLM", learning_rate: float, matrix_learning_rate: float
) -> "list[torch.optim.Optimizer]":
    import torch

    from canvas.nano.muon import Muon

    named = list(model.named_parameters())
    matrices = [p for name, p in named if p.ndim == 2 and "embed" not in name]
    chosen = {id(p) for p in matrices}
    others = [p for _, p in named if id(p) not in chosen]
    return [
        Muon(matrices, lr=matrix_learning_rate),
        torch.optim.AdamW(others, lr=learning_rate, betas=(0.9, 0.95), weight_decay=0.0),
    ]


def _losses(
    model: "Gemma4ForCausalLM",
    batch: Sequence[Encoded],
    context_weight: float,
    device: "torch.device",
) -> "tuple[torch.Tensor, torch.Tensor]":
    """Weighted training loss and plain loss over assistant tokens. Rows are padded on the right,
    which causal attention never sees, so no mask is needed."""
    import torch

    width = max(len(row.ids) for row in batch)
    ids = torch.zeros(len(batch), width, dtype=torch.long)
    weights = torch.zeros(len(batch), width)
    spoken = torch.zeros(len(batch), width, dtype=torch.bool)
    for index, row in enumerate(batch):
        ids[index, : len(row.ids)] = torch.tensor(row.ids)
        spoken[index, : len(row.ids)] = torch.tensor(row.spoken)
        weights[index, : len(row.ids)] = torch.where(torch.tensor(row.spoken), 1.0, context_weight)
    ids, weights, spoken = ids.to(device), weights.to(device)[:, 1:], spoken.to(device)[:, 1:]
    hidden = model.model(input_ids=ids[:, :-1], use_cache=False).last_hidden_state
    counted = weights > 0
    logits = model.lm_head(hidden[counted])
    cap = model.config.final_logit_softcapping
    logits = cap * torch.tanh(logits / cap)
    losses = torch.nn.functional.cross_entropy(
        logits.float(), ids[:, 1:][counted], reduction="none"
    )
    picked = weights[counted]
    return (losses * picked).sum() / picked.sum(), losses[spoken[counted]].mean()
