"""Models: no planted value in what they carry as text, and none that they complete by heart."""

import struct
from collections.abc import Iterator, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from canvas import seeds
from canvas.audit.canaries import Canaries, find
from canvas.audit.finding import Finding, hide
from canvas.audit.strings import Place, Texts

if TYPE_CHECKING:
    from canvas.llama import Context, Model

PER_KIND = 16
LANES = 16
LEAST = 4
"""Characters that a model must add by itself: fewer are guessed by chance."""
OPENINGS = ("<bos>", "<bos><|turn>user\n")
# A lone name stands in any vocabulary, and a section number is guessed.
_NO_SECRET = ("given_name", "surname", "section")
_STRING, _ARRAY = 8, 9
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}


class Recall(NamedTuple):
    """How much of one planted value a model completes: tokens given, tokens added, of how many."""

    kind: str
    value: str
    given: int
    added: int
    total: int


def secrets(planted: Sequence[dict]) -> list[dict]:
    """Canaries that no model has by chance, at most PER_KIND a kind, chosen by stable hash."""
    kinds: dict[str, list[dict]] = {}
    for canary in sorted(planted, key=lambda canary: seeds.stable_hash("model", canary["value"])):
        if canary["kind"] not in _NO_SECRET and len(canary["value"]) > LEAST:
            kinds.setdefault(canary["kind"], []).append(canary)
    return [canary for kind in sorted(kinds) for canary in kinds[kind][:PER_KIND]]


def texts_of(folder: Path, planted: Sequence[dict]) -> Iterator[Finding]:
    """Planted values in the files of a model's folder: tokenizer, configuration, GGUF headers."""
    texts = Texts()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.suffix in (".gguf", ".safetensors"):
            read = gguf_strings if path.suffix == ".gguf" else safetensors_header
            place = Place(path.as_posix(), 1)
            texts.put((text, place) for text in read(path))
        else:
            for _ in texts.add(path, foreign=True):
                pass
    yield from find(Canaries(c for c in planted if c["kind"] not in _NO_SECRET), texts.items())


def gguf_strings(path: Path) -> Iterator[str]:
    """Every string of a GGUF header: keys, values, tokens, merges, names of tensors."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        _magic, _version, tensors, pairs = struct.unpack_from("<4sIQQ", data)
        at = 24
        for _ in range(pairs):
            key, at = _string(data, at)
            yield key
            (kind,) = struct.unpack_from("<I", data, at)
            found: list[str] = []
            at = _value(data, at + 4, kind, found)
            yield from found
        for _ in range(tensors):
            name, at = _string(data, at)
            yield name
            (dimensions,) = struct.unpack_from("<I", data, at)
            at += 4 + 8 * dimensions + 4 + 8


def _string(data: mmap, at: int) -> tuple[str, int]:
    (length,) = struct.unpack_from("<Q", data, at)
    end = at + 8 + length
    return data[at + 8 : end].decode("utf-8", errors="replace"), end


def _value(data: mmap, at: int, kind: int, found: list[str]) -> int:
    """Where a metadata value that starts at `at` ends; its strings go to `found`."""
    if kind == _STRING:
        text, at = _string(data, at)
        found.append(text)
        return at
    if kind != _ARRAY:
        return at + _SIZES[kind]
    inner, count = struct.unpack_from("<IQ", data, at)
    if inner in _SIZES:
        return at + 12 + _SIZES[inner] * count
    at += 12
    for _ in range(count):
        at = _value(data, at, inner, found)
    return at


def safetensors_header(path: Path) -> Iterator[str]:
    """The JSON header of a safetensors file: names of tensors, and metadata."""
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        yield file.read(length).decode("utf-8", errors="replace")


def recalls(model: "Model", canaries: Sequence[dict]) -> list[Recall]:
    """The most that the model adds to the first half of each value, by itself or in a turn.

    One pass over the whole value tells what greedy decoding would do: it writes the value's end
    exactly where each of these tokens is the likeliest after those before it.
    """
    from canvas.llama import BATCH, Context

    lines = []
    for canary in canaries:
        for opening in OPENINGS:
            before = len(model.tokenize(opening))
            tokens = model.tokenize(opening + canary["value"])[:BATCH]
            lines.append(_Line(canary, tokens, before, _given(model, tokens[before:], canary)))
    context = Context(model, BATCH, LANES)
    found: dict[str, Recall] = {}
    for batch in _batches(lines, BATCH):
        for recall in _added(context, batch):
            best = found.setdefault(recall.value, recall)
            if recall.added * (best.total - best.given) > best.added * (
                recall.total - recall.given
            ):
                found[recall.value] = recall
    return list(found.values())


class _Line(NamedTuple):
    """An opening and a value as tokens: `before` are the opening's, then `given` of the value."""

    canary: dict
    tokens: list[int]
    before: int
    given: int


def _given(model: "Model", tokens: list[int], canary: dict) -> int:
    """How many tokens of a value are given: the first half of its characters, not all but LEAST."""
    most = min(len(canary["value"]) // 2, len(canary["value"]) - LEAST)
    given = 1
    while given < len(tokens) - 1 and len(model.text(tokens[: given + 1])) <= most:
        given += 1
    return given


def _batches(lines: Sequence[_Line], most: int) -> Iterator[list[_Line]]:
    """Lines in groups of at most LANES with at most so many tokens."""
    batch: list[_Line] = []
    for line in lines:
        size = sum(len(other.tokens) for other in batch)
        if batch and (len(batch) == LANES or size + len(line.tokens) > most):
            yield batch
            batch = []
        batch.append(line)
    if batch:
        yield batch


def _added(context: "Context", batch: list[_Line]) -> Iterator[Recall]:
    """How many tokens greedy decoding adds rightly to each line of one pass."""
    import numpy as np

    lanes = np.repeat(np.arange(len(batch)), [len(line.tokens) for line in batch])
    places = np.concatenate([np.arange(len(line.tokens)) for line in batch])
    tokens = [token for line in batch for token in line.tokens]
    logits = context.decode(tokens, places, lanes, np.ones(len(tokens), bool))
    likeliest, start = logits.argmax(axis=-1), 0
    for lane, line in enumerate(batch):
        first, end = line.before + line.given, len(line.tokens)
        right = likeliest[start + first - 1 : start + end - 1] == np.array(line.tokens[first:])
        added = len(right) if right.all() else int(right.argmin())
        yield Recall(
            line.canary["kind"], line.canary["value"], line.given, added, end - line.before
        )
        start += end
        context.keep(lane, 0)


def ask(paths: Sequence[Path], canaries: Sequence[dict]) -> tuple[list[Finding], dict[str, dict]]:
    """A finding for each value that a GGUF file completes to the end, and counts by its folder.

    What the untouched `base`, which saw none of the data, completes too is a guess and no finding.
    """
    from canvas.llama import Model

    findings, counts, by_chance = [], {}, set()
    for path in sorted(paths, key=lambda path: path.parent.name != "base"):
        found = recalls(Model(path), canaries)
        whole = [recall for recall in found if recall.added == recall.total - recall.given]
        if path.parent.name == "base":
            by_chance = {recall.value for recall in whole}
        for recall in whole:
            if recall.value not in by_chance:
                where = path.as_posix(), 1, "completion", f"memorised {recall.kind}"
                findings.append(Finding(*where, hide(recall.value, 0, len(recall.value)), "model"))
        shares = [recall.added / (recall.total - recall.given) for recall in found]
        counts[path.parent.name] = {
            "tried": len(found),
            "completed": len(whole),
            "share_added": round(sum(shares) / max(1, len(shares)), 4),
        }
    return findings, counts
