"""Weights of a Hugging Face folder, read tensor by tensor with NumPy alone (no torch to start)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from canvas import io

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
TEXT_PREFIXES = ("model.language_model.", "language_model.model.", "language_model.", "model.")
OTHER_TOWERS = ("vision_tower", "audio_tower", "embed_vision", "embed_audio", "multi_modal")


@dataclass(frozen=True)
class Tensor:
    """One stored tensor: where its bytes lie; `dtype` is the safetensors name."""

    path: Path
    dtype: str
    shape: tuple[int, ...]
    offset: int

    def rows(self, start: int = 0, stop: int | None = None) -> np.ndarray:
        """Rows `start:stop` of the first axis as float32 (float16 stays float16)."""
        raw = np.memmap(self.path, DTYPES[self.dtype], "r", self.offset, self.shape)
        part = raw[start:stop] if self.shape else raw
        if self.dtype == "BF16":
            return (part.astype(np.uint32) << 16).view(np.float32)
        return np.asarray(part) if self.dtype == "F16" else part.astype(np.float32)


def tensors(folder: Path) -> dict[str, Tensor]:
    """Every tensor of the folder's safetensors files under its stored name, in file order.

    Raises BadInput where there is none, or where a tensor is of a type other than DTYPES.
    """
    files = sorted(folder.glob("model*.safetensors")) or sorted(folder.glob("adapter*.safetensors"))
    if not files:
        raise io.BadInput(folder, "no safetensors file", remedy="train the model first")
    found = {}
    for path in files:
        for name, entry, start in _header(path):
            if entry["dtype"] not in DTYPES:
                raise io.BadInput(path, f"unknown type {entry['dtype']}", field=name)
            found[name] = Tensor(
                path, entry["dtype"], tuple(entry["shape"]), start + entry["data_offsets"][0]
            )
    return found


def text_tower(folder: Path) -> dict[str, Tensor]:
    """The text model's tensors as `model.…` and `lm_head.weight`; other towers are left out."""
    found = {}
    for name, tensor in tensors(folder).items():
        if not any(tower in name for tower in OTHER_TOWERS):
            found[text_name(name)] = tensor
    return found


def text_name(name: str) -> str:
    """A stored name without the wrappers of a multimodal checkpoint: `model.layers.0.…`."""
    for prefix in TEXT_PREFIXES:
        if name.startswith(prefix):
            return "model." + name.removeprefix(prefix)
    return name


def _header(path: Path) -> Iterator[tuple[str, dict, int]]:
    """Name, entry and start of the data section (bytes) for each tensor of one safetensors file."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
    header.pop("__metadata__", None)
    for name, entry in header.items():
        yield name, entry, 8 + size
