"""Contribute: raw exports to checked contribution files, or none at all."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from canvas import io
from canvas.audit.finding import Finding
from canvas.audit.gate import contribution
from canvas.audit.strings import strings
from canvas.intake import Fault
from canvas.mask import Masked, mask
from canvas.merge import Contribution, collect
from canvas.registry import SAMPLE_KEY, TOKEN, Registry


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
    rows, faults = collect(files, Registry.load(SAMPLE_KEY).key_id)
    masked = prepare(rows, faults, key)
    return Contributed(save(masked, out), masked.counts, masked.dropped, faults)


def prepare(rows: list[Contribution], faults: list[Fault], key: bytes) -> Masked:
    """Good rows masked under `key`, not written yet. Raises BadInput as `contribute` does."""
    if not rows:
        raise io.BadInput(
            faults[0].file if faults else "export",
            f"no row can be kept; the first of {len(faults)} faults is {faults[0]}"
            if faults
            else "no rows at all",
            remedy="export the courses again",
        )
    masked = mask(rows, key)
    _refuse(masked.rows, Registry.load(SAMPLE_KEY).key_id)
    return masked


def save(masked: Masked, out: Path) -> dict[Path, int]:
    """Write OUT/HANDLE.jsonl; the number of rows by file."""
    files = {Path(out) / f"{handle}.jsonl": rows for handle, rows in masked.rows.items()}
    return {path: io.write_rows(path, rows) for path, rows in files.items()}


def changes(rows: Iterable[Contribution], masked: Masked) -> list[tuple[str, str]]:
    """(before, after) of each distinct text in which something became a token, in order."""
    after = (row for contributed in masked.rows.values() for row in contributed)
    found = {}
    for raw, row in zip((entry.row for entry in rows), after, strict=True):
        said = dict(strings(row))
        for field, text in strings(raw):
            new = said.get(field, text)
            if new != text and TOKEN.search(new):
                found.setdefault((text, new))
    return list(found)


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
