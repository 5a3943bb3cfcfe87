"""Quantised copies of an f16 GGUF file, made by llama.cpp in this process."""

import os
import re
from pathlib import Path

from canvas import io
from canvas.gguf.header import tensor_types
from canvas.llama import LlamaError, library

TYPES = ("Q2_K", "Q3_K_M", "Q4_K_M", "Q5_K_M", "Q6_K", "Q8_0")
LEGACY = ("Q4_0", "Q5_0", "Q5_1", "Q8_0")
"""What llama.cpp uses for Q2_K and Q3_K, Q4_K, Q5_K, Q6_K where 256 does not divide the rows."""


def quantize(source: Path, out: Path, kind: str) -> None:
    """Write `source` (f16) to `out` in one of TYPES. Raises LlamaError where llama.cpp fails."""
    lib = library()
    params = lib.llama_model_quantize_default_params()
    params.ftype = getattr(lib, f"LLAMA_FTYPE_MOSTLY_{kind}")
    params.nthread = os.cpu_count() or 1
    with io.atomic_file(out) as scratch:
        if lib.llama_model_quantize(os.fsencode(source), os.fsencode(scratch), params):
            raise LlamaError(f"{source} cannot be quantised to {kind}")


def fallbacks(path: Path, kind: str) -> dict[str, str]:
    """Legacy types in a file of a K-type `kind`, by tensor name with the layer as `*`.

    `{"blk.*.proj.weight": "Q5_0"}`: the rows of these matrices are not multiples of 256. A file of
    Q8_0, whose blocks hold 32 in any case, has no such matrices.
    """
    if "_K" not in kind:
        return {}
    types = tensor_types(path).items()
    return {re.sub(r"\d+", "*", name, count=1): found for name, found in types if found in LEGACY}
