"""Which type each tensor of a GGUF file has: its header skimmed, its vocabulary skipped.

The `gguf` package's reader makes an array of every token and merge, half a minute on a real file.
"""

import struct
from mmap import ACCESS_READ, mmap
from pathlib import Path

SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of a metadata value by its type number; strings (8) and arrays (9) carry their length."""

_STRING, _ARRAY = 8, 9


def tensor_types(path: Path) -> dict[str, str]:
    """Type names such as `F16` or `Q4_K` by tensor name, in file order (GGUF versions 2 and 3)."""
    from gguf import GGMLQuantizationType

    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        _magic, _version, tensors, pairs = struct.unpack_from("<4sIQQ", data)
        at = 24
        for _ in range(pairs):
            at = _after_string(data, at)
            (kind,) = struct.unpack_from("<I", data, at)
            at = _after_value(data, at + 4, kind)
        types = {}
        for _ in range(tensors):
            end = _after_string(data, at)
            dimensions, *_ = struct.unpack_from("<I", data, end)
            (kind,) = struct.unpack_from("<I", data, end + 4 + 8 * dimensions)
            types[data[at + 8 : end].decode("utf-8")] = GGMLQuantizationType(kind).name
            at = end + 4 + 8 * dimensions + 4 + 8
        return types


def _after_string(data: mmap, at: int) -> int:
    (length,) = struct.unpack_from("<Q", data, at)
    return at + 8 + length


def _after_value(data: mmap, at: int, kind: int) -> int:
    """Offset behind a metadata value that starts at `at`."""
    if kind == _STRING:
        return _after_string(data, at)
    if kind != _ARRAY:
        return at + SIZES[kind]
    inner, count = struct.unpack_from("<IQ", data, at)
    at += 12
    if inner in SIZES:
        return at + SIZES[inner] * count
    for _ in range(count):
        at = _after_value(data, at, inner)
    return at
