"""TRL trainers for rows that are tokenised and carry the reference's log-probabilities."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

Parts = tuple[type, Any, Callable]
"""What one kind of training is made of: TRL's trainer class, its settings and its collator."""


class ReferenceGiven:
    """Mixin before a TRL 1.16 trainer with `precompute_ref_log_probs`: nothing left to do."""

    def _prepare_dataset(self, dataset: Any, *_: Any) -> Any:
        return dataset

    def _precompute_ref_logps(self, dataset: Any, *_: Any) -> Any:
        return dataset


@contextmanager
def no_model_hash(trainer_module: ModuleType) -> Iterator[None]:
    """Within, the trainers of this TRL module do not hash the model; not all of them would.

    The hash names the cache of a reference pass that ReferenceGiven never makes, and costs 37 s for
    a model of 4.6 B parameters."""
    if not hasattr(trainer_module, "hash_module"):
        yield
        return
    original = trainer_module.hash_module
    trainer_module.hash_module = lambda module: None
    try:
        yield
    finally:
        trainer_module.hash_module = original
