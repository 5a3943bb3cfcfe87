"""Contribute: raw exports to checked contribution files, or none at all."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from canvas import io
from canvas.audit.finding import Finding
from canvas.audit.gate import contribution
from canvas.intake import Fault
from canvas.mask import mask
from canvas.merge import collect
from canvas.registry import SAMPLE_KEY, Registry


class Contributed(NamedTuple):
    """Rows by written file, masked places by kind, dropped fields, and rows that were left out."""

    written: dict[Path, int]
    counts: dict[str, int]
    dropped: dict[str, int]
    faults: list[Fault]


def contribute(files: Iterable[Path], out: Path, key: bytes) -> Contributed:
    """Mask raw exports under `key` into OUT/HANDLE.jsonl; good rows beside bad ones are kept.

    Raises BadInput where no row is good, and, before anything is written, where the audit would
    still find an identifier.
    """
    sample = Registry.load(SAMPLE_KEY)
    rows, faults = collect(files, sample.key_id)
    if not rows:
        raise io.BadInput(
            faults[0].file,
            f"no row can be kept; the first of {len(faults)} faults is {faults[0]}",
            remedy="export the courses again",
        )
    masked = mask(rows, key)
    _refuse(masked.rows, sample.key_id)
    written = {}
    for handle, contributed in masked.rows.items():
        path = Path(out) / f"{handle}.jsonl"
        written[path] = io.write_rows(path, contributed)
    return Contributed(written, masked.counts, masked.dropped, faults)


def _refuse(rows: dict[str, list[dict]], sample_key_id: str) -> None:
    """Raise BadInput where the audit finds something in these rows."""
    with TemporaryDirectory() as scratch:
        for handle, contributed in rows.items():
            path = Path(scratch) / f"{handle}.jsonl"
            io.write_rows(path, contributed)
            if found := contribution(path, sample_key_id):
                shown = "; ".join(_shown(finding) for finding in found[:5])
                raise io.BadInput(
                    f"{handle}.jsonl",
                    f"{len(found)} identifiers would still be readable: {shown}",
                    remedy="take these fields out of the export, and report the gap",
                )


def _shown(finding: Finding) -> str:
    return f"row {finding.line} {finding.field}: {finding.kind} {finding.excerpt}"
