"""Training: rows and a start model to a model folder. Three trainers; methods are params."""

import gc
import os
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from canvas import io, seeds
from canvas.training import given, history, plan
from canvas.training.recipe import PARAMS, Machine, Recipe

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase, Trainer


def fit(
    rows: list[dict],
    start: Path,
    out: Path,
    recipe: Recipe,
    machine: Machine,
    *,
    seed: int,
    scratch: Path,
    source: Path | str = "training rows",
) -> tuple[list[dict[str, float]], dict[str, float]]:
    """Train `start` on `rows` into the folder `out`; returns the loss curve and its summary.

    Checkpoints, where the machine asks for them, go to `scratch`; a run that finds one there goes
    on from it. Raises BadInput, with a line of `source` where a row is to blame."""
    kind = _kind(recipe)
    from canvas.training import model as models

    seeds.fix(seed)
    _refuse_cudnn_attention()
    tokenizer = models.load_tokenizer(start)
    total = plan.steps(len(rows), recipe.effective_batch, steps=recipe.steps, epochs=recipe.epochs)
    examples, too_long = _examples(kind, rows, tokenizer, recipe, total, seed, source)
    at_once, accumulation = _device_batches(recipe)
    arguments = {
        **_arguments(recipe, machine, seed, scratch),
        "max_steps": total,
        "warmup_steps": round(recipe.warmup * total),
        "per_device_train_batch_size": at_once,
        "gradient_accumulation_steps": accumulation,
    }
    trainer = _trainer(kind, examples, start, tokenizer, recipe, machine, arguments)
    trainer.train(resume_from_checkpoint=_checkpoint(scratch))
    curve = history.points(trainer.state.log_history)
    trained = trainer.accelerator.unwrap_model(trainer.model)
    if trainer.is_world_process_zero():
        models.save(trained, start, out)
    return curve, {
        **history.summary(curve),
        "rows": len(rows),
        "rows_too_long": too_long,
        "rows_seen": len(examples),
        "tokens_seen": sum(map(kind.length, examples)),
        "trainable_parameters": sum(p.numel() for p in trained.parameters() if p.requires_grad),
    }


def fingerprint(recipe: Recipe, machine: Machine, start: Path, rows: list[dict], seed: int) -> str:
    """16 hex digits that name a run, so that none goes on from a checkpoint of another."""
    files = [
        (file.name, file.stat().st_size, file.stat().st_mtime_ns)
        for file in sorted(start.iterdir())
    ]
    return f"{seeds.stable_hash(recipe, machine, files, io.dumps(rows), seed):016x}"


def _trainer(
    kind: ModuleType,
    examples: list[dict],
    start: Path,
    tokenizer: "PreTrainedTokenizerBase",
    recipe: Recipe,
    machine: Machine,
    arguments: dict[str, Any],
) -> "Trainer":
    """TRL's trainer of this kind over the start model, with an adapter where the recipe has one."""
    from datasets import Dataset
    from transformers import PrinterCallback

    from canvas.training import model as models
    from canvas.training import tail

    network = models.load(start, machine, recipe.adapter)
    adapter = models.lora(network, recipe.adapter) if recipe.adapter else None
    trainer_class, settings, collate = kind.parts(recipe, arguments, tokenizer.pad_token_id)
    with given.no_model_hash(import_module(kind.TRL)):
        trainer = trainer_class(
            model=network,
            args=settings,
            train_dataset=Dataset.from_list(
                kind.complete(
                    examples, network, settings.per_device_train_batch_size, machine.autocast
                )
            ),
            processing_class=tokenizer,
            data_collator=tail.padded_left(collate),
            callbacks=[history.progress(settings.max_steps)],
            peft_config=adapter,
        )
    trainer.remove_callback(PrinterCallback)
    # PEFT wraps the model that TRL gave its fused LM head.
    tail.project_tail(trainer.model.get_base_model() if adapter else trainer.model)
    if adapter:
        models.widen(trainer.model, machine)
    return trainer


def _kind(recipe: Recipe) -> ModuleType:
    """The module that makes the recipe's trainer, with all that it needs imported."""
    # Everything is on disk by now, and TRL would send telemetry.
    os.environ["HF_HUB_OFFLINE"] = "1"
    kind = import_module(f"canvas.training.{recipe.trainer}")
    # Imports make a million objects and no garbage: not looking for any saves a tenth.
    gc.disable()
    import_module(kind.TRL)
    gc.freeze()
    gc.enable()
    return kind


def _refuse_cudnn_attention() -> None:
    """Leave attention to the other kernels.

    Its backward pass (torch 2.11, cuDNN 9.19, H200) gives NaN for some widths, 320 for one, where a
    padded position may attend to nothing, as every position of padding on the left does."""
    import torch

    torch.backends.cuda.enable_cudnn_sdp(False)


def _examples(
    kind: ModuleType,
    rows: list[dict],
    tokenizer: "PreTrainedTokenizerBase",
    recipe: Recipe,
    steps: int,
    seed: int,
    source: Path | str,
) -> tuple[list[dict], int]:
    """The tokenised rows of every step in their order, and how many were too long for it."""
    wanted = steps * recipe.effective_batch
    numbered = [(index + 1, rows[index]) for index in plan.drawn(len(rows), wanted, seed)]
    found = kind.examples(numbered, tokenizer, source)
    kept = [example for example in found if kind.length(example) <= recipe.max_length]
    if not kept:
        raise io.BadInput(source, f"no row of at most {recipe.max_length} tokens")
    order = plan.order([kind.length(row) for row in kept], recipe.effective_batch, steps, seed)
    return [kept[index] for index in order], len(found) - len(kept)


def _arguments(recipe: Recipe, machine: Machine, seed: int, scratch: Path) -> dict[str, Any]:
    """Keyword arguments of transformers' TrainingArguments that every trainer shares."""
    import torch
    from transformers.trainer_utils import SchedulerType
    from transformers.training_args import OptimizerNames, TrainingArguments

    for key, names in (("optim", OptimizerNames), ("schedule", SchedulerType)):
        if getattr(recipe, key) not in {name.value for name in names}:
            raise io.BadInput(PARAMS, f"{getattr(recipe, key)!r} is not known", field=key)
    if machine.device == "cuda" and not torch.cuda.is_available():
        raise io.BadInput(
            PARAMS, "no CUDA device here", field="training.device", remedy="set it to cpu"
        )
    # transformers 5.23 deprecates the name that 5.17 knows.
    names = ("activation_checkpointing", "gradient_checkpointing")
    checkpointing = next(name for name in names if hasattr(TrainingArguments, name))
    return {
        "output_dir": str(scratch),
        "learning_rate": recipe.learning_rate,
        "lr_scheduler_type": recipe.schedule,
        "weight_decay": recipe.weight_decay,
        "max_grad_norm": recipe.max_grad_norm,
        "optim": recipe.optim,
        "max_length": None,
        "train_sampling_strategy": "sequential",
        "seed": seed,
        "use_cpu": machine.device == "cpu",
        "bf16": machine.autocast,
        checkpointing: machine.gradient_checkpointing,
        "save_strategy": "steps" if machine.checkpoint_every else "no",
        "save_steps": machine.checkpoint_every or 1,
        "save_total_limit": 1,
        "logging_steps": 1,
        "logging_nan_inf_filter": False,
        "disable_tqdm": True,
        "report_to": "none",
        "dataloader_pin_memory": machine.device == "cuda",
    }


def _device_batches(recipe: Recipe) -> tuple[int, int]:
    devices = int(os.environ.get("WORLD_SIZE", "1"))
    try:
        return plan.device_batches(recipe.effective_batch, recipe.micro_batch, devices)
    except ValueError as error:
        raise io.BadInput(PARAMS, str(error), field="effective_batch") from error


def _checkpoint(scratch: Path) -> str | None:
    """The latest resumable checkpoint of this run, if any."""
    from transformers.trainer_utils import get_last_checkpoint

    return get_last_checkpoint(str(scratch)) if scratch.is_dir() else None
