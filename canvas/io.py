"""Files at the edges: JSON Lines, atomic writes, params. Errors name file, line, field, remedy."""

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from ruamel.yaml import YAML


class BadInput(click.ClickException):
    """Input that cannot be used. `click` prints it without a traceback and exits with 1."""

    def __init__(
        self,
        path: Path | str,
        reason: str,
        *,
        line: int | None = None,
        field: str | None = None,
        remedy: str | None = None,
    ):
        where = f"{path}:{line}" if line else str(path)
        field_part = f" field {field!r}:" if field else ""
        remedy_part = f" To do: {remedy}" if remedy else ""
        super().__init__(f"{where}:{field_part} {reason}.{remedy_part}")
        self.path, self.reason, self.line, self.field, self.remedy = (
            path,
            reason,
            line,
            field,
            remedy,
        )


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yield a scratch path beside `path`: on success it becomes `path`, on an error it vanishes."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield scratch
        os.replace(scratch, path)
    finally:
        scratch.unlink(missing_ok=True)


@contextmanager
def atomic_dir(path: Path) -> Iterator[Path]:
    """Yield a new folder beside `path`: on success it replaces `path`, else it vanishes."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{os.getpid()}.part")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    try:
        yield scratch
        if path.exists():
            shutil.rmtree(path)
        os.replace(scratch, path)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def dumps(value: Any) -> str:
    """Compact JSON text, keys in the order given, Unicode as itself."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def read_rows(path: Path) -> list[dict]:
    """Rows of a JSON Lines file of ours. Raises BadInput at the first line that is no object."""
    rows = []
    with Path(path).open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise BadInput(
                    path, f"not JSON ({error.msg})", line=number, remedy="rerun its stage"
                ) from error
            if not isinstance(row, dict):
                raise BadInput(path, "not a JSON object", line=number, remedy="rerun its stage")
            rows.append(row)
    return rows


def write_rows(path: Path, rows: Iterable[dict]) -> int:
    """Write JSON Lines atomically; returns the number of rows."""
    count = 0
    with atomic_file(path) as scratch, scratch.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            file.write(dumps(row) + "\n")
            count += 1
    return count


def read_json(path: Path) -> Any:
    """One JSON document. Raises BadInput where it does not parse."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise BadInput(
            path, f"not JSON ({error.msg})", line=error.lineno, remedy="rerun its stage"
        ) from error


def write_json(path: Path, value: Any) -> None:
    """Write one JSON document atomically: indented, keys sorted, so that diffs are readable."""
    with atomic_file(path) as scratch:
        text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
        scratch.write_text(text + "\n", encoding="utf-8")


def read_yaml(path: Path) -> Any:
    """One YAML 1.2 document as plain values (`5e-07` is a float, which PyYAML gets wrong)."""
    return YAML(typ="safe", pure=True).load(Path(path).read_text(encoding="utf-8"))


def params(*keys: str, path: Path = Path("params.yaml")) -> dict[str, Any]:
    """Values of dotted keys of params.yaml, by their last part.

    `params("seed", "methods.sft.train")` is `{"seed": …, "train": {…}}`. Raises BadInput where
    a key is missing.
    """
    tree = read_yaml(path)
    found = {}
    for key in keys:
        value = tree
        for part in key.split("."):
            if not isinstance(value, dict) or part not in value:
                raise BadInput(
                    path, "missing key", field=key, remedy="add it, or `make profile NAME=nano`"
                )
            value = value[part]
        found[key.rsplit(".", 1)[-1]] = value
    return found
