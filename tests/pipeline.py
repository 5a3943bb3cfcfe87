"""What dvc.yaml says, resolved by DVC, and what is wrong with it: used by tests/test_deps.py."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from canvas.deps import condense, reached, third_party, uncovered

HEAVY = {"datasets", "llama_cpp", "peft", "torch", "transformers", "trl"}
GATE = Path("data/audit.ok")
# How often a run saves itself changes nothing that it makes.
NO_RESULT = {"training.checkpoint_every"}


@dataclass(frozen=True)
class Stage:
    """One resolved stage; params are dotted keys of params.yaml."""

    name: str
    cmd: str
    deps: tuple[Path, ...]
    outs: tuple[Path, ...]
    params: tuple[str, ...]

    @property
    def script(self) -> Path:
        """The file of `python -m stages.NAME …`."""
        module = re.search(r"python -m (stages\.\w+)", self.cmd)
        assert module, f"{self.name} runs no stages/ script: {self.cmd}"
        return Path(*module[1].split(".")).with_suffix(".py")


def load(root: Path) -> list[Stage]:
    """The stages of root/dvc.yaml, foreach and matrix expanded."""
    from dvc.repo import Repo

    return [
        Stage(
            stage.addressing,
            stage.cmd,
            tuple(Path(dep.def_path) for dep in stage.deps if not hasattr(dep, "params")),
            tuple(Path(out.def_path) for out in stage.outs),
            tuple(key for dep in stage.deps for key in getattr(dep, "params", [])),
        )
        for stage in Repo(str(root)).index.stages
    ]


def missing_deps(stage: Stage, root: Path) -> set[Path]:
    """Files that the stage's script reaches and that its deps do not name."""
    return uncovered(reached(stage.script, root), stage.deps)


def needless_deps(stage: Stage, root: Path) -> set[Path]:
    """Deps on code of ours that the script does not reach, or on a folder it needs a part of."""
    files = reached(stage.script, root)
    needed = files | set(condense(files, root))
    return {dep for dep in stage.deps if dep.parts[0] in ("canvas", "stages")} - needed


def leaves(tree: dict, prefix: str = "") -> set[str]:
    """Dotted keys of the values of a nested mapping."""
    found = set()
    for key, value in tree.items():
        name = f"{prefix}{key}"
        found |= leaves(value, f"{name}.") if isinstance(value, dict) and value else {name}
    return found


def under(leaf: str, key: str) -> bool:
    """Whether a dotted key is `key` or inside it."""
    return f"{leaf}.".startswith(f"{key}.")


def read_keys(script: Path) -> set[str]:
    """Keys of the script's `io.params(…)` calls; a part only known at run time is `*`."""
    tree = ast.parse(script.read_text(encoding="utf-8"))
    constants = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    keys = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("io.params", "params"):
            for argument in node.args:
                keys |= _keys(argument, constants)
    return keys


def _keys(node: ast.expr, constants: dict[str, ast.expr]) -> set[str]:
    if isinstance(node, ast.Constant):
        return {node.value}
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "*" for part in node.values]
        return {"".join(parts)}
    if isinstance(node, ast.Starred):
        return _keys(node.value, constants)
    if isinstance(node, ast.Name):
        return set(ast.literal_eval(constants[node.id]))
    if isinstance(node, ast.GeneratorExp):
        source = node.generators[0].iter
        values = ast.literal_eval(constants.get(ast.unparse(source), source))
        return {key.replace("*", value) for key in _keys(node.elt, constants) for value in values}
    raise AssertionError(f"io.params has an argument that no test can follow: {ast.unparse(node)}")


def param_problems(stage: Stage, root: Path, tree: dict) -> list[str]:
    """Keys that do not exist, that are read and not tracked, and tracked and not read."""
    read = {
        re.compile(re.escape(key).replace(r"\*", r"[^.]+") + r"(\..+)?")
        for key in read_keys(root / stage.script)
    }
    known = leaves(tree)
    tracked = {leaf for leaf in known if any(under(leaf, key) for key in stage.params)}
    used = {leaf for leaf in known if _is_of(leaf, stage) and any(p.fullmatch(leaf) for p in read)}
    problems = [
        f"{key} is not in params.yaml"
        for key in stage.params
        if not any(under(leaf, key) for leaf in known)
    ]
    problems += [f"{leaf} is tracked and not read" for leaf in sorted(tracked - used)]
    return problems + [
        f"{leaf} is read and not tracked" for leaf in sorted(used - tracked - NO_RESULT)
    ]


def _is_of(leaf: str, stage: Stage) -> bool:
    """Whether a leaf may be this stage's: of the table `methods` only what its method has."""
    parts, instance = leaf.split("."), stage.name.partition("@")[2]
    return parts[0] != "methods" or instance in ("", parts[1])


def ancestors(stage: Stage, stages: list[Stage]) -> list[Stage]:
    """Stages whose outs this one needs, directly or through others."""
    found: dict[str, Stage] = {}
    todo = [stage]
    while todo:
        for other in _producers(todo.pop(), stages):
            if other.name not in found:
                found[other.name] = other
                todo.append(other)
    return list(found.values())


def _producers(stage: Stage, stages: list[Stage]) -> list[Stage]:
    """Stages with an out that is a dep of this one, holds one or lies in one."""
    deps = {f"{dep.as_posix()}/" for dep in stage.deps}
    return [
        other
        for other in stages
        if any(
            out.startswith(dep) or dep.startswith(out)
            for out in (f"{out.as_posix()}/" for out in other.outs)
            for dep in deps
        )
    ]


def ungated(stages: list[Stage], root: Path) -> set[str]:
    """Stages that reach a training or inference library and do not come after the audit."""
    scripts = {stage.script for stage in stages}
    heavy = {script for script in scripts if HEAVY & third_party(reached(script, root), root)}
    return {
        stage.name
        for stage in stages
        if stage.script in heavy
        and not any(GATE in other.outs for other in ancestors(stage, stages))
    }
