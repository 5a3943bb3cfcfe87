"""Rows to token ids, once for every trainer and the reference pass, so that their tokens agree.

A row is rendered as plain Python values: nothing merges the arguments of different rows, so no key
that a call does not have can turn up in it as null.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from canvas.io import BadInput
from canvas.template import assistant_spans

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

# The template writes `<bos>` itself.
NO_SPECIALS = {"add_special_tokens": False}

# Rows with their line numbers, for errors that say where.
Numbered = list[tuple[int, dict]]


@dataclass(frozen=True)
class Encoded:
    """Token ids of one conversation and the half-open token ranges that the assistant wrote."""

    ids: list[int]
    spans: list[tuple[int, int]]

    def labels(self) -> list[int]:
        """The ids where the assistant wrote them, -100 elsewhere; same length as the ids."""
        labels = [-100] * len(self.ids)
        for start, end in self.spans:
            labels[start:end] = self.ids[start:end]
        return labels

    def last_turn(self) -> tuple[list[int], list[int]]:
        """(ids before the last assistant turn, ids of that turn with its stop token)."""
        start, end = self.spans[-1]
        return self.ids[:start], self.ids[start:end]


def encode(
    conversations: Iterable[tuple[int, list[dict], list[dict] | None]],
    tokenizer: "PreTrainedTokenizerBase",
    source: Path | str,
) -> list[Encoded]:
    """Tokens of each (line, messages, tools), cut behind the assistant's last turn.

    Raises BadInput with the line where there is no assistant turn, or where a token crosses the
    border of one: the model would then train on a context it never sees when it writes."""
    lines, texts, turns = [], [], []
    for line, messages, tools in conversations:
        text, spans = assistant_spans(messages, tools)
        if not spans:
            raise BadInput(source, "no assistant turn", line=line, field="messages")
        lines.append(line)
        texts.append(text)
        turns.append(spans)
    encoded = []
    encodings = tokenizer.backend_tokenizer.encode_batch(texts, **NO_SPECIALS)
    for line, spans, encoding in zip(lines, turns, encodings, strict=True):
        ranges = _token_spans(encoding.offsets, spans)
        if ranges is None:
            raise BadInput(source, "a token crosses the border of a turn", line=line)
        encoded.append(Encoded(encoding.ids[: ranges[-1][1]], ranges))
    return encoded


def _token_spans(
    offsets: list[tuple[int, int]], spans: list[tuple[int, int]]
) -> list[tuple[int, int]] | None:
    """Character ranges as token ranges; None where a token lies on both sides of a border."""
    starts = [start for start, _ in offsets]
    ranges = []
    for span in spans:
        first, last = (bisect_left(starts, border) for border in span)
        for border, token in zip(span, (first, last), strict=True):
            if token and offsets[token - 1][1] > border:
                return None
        ranges.append((first, last))
    return ranges


def require(rows: Numbered, keys: Iterable[str], source: Path | str, remedy: str) -> None:
    """Raise BadInput at the first row that lacks one of `keys`."""
    for line, row in rows:
        for key in keys:
            if key not in row:
                raise BadInput(source, "missing field", line=line, field=key, remedy=remedy)


def pairs(
    rows: Numbered, tokenizer: "PreTrainedTokenizerBase", source: Path | str
) -> list[dict[str, list[int]]]:
    """`prompt_ids`, `chosen_ids`, `rejected_ids` of preference rows.

    The prompt is the user's turn with the generation prompt, an answer ends with its stop token."""
    require(rows, ("prompt", "chosen", "rejected"), source, "rerun stage split")
    chosen, rejected = (
        encode(
            ((line, _exchange(row["prompt"], row[kind]), None) for line, row in rows),
            tokenizer,
            source,
        )
        for kind in ("chosen", "rejected")
    )
    found = []
    for (line, _), better, worse in zip(rows, chosen, rejected, strict=True):
        (prompt, chosen_ids), (other, rejected_ids) = better.last_turn(), worse.last_turn()
        if prompt != other:
            raise BadInput(source, "the prompt's tokens depend on the answer", line=line)
        found.append({"prompt_ids": prompt, "chosen_ids": chosen_ids, "rejected_ids": rejected_ids})
    return found


def _exchange(prompt: str, answer: str) -> list[dict]:
    return [{"role": "user", "content": prompt}, {"role": "assistant", "content": answer}]
