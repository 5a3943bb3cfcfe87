"""Grow the nano base from nothing, pack it small enough to commit, unpack it."""

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path

from canvas import io, template

TOKENIZER_ROWS = 4000
SETTINGS = ("seed", "vocab_size", "shape", "recipe")
SMALL_FILES = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "chat_template.jinja",
    "history.json",
)


def grow_base(text: Sequence[dict], sessions: Sequence[dict], base: dict, out: Path) -> None:
    """Train tokenizer and weights and write a checkpoint folder with its history.json.

    `text` are the rows that the model reads; `sessions` are seen by the tokenizer only, so that the
    planner's tools and words become few tokens. `base` holds seed, vocab_size, shape and recipe.
    """
    import torch

    from canvas import seeds
    from canvas.nano import model, pretrain, tokenizer

    seeds.fix(base["seed"])
    seen = [*text[:TOKENIZER_ROWS], *sessions[:TOKENIZER_ROWS]]
    tok = tokenizer.train(
        (template.render(row["messages"], row["tools"]) for row in seen), base["vocab_size"]
    )
    rows = pretrain.encode(text, tok, base["recipe"]["max_length"])
    torch.manual_seed(base["seed"])
    student = model.build(tok, base["shape"])
    recipe = {key: value for key, value in base["recipe"].items() if key != "max_length"}
    history = pretrain.fit(student, rows, seed=base["seed"], **recipe)
    student.save_pretrained(out)
    tok.save_pretrained(out)
    io.write_json(out / "history.json", history)


def source_of(text: Path, base: dict) -> dict:
    """What a base is grown from: the SHA-256 of the text that it reads, and its settings."""
    digest = hashlib.sha256(Path(text).read_bytes()).hexdigest()
    return {"text": digest, **{key: base[key] for key in SETTINGS}}


def pack(checkpoint: Path, out: Path, source: dict) -> None:
    """Copy a checkpoint folder with its weights in bfloat16: half the size, for the repository.

    `source` is written beside them, so that `unpack` can tell a stale base.
    """
    import torch

    with io.atomic_dir(out) as scratch:
        _convert(checkpoint, scratch, torch.bfloat16)
        io.write_json(scratch / "source.json", source)


def unpack(packed: Path, out: Path, source: dict) -> None:
    """Copy a packed folder with its weights in float32, which CPUs train in.

    Raises BadInput where there is none, or where it was grown from another source.
    """
    import torch

    if not (packed / "model.safetensors").exists():
        raise io.BadInput(
            packed,
            "no packed base here",
            remedy="restore it from git, or grow one with `make base`",
        )
    grown_from = io.read_json(packed / "source.json")
    for key, value in source.items():
        if grown_from.get(key) != value:
            raise io.BadInput(
                packed / "source.json",
                "the packed base was grown from something else",
                field=key,
                remedy="run `make base`, or set base.source to grown, or take the change back",
            )
    _convert(packed, out, torch.float32)


def _convert(source: Path, out: Path, dtype) -> None:
    from safetensors.torch import load_file, save_file

    out.mkdir(parents=True, exist_ok=True)
    for name in SMALL_FILES:
        shutil.copyfile(source / name, out / name)
    weights = {
        key: value.to(dtype) for key, value in load_file(source / "model.safetensors").items()
    }
    save_file(weights, out / "model.safetensors", metadata={"format": "pt"})
