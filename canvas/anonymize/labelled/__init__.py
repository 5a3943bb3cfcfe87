"""Labelled texts, made from templates and values, that measure the masking of personal data.

The templates of `heldout.yaml` are for measuring only; rules are tuned on `tuning.yaml`.
"""

from canvas.anonymize.labelled.score import Score, measure
from canvas.anonymize.labelled.texts import Label, Labelled, generate

__all__ = ["Label", "Labelled", "Score", "generate", "measure"]
