"""Fields of a contribution whose whole value must be a token, whatever it looks like."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from canvas.audit.finding import Finding, hide
from canvas.audit.strings import rows
from canvas.registry import TOKEN

_ROW = {"contributor_id": "handle", "course_code": "course code"}
_ENTRY = {
    "course_id": "Canvas id",
    "author": "author's name",
    "email": "e-mail address",
    "sis_id": "SIS id",
}
_BESIDE = ("README.md", ".gitignore", ".gitkeep")
_SHOWN = re.compile(r'"(contributor_id|course_code|key_id)"\s*:\s*"([^"]*)"')


def strays(folder: Path) -> Iterator[Finding]:
    """A finding for each file that no stage would read, and so nothing would check."""
    for path in sorted(Path(folder).rglob("*")):
        contribution = path.parent == Path(folder) and path.suffix == ".jsonl"
        if path.is_symlink() or not (path.is_dir() or contribution or path.name in _BESIDE):
            yield Finding(path.as_posix(), 1, "file", "not a contribution", "[unread]", "stray")


def check(path: Path, sample_key_id: str) -> Iterator[Finding]:
    """Findings in one contribution file: raw handles, codes, names, ids; rows of the public key."""
    for number, row in rows(path):
        if not isinstance(row, dict):
            # A cut line cannot be read field by field, but what it shows is shared all the same.
            row = dict(_SHOWN.findall(row if isinstance(row, str) else ""))
        if row.get("key_id") == sample_key_id:
            yield _finding(path, number, "key_id", "masked under the public key", sample_key_id)
        for field, kind, value in _raw(row):
            yield _finding(path, number, field, f"unmasked {kind}", str(value))


def _raw(row: dict) -> Iterator[tuple[str, str, Any]]:
    """(field, kind, value) of every value that should be a token and is none."""
    for field, kind in _ROW.items():
        yield from _unless_token(field, kind, row.get(field))
    for group in ("items", "people"):
        entries = row.get(group)
        for index, entry in enumerate(entries if isinstance(entries, list) else []):
            if not isinstance(entry, dict):
                continue
            place = f"{group}[{index}]"
            for field, kind in _ENTRY.items():
                yield from _unless_token(f"{place}.{field}", kind, entry.get(field))
            if group == "people":
                yield from _unless_token(f"{place}.name", "person's name", entry.get("name"))


def _unless_token(field: str, kind: str, value: Any) -> Iterator[tuple[str, str, Any]]:
    if value is not None and not (isinstance(value, str) and TOKEN.fullmatch(value)):
        yield field, kind, value


def _finding(path: Path, number: int, field: str, kind: str, value: str) -> Finding:
    shown = hide(value, 0, len(value))
    return Finding(Path(path).as_posix(), number, field, kind, shown, "contribution")
