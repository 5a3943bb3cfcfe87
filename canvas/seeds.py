"""Seeding: hashes that are the same on every machine, and one switch for all generators."""

import hashlib
import random
import sys


def stable_hash(*parts: object) -> int:
    """64-bit hash of the parts' text, the same in every process: SHA-256, first 8 bytes."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "big")


def stable_fraction(*parts: object) -> float:
    """Stable hash as a float in [0, 1): for splits where a new row must move no other."""
    return stable_hash(*parts) / 2**64


def rng(*parts: object) -> random.Random:
    """A generator of its own for these parts: a new draw somewhere changes no draw elsewhere."""
    return random.Random(stable_hash(*parts))


def fix(seed: int) -> None:
    """Seed Python, and NumPy and torch if they are imported: call it after the heavy imports."""
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)
