"""The loss curve of a run and what it comes to, without times: a rerun writes the same bytes."""

import math
from typing import TYPE_CHECKING, Any

from canvas.io import BadInput
from canvas.training.recipe import PARAMS

if TYPE_CHECKING:
    from transformers import TrainerCallback

# What is kept of a trainer's log, under plain names; the rest is noise or follows from these.
KEPT = {
    "loss": "loss",
    "learning_rate": "learning_rate",
    "grad_norm": "grad_norm",
    "entropy": "entropy",
    "mean_token_accuracy": "token_accuracy",
    "rewards/accuracies": "reward_accuracy",
    "rewards/margins": "reward_margin",
    "kl": "kl",
}
DIGITS = 6


def points(log: list[dict[str, Any]]) -> list[dict[str, float]]:
    """One row a step, `step` first, from a trainer's `state.log_history`.

    Raises BadInput at a value, first of all a loss, that is no finite number."""
    return [point(entry, entry["step"]) for entry in log if "loss" in entry]


def point(entry: dict[str, float], step: int) -> dict[str, float]:
    """What is kept of one entry of the log. Raises BadInput at a value that is not finite."""
    kept = {name: _rounded(entry[key]) for key, name in KEPT.items() if key in entry}
    for name, value in kept.items():
        if not math.isfinite(value):
            raise BadInput(
                PARAMS,
                f"the {name} is {value} at step {step}",
                field="learning_rate",
                remedy="lower it",
            )
    return {"step": step, **kept}


def summary(rows: list[dict[str, float]]) -> dict[str, float]:
    """`steps`, the first step's loss, and each value averaged over the last tenth of the steps."""
    last = rows[-max(1, len(rows) // 10) :]
    means = {}
    for name in KEPT.values():
        values = [row[name] for row in last if name in row]
        if values and name not in ("learning_rate", "grad_norm"):
            means[name] = _rounded(sum(values) / len(values))
    return {"steps": rows[-1]["step"], "loss_first": rows[0]["loss"], **means}


def progress(total: int) -> "TrainerCallback":
    """A callback that shows steps and loss on stderr, and ends a run whose loss is out of hand."""
    from tqdm import tqdm
    from transformers import TrainerCallback

    class Progress(TrainerCallback):
        def on_train_begin(self, args, state, control, **kwargs):
            self.bar = tqdm(total=total, initial=state.global_step, unit="step", dynamic_ncols=True)

        def on_log(self, args, state, control, logs=None, **kwargs):
            if "loss" in logs:
                point(logs, state.global_step)
                self.bar.set_postfix(loss=f"{logs['loss']:.4f}", refresh=False)
                self.bar.update(state.global_step - self.bar.n)

        def on_train_end(self, args, state, control, **kwargs):
            self.bar.close()

    return Progress()


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
