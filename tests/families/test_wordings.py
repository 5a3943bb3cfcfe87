"""What planning scenarios say is said in no training text, nor nearly."""

from pathlib import Path

import pytest

from canvas import io, wordings
from canvas.audit.wordings import clauses, find
from canvas.families.generator import patterns

TRAIN = Path("data/wordings/train.yaml")
TRAINING = wordings.read(TRAIN)


@pytest.fixture(scope="module")
def trained() -> list[str]:
    """Every way that a training wording can be put, without openers and closers."""
    made = []
    for block in TRAINING.patterns.values():
        for pattern in block:
            for text in wordings.expansions(pattern):
                made += [text, *TRAINING.framed(text)]
    return made


def evaluated() -> list[tuple[str, str]]:
    return [
        (name, text)
        for name, lines in patterns().items()
        for line in lines
        for text in wordings.expansions(line)
    ]


def test_no_wording_stands_in_a_training_text(trained):
    held_out = {clauses(text): name for name, text in evaluated()}
    texts = [(text, TRAIN, 1, "intents") for text in trained]
    base = io.read_yaml(Path("data/wordings/base.yaml"))
    texts += [(text, Path("data/wordings/base.yaml"), 1, "base") for text in _texts(base)]
    assert list(find(held_out, texts)) == []


def _texts(value) -> list[str]:
    if isinstance(value, str):
        return value.splitlines()
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _texts(part)]


def test_no_wording_is_nearly_a_training_wording(trained):
    known = [wordings.trigrams(text) for text in trained]
    for name, text in evaluated():
        found = wordings.trigrams(text)
        shared = max(len(found & other) for other in known)
        assert shared <= 0.8 * len(found), f"{name}: {text}"
