"""LoRA adapters as PEFT saves them, merged into the weights they were trained on."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from canvas import io
from canvas.gguf.weights import Tensor, tensors, text_name

UNSUPPORTED = (
    "use_dora",
    "alpha_pattern",
    "fan_in_fan_out",
    "modules_to_save",
    "layer_replication",
)


@dataclass(frozen=True)
class Merged:
    """A matrix W with a low-rank update: W + scale * up @ down (Hu et al. 2021, section 4.1)."""

    base: Tensor
    down: Tensor
    up: Tensor
    scale: float

    @property
    def shape(self) -> tuple[int, ...]:
        return self.base.shape

    def rows(self, start: int = 0, stop: int | None = None) -> np.ndarray:
        """Rows `start:stop` as float32; the sum is made in float32 whatever W is stored in."""
        update = np.float32(self.scale) * (self.up.rows(start, stop) @ self.down.rows())
        return self.base.rows(start, stop).astype(np.float32) + update


def is_adapter(folder: Path) -> bool:
    """Whether the folder holds a PEFT adapter rather than a full checkpoint."""
    return (folder / "adapter_config.json").is_file()


def merge(base: dict[str, Tensor], folder: Path) -> dict[str, Tensor | Merged]:
    """The base model's tensors with the adapter in `folder` merged in.

    Raises BadInput on any kind of adapter but plain or rank-stabilised LoRA on linear layers, and
    where the adapter holds a weight that the base has not.
    """
    config = io.read_json(folder / "adapter_config.json")
    for key in UNSUPPORTED:
        if config.get(key):
            raise io.BadInput(
                folder / "adapter_config.json",
                "cannot be merged",
                field=key,
                remedy="train without it",
            )
    rank = config["r"] ** 0.5 if config.get("use_rslora") else config["r"]
    halves = {_target(folder, name): {} for name in tensors(folder)}
    for name, tensor in tensors(folder).items():
        halves[_target(folder, name)]["down" if ".lora_A." in name else "up"] = tensor
    merged: dict[str, Tensor | Merged] = dict(base)
    for target, pair in halves.items():
        if target not in base or len(pair) != 2:
            raise io.BadInput(folder, "no such weight in the base, or half a pair", field=target)
        merged[target] = Merged(base[target], **pair, scale=config["lora_alpha"] / rank)
    return merged


def _target(folder: Path, name: str) -> str:
    """Name of the weight that one stored half of an adapter belongs to."""
    for marker in (".lora_A.weight", ".lora_B.weight"):
        if name.endswith(marker):
            return text_name(name.removeprefix("base_model.model.").replace(marker, ".weight"))
    raise io.BadInput(folder, "not a LoRA matrix of a linear layer", field=name)
