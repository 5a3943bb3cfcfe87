"""The keys of `methods.KEY.train` and `training` in params.yaml: a typo is an error."""

import types
import typing
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from canvas.io import BadInput

PARAMS = Path("params.yaml")

# The pairwise losses of TRL 1.16 that need no key beyond `beta`.
PairLoss = Literal[
    "sigmoid",
    "sigmoid_norm",
    "hinge",
    "ipo",
    "nca_pair",
    "bco_pair",
    "sppo_hard",
    "aot",
    "aot_unpaired",
    "apo_zero",
    "apo_down",
    "discopop",
    "sft",
]
UnpairedLoss = Literal["kto", "apo_zero_unpaired"]


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """LoRA (arXiv:2106.09685) of rank `r`, over a base held in nf4 (arXiv:2305.14314) where asked.

    `targets` are names of linear layers in the text decoder, such as `q_proj`."""

    r: int
    alpha: float
    targets: list[str]
    dropout: float = 0.0
    quantize_4bit: bool = False


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What every trainer reads.

    One optimizer step sees `effective_batch` rows whatever the number of devices; a device holds at
    most `micro_batch` rows at a time. Exactly one of `steps` and `epochs` is set. Rows longer than
    `max_length` tokens are left out and counted. `optim` and `schedule` are transformers' names;
    `warmup` is a fraction of the steps."""

    trainer: str
    learning_rate: float
    effective_batch: int
    micro_batch: int
    max_length: int
    optim: str
    steps: int | None = None
    epochs: float | None = None
    schedule: str = "linear"
    warmup: float = 0.0
    weight_decay: float = 0.0
    max_grad_norm: float = 1.0
    adapter: Adapter | None = None


@dataclass(frozen=True, kw_only=True)
class SftRecipe(Recipe):
    """Next-token loss on the assistant's tokens."""

    trainer: Literal["sft"]


@dataclass(frozen=True, kw_only=True)
class PreferenceRecipe(Recipe):
    """A loss over pairs, or several with their weights; `beta` pulls towards the reference."""

    trainer: Literal["preference"]
    loss_type: PairLoss | list[PairLoss]
    beta: float
    loss_weights: list[float] | None = None


@dataclass(frozen=True, kw_only=True)
class KtoRecipe(Recipe):
    """A loss over rows that are each desirable or not (arXiv:2402.01306), weighted by kind."""

    trainer: Literal["kto"]
    beta: float
    desirable_weight: float
    undesirable_weight: float
    loss_type: UnpairedLoss = "kto"


@dataclass(frozen=True, kw_only=True)
class Machine:
    """What the machine decides, the same for every method.

    `dtype` holds the weights; `autocast` computes in bfloat16 over them. `freeze` lists regular
    expressions of parameter names that keep their values. Every `checkpoint_every` steps (0: never)
    a killed run can resume from there."""

    device: Literal["cpu", "cuda"]
    dtype: Literal["float32", "bfloat16"]
    autocast: bool
    gradient_checkpointing: bool
    freeze: list[str] = field(default_factory=list)
    checkpoint_every: int = 0


RECIPES: dict[str, type[Recipe]] = {
    "sft": SftRecipe,
    "preference": PreferenceRecipe,
    "kto": KtoRecipe,
}


def recipe(method: str, block: dict[str, Any], path: Path = PARAMS) -> Recipe:
    """The recipe of one method. Raises BadInput naming a key that is unknown, missing or wrong."""
    where = f"methods.{method}.train"
    trainer = block.get("trainer") if isinstance(block, dict) else None
    if trainer not in RECIPES:
        raise BadInput(
            path,
            f"{trainer!r} is no trainer",
            field=f"{where}.trainer",
            remedy=f"one of {', '.join(RECIPES)}",
        )
    made = _build(RECIPES[trainer], block, where, path)
    if (made.steps is None) == (made.epochs is None):
        raise BadInput(path, "needs steps or epochs, one of them", field=f"{where}.steps")
    for key in ("effective_batch", "micro_batch", "max_length"):
        if getattr(made, key) < 1:
            raise BadInput(path, "must be at least 1", field=f"{where}.{key}")
    if isinstance(made, KtoRecipe) and made.loss_type == "kto" and made.micro_batch < 2:
        raise BadInput(
            path,
            "the KL term pairs rows of one micro batch",
            field=f"{where}.micro_batch",
            remedy="at least 2",
        )
    return made


def machine(block: dict[str, Any], path: Path = PARAMS) -> Machine:
    """The `training` block. Raises BadInput naming a key that is unknown, missing or wrong."""
    return _build(Machine, block, "training", path)


def _build(kind: type, block: Any, where: str, path: Path) -> Any:
    """A dataclass from a mapping with exactly its keys, nested dataclasses included."""
    if not isinstance(block, dict):
        raise BadInput(path, "not a mapping", field=where)
    known = {spec.name: spec for spec in fields(kind)}
    for key in block:
        if key not in known:
            raise BadInput(
                path, "unknown key", field=f"{where}.{key}", remedy=f"known: {', '.join(known)}"
            )
    hints = typing.get_type_hints(kind)
    values = {}
    for name, spec in known.items():
        if name in block:
            values[name] = _typed(hints[name], block[name], f"{where}.{name}", path)
        elif spec.default is MISSING and spec.default_factory is MISSING:
            raise BadInput(path, "missing key", field=f"{where}.{name}")
    return kind(**values)


def _typed(hint: Any, value: Any, where: str, path: Path) -> Any:
    """The value as the annotated type. Raises BadInput where it is of none of the types allowed."""
    union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    options = typing.get_args(hint) if union else (hint,)
    for option in options:
        if hasattr(option, "__dataclass_fields__") and isinstance(value, dict):
            return _build(option, value, where, path)
        if _matches(option, value):
            return float(value) if option is float else value
    raise BadInput(path, f"{value!r} is not {_described(options)}", field=where)


def _matches(option: Any, value: Any) -> bool:
    if typing.get_origin(option) is Literal:
        return value in typing.get_args(option)
    if typing.get_origin(option) is list:
        (member,) = typing.get_args(option)
        return isinstance(value, list) and all(_matches(member, item) for item in value)
    if option is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if option is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(option, type) and isinstance(value, option)


def _described(options: tuple) -> str:
    names = []
    for option in options:
        if typing.get_origin(option) is Literal:
            names.append("one of " + ", ".join(map(str, typing.get_args(option))))
        elif option is not type(None):
            names.append(getattr(option, "__name__", str(option)))
    return " or ".join(names)
