"""Deps: the files of canvas/ and data/ that a script reaches by its imports, for dvc.yaml.

DVC follows no imports, so a stage must list them. `python -m canvas.deps merge` prints the list.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import click

OWN = ("canvas", "stages")
_TOPS = [(name,) for name in OWN]
_DYNAMIC = ("import_module", "__import__")
_SUFFIX = re.compile(r"\.[a-z]+")
_NAME = re.compile(r"[\w-][\w./-]*\.[a-z]+")


@dataclass(frozen=True)
class Source:
    """What one file names: modules by dotted name, and files that it reads."""

    modules: set[str] = field(default_factory=set)
    files: set[Path] = field(default_factory=set)


def reached(script: Path, root: Path = Path()) -> set[Path]:
    """Files of canvas/, stages/ and data/ that running `script` may load, itself included.

    Imports inside functions count, and so does each `__init__` on the way unless it only holds a
    docstring and names; `if TYPE_CHECKING` does not. Paths are relative to `root`.
    """
    found: set[Path] = set()
    todo = [script]
    while todo:
        path = todo.pop()
        if path in found or _is_bare(root / path):
            continue
        found.add(path)
        source = read(path, root)
        found |= source.files
        for name in source.modules:
            todo += _module_files(name, root)
    return found


def third_party(files: Iterable[Path], root: Path = Path()) -> set[str]:
    """Top-level names of modules that the Python files import from elsewhere, stdlib left out."""
    names = set()
    for path in files:
        if path.suffix == ".py":
            names |= {name.split(".")[0] for name in read(path, root).modules}
    return names - set(OWN) - set(sys.stdlib_module_names)


def uncovered(files: Iterable[Path], deps: Iterable[Path]) -> set[Path]:
    """Files that are neither among `deps` nor inside one of them."""
    listed = set(deps)
    return {path for path in files if not listed & {path, *path.parents}}


def condense(files: Iterable[Path], root: Path = Path()) -> list[Path]:
    """The files, those of a sub-folder of which all are needed as that folder; sorted."""
    files = set(files)
    whole = {
        folder
        for folder in {path.parent for path in files}
        if len(folder.parts) > 1 and set(_inside(folder, root)) <= files
    }
    return sorted({next((p for p in reversed(path.parents) if p in whole), path) for path in files})


@cache
def read(path: Path, root: Path) -> Source:
    """What a file names; nothing where it is no Python. Raises SyntaxError on bad Python."""
    if path.suffix != ".py":
        return Source()
    nodes, package = _nodes(root / path), ".".join(path.parent.parts)
    modules = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                modules |= {alias.name, *_lazy(alias.name, root).values()}
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            modules.add(base)
            for alias in node.names:
                modules |= _imported(base, alias.name, root)
        elif _is_dynamic(node):
            modules |= _dynamic(node, root)
    return Source(modules, _named_files(nodes, path, root))


@cache
def _is_bare(path: Path) -> bool:
    """Whether an `__init__` has nothing but its docstring, `__version__` and `__all__`."""
    if path.name != "__init__.py":
        return False
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return all(
        isinstance(node, ast.Expr | ast.Assign) and isinstance(node.value, ast.Constant | ast.List)
        for node in body
    )


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(_runtime_nodes(ast.parse(path.read_text(encoding="utf-8"))))


def _runtime_nodes(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        for child in node.orelse:
            yield from _runtime_nodes(child)
        return
    for child in ast.iter_child_nodes(node):
        yield from _runtime_nodes(child)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    parents = parts[: len(parts) - node.level + 1]
    return ".".join([*parents, *([node.module] if node.module else [])])


def _module_file(name: str, root: Path) -> Path | None:
    base = Path(*name.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if base.parts[:1] in _TOPS and (root / path).is_file():
            return path
    return None


def _module_files(name: str, root: Path) -> list[Path]:
    parts = name.split(".")
    files = (_module_file(".".join(parts[:end]), root) for end in range(1, len(parts) + 1))
    return [path for path in files if path]


def _imported(base: str, name: str, root: Path) -> set[str]:
    """Modules behind `from base import name`: a submodule, or one the package imports lazily."""
    full = f"{base}.{name}"
    if _module_file(full, root):
        return {full, *_lazy(full, root).values()}
    lazy = _lazy(base, root)
    return set(lazy.values()) if name == "*" else {lazy[name]} if name in lazy else set()


def _lazy(name: str, root: Path) -> dict[str, str]:
    """Public name to module, of a package whose `__init__` imports by `{"Reply": "base"}`."""
    path = _module_file(name, root)
    if not path or path.name != "__init__.py":
        return {}
    nodes = _nodes(root / path)
    if not any(map(_is_dynamic, nodes)):
        return {}
    return {
        str(key.value): f"{name}.{value.value}"
        for node in nodes
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant)
        and isinstance(value, ast.Constant)
        and _module_file(f"{name}.{value.value}", root)
    }


def _is_dynamic(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith(_DYNAMIC)


def _dynamic(node: ast.Call, root: Path) -> set[str]:
    """The module of `import_module("a.b")`; of `f"a.{name}"` all modules of our package `a`."""
    argument = node.args[0]
    computed = isinstance(argument, ast.JoinedStr)
    start = argument.values[0] if computed else argument
    if not (isinstance(start, ast.Constant) and isinstance(start.value, str)):
        return set()
    name = start.value.rstrip(".")
    init = _module_file(name, root) if computed else None
    siblings = (root / init).parent.glob("*.py") if init else []
    return {name} | {f"{name}.{path.stem}" for path in siblings if path.stem != "__init__"}


def _named_files(nodes: Iterable[ast.AST], path: Path, root: Path) -> set[Path]:
    """Files that strings of the module name, from its folder or the root: templates, tables."""
    candidates = set()
    for text in _texts(nodes):
        if _SUFFIX.fullmatch(text):
            candidates.add(path.with_suffix(text))
        elif _NAME.fullmatch(text):
            candidates.add(path.parent / text)
            candidates |= {Path(text)} if text.startswith("data/") else set()
    return {file for file in candidates if (root / file).is_file()}


def _texts(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """String constants, and chains like `"data" / "sample" / "key.txt"` as one path."""
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            yield "/".join(_parts(node))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _parts(node: ast.AST) -> list[str]:
    if isinstance(node, ast.BinOp):
        return [*_parts(node.left), *_parts(node.right)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _inside(folder: Path, root: Path) -> Iterator[Path]:
    for path in (root / folder).rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(root)


@click.command()
@click.argument("stages", nargs=-1)
def main(stages: tuple[str, ...]) -> None:
    """Print the files that STAGES (all without one) reach, as deps for dvc.yaml."""
    chosen = [Path("stages", f"{name}.py") for name in stages]
    scripts = chosen or sorted(Path("stages").glob("*.py"))
    for script in scripts:
        if not script.is_file():
            raise click.BadParameter(f"{script} does not exist", param_hint="STAGES")
        click.echo(f"{script.stem}:")
        for path in condense(reached(script)):
            click.echo(f"  - {path}")


if __name__ == "__main__":
    main()
