"""Scores on the held-out splits: what a GGUF file finds likely, not what it says.

Rows are rendered as in training: the whole conversation, or the prompt as the user's turn.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

import numpy as np

from canvas import io, seeds, template
from canvas.likelihood import Reader, spread
from canvas.llama import Model

ANSWERS = ("chosen", "rejected")
PAIRS = 4

Marked = tuple[list[int], np.ndarray]
"""A conversation's token ids, and which of them (bool) a model would have to write."""


def evaluate(path: Path, splits: Path, limit: int) -> dict[str, float | None]:
    """Three scores of the file on some rows of each test split in the folder `splits`.

    `limit` is the number of trajectories, of calls (half of each label), and PAIRS times that of
    preference pairs, which are short. Rows are taken by lowest hash.

    - `trajectory_loss`: mean negative log-likelihood in nats of the tokens that assistants write.
    - `preference_accuracy`: share of pairs where the chosen answer is likelier than the rejected
      one, as sums over tokens, the likelihood that the preference losses work on (Rafailov et al.
      2023, equation 7, without the reference model).
    - `kto_accuracy`: share of (desirable, undesirable) pairs of calls of the same tool where the
      desirable one has the higher mean log-likelihood a token, ties counting half: the area under
      the ROC curve within a tool. The calls of a pair stand in different conversations.

    A score with nothing to count is None.
    """
    model = Model(path)
    trajectories = _take(io.read_rows(splits / "trajectory_test.jsonl"), limit)
    pairs = _take(io.read_rows(splits / "preference_test.jsonl"), PAIRS * limit)
    calls = io.read_rows(splits / "kto_test.jsonl")
    calls = [
        row
        for label in (True, False)
        for row in _take((row for row in calls if row["label"] is label), limit // 2)
    ]
    groups = {
        "trajectory": [[_mark(model, row["messages"], row["tools"])] for row in trajectories],
        "preference": [[_answer(model, row, kind) for kind in ANSWERS] for row in pairs],
        "kto": [[_call(model, row)] for row in calls],
    }
    logps = _read(model, groups)
    return {
        "trajectory_loss": _loss([tokens for (tokens,) in logps["trajectory"]]),
        "preference_accuracy": _share(a.sum() > b.sum() for a, b in logps["preference"]),
        "kto_accuracy": _within_tools(calls, [tokens.mean() for (tokens,) in logps["kto"]]),
    }


def _take(rows: Iterable[dict], limit: int) -> list[dict]:
    return sorted(rows, key=lambda row: seeds.stable_hash("heldout", io.dumps(row)))[:limit]


def _answer(model: Model, row: dict, kind: str) -> Marked:
    exchange = [
        {"role": "user", "content": row["prompt"]},
        {"role": "assistant", "content": row[kind]},
    ]
    return _mark(model, exchange, None, last=True)


def _call(model: Model, row: dict) -> Marked:
    return _mark(model, row["prompt"] + row["completion"], row["tools"], last=True)


def _mark(
    model: Model, messages: Sequence[dict], tools: Sequence[dict] | None, *, last: bool = False
) -> Marked:
    """The rendered conversation with the assistant's tokens marked, or those of its last turn.

    Raises ValueError where a token lies on both sides of a turn's border.
    """
    text, spans = template.assistant_spans(messages, tools)
    tokens = model.tokenize(text)
    ends = np.cumsum([len(model.piece(token)) for token in tokens])
    marked = np.zeros(len(tokens), bool)
    for span in spans[-1:] if last else spans:
        start, end = (len(text[:border].encode("utf-8")) for border in span)
        first, after = np.searchsorted(ends, (start, end), side="right")
        if {start, end} - {0, *ends}:
            raise ValueError(f"a token crosses the border of a turn in {text[slice(*span)]!r}")
        marked[first:after] = True
    return tokens, marked


def _read(model: Model, groups: dict[str, list[list[Marked]]]) -> dict[str, list[list[np.ndarray]]]:
    """Log-likelihoods of the marked tokens; groups run together, so that they share a prompt."""
    lengths = [len(tokens) for rows in groups.values() for group in rows for tokens, _ in group]
    readers = [Reader(model, max(lengths, default=1)) for _ in range(os.cpu_count() or 1)]
    return {name: spread(rows, readers, _read_group) for name, rows in groups.items()}


def _read_group(reader: Reader, group: list[Marked]) -> list[np.ndarray]:
    return [reader.token_logps(tokens, marked) for tokens, marked in group]


def _loss(logps: list[np.ndarray]) -> float | None:
    return -float(np.concatenate(logps).mean()) if logps else None


def _share(outcomes: Iterable[bool | float]) -> float | None:
    counted = [float(outcome) for outcome in outcomes]
    return sum(counted) / len(counted) if counted else None


def _within_tools(rows: list[dict], scores: list[float]) -> float | None:
    """Share of pairs of one tool that are in the right order, the desirable call on top."""
    tools: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for row, score in zip(rows, scores, strict=True):
        tools[row["tool"]][row["label"]].append(score)
    pairs = (pair for bad, good in tools.values() for pair in product(good, bad))
    return _share((good > bad) + 0.5 * (good == bad) for good, bad in pairs)
