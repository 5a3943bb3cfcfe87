"""Shared by all tests: a nano checkpoint with random weights."""

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

from pathlib import Path

import pytest

from canvas import template
from canvas.nano import corpus

ROOT = Path(__file__).resolve().parents[1]
SHAPE = {
    "hidden": 64,
    "intermediate": 256,
    "layers": 4,
    "heads": 2,
    "head_dim": 32,
    "global_head_dim": 64,
    "shared_kv_layers": 2,
    "window": 64,
    "ple": 64,
    "context": 2048,
}


@pytest.fixture(scope="session")
def base_rows():
    """Rows as the nano base reads them."""
    return list(corpus.rows(300, 3, corpus.load_bank(ROOT / "data/wordings/base.yaml")))


@pytest.fixture(scope="session")
def nano_model(tmp_path_factory, base_rows) -> Path:
    """Folder of a nano Gemma 4 (random weights, 4 small layers) with tokenizer and template."""
    import torch

    from canvas.nano import model, tokenizer

    texts = (template.render(row["messages"], row["tools"]) for row in base_rows)
    tok = tokenizer.train(texts, 1024)
    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("nano")
    model.build(tok, SHAPE).save_pretrained(folder)
    tok.save_pretrained(folder)
    return folder
