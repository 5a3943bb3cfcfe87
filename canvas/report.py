"""Report: the generated parts of README.md, from metrics, dvc.lock, dvc.yaml and params.yaml.

A part stands between `<!-- results -->` and `<!-- /results -->`; PARTS names them all.
"""

import difflib
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean
from typing import Any

import click

from canvas import io
from canvas.benchmark.comparison import by_tier

UNTOUCHED = "base"
REFERENCE = "sft"
FILES = ("f16", "Q4_K_M")
TIERS = ("basic", "planning")
NOT_MEASURED = "n/a"


def results(root: Path) -> str:
    """One row a method: pass rates by tier and file, calls that parse, sizes, held-out scores.

    Behind a rate stands its interval over scenarios, where the row has room for one.
    """
    found = {name: _metrics(root, "eval", name) for name in _names(root)}
    sizes = _sizes(root)
    header = [
        "method",
        *(f"{tier} {file}" for tier in TIERS for file in FILES),
        f"basic f16 over {REFERENCE}",
        "calls that parse",
        *(f"{file} MB" for file in FILES),
        "held-out loss",
        "preference accuracy",
        "KTO accuracy",
    ]
    rows = []
    for name, scores in found.items():
        rows.append(
            [
                name,
                *(_pass_1(_at(scores, f, t), t == "basic") for t in TIERS for f in FILES),
                _gain(root, name),
                _number(_at(scores, "f16", "parse_rate"), 2),
                *(_number(sizes.get(f"models/gguf/{name}/{file}.gguf"), 1) for file in FILES),
                _number(_at(scores, "heldout", "trajectory_loss"), 3),
                _number(_at(scores, "heldout", "preference_accuracy"), 2),
                _number(_at(scores, "heldout", "kto_accuracy"), 2),
            ]
        )
    return table(header, rows)


def quantised(root: Path) -> str:
    """One row a type: size, and the mean KL divergence to f16 over the methods with its range."""
    by_name = {name: _metrics(root, "quantize", name) for name in _names(root)}
    measured = [scores for scores in by_name.values() if scores]
    if not measured:
        return "Not measured yet: `make repro`, then `make readme`."
    rows = []
    for kind in sorted(measured[0], key=lambda kind: measured[0][kind]["bytes"]):
        distances = [scores[kind]["kl_mean"] for scores in measured]
        figures = mean(distances), min(distances), max(distances)
        size = mean(scores[kind]["bytes"] for scores in measured) / 1e6
        rows.append([kind, f"{size:.1f}", *(f"{figure:.1e}" for figure in figures)])
    return table(["type", "MB", "KL to f16, mean", "smallest", "largest"], rows)


def stages(root: Path) -> str:
    """One row for the stages of dvc.yaml that share a description. Raises BadInput without one."""
    named: dict[str, list[str]] = {}
    for name, stage in io.read_yaml(root / "dvc.yaml")["stages"].items():
        inner = stage.get("do", stage)
        if "desc" not in inner:
            remedy = "add desc: one sentence"
            raise io.BadInput(root / "dvc.yaml", "no description", field=name, remedy=remedy)
        each = stage.get("foreach", {})
        instance = f"@{','.join(each)}" if isinstance(each, dict) and each else "@METHOD"
        named.setdefault(inner["desc"], []).append(f"`{name}{instance if 'do' in stage else ''}`")
    return table(["stage", "what it does"], [[", ".join(v), desc] for desc, v in named.items()])


def graph(root: Path) -> str:
    """The graph of stages, methods collapsed, as Mermaid."""
    command = [sys.executable, "-m", "dvc", "dag", "--mermaid", "--collapse-foreach-matrix"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise click.ClickException(f"dvc dag failed: {done.stderr.strip()}")
    return f"```mermaid\n{done.stdout.strip().expandtabs(2)}\n```"


PARTS: dict[str, Callable[[Path], str]] = {
    "results": results,
    "quantised": quantised,
    "stages": stages,
    "graph": graph,
}


def fill(text: str, root: Path, path: Path | str = "README.md") -> str:
    """The text with every part between its markers made anew. Raises BadInput on an unknown one."""

    def part(match: re.Match[str]) -> str:
        name = match[1]
        if name not in PARTS:
            line = text.count("\n", 0, match.start()) + 1
            remedy = f"one of {', '.join(PARTS)}"
            raise io.BadInput(path, f"no part is called {name!r}", line=line, remedy=remedy)
        return f"<!-- {name} -->\n{PARTS[name](root)}\n<!-- /{name} -->"

    return re.sub(r"<!-- (\w+) -->\n.*?<!-- /\1 -->", part, text, flags=re.DOTALL)


def table(header: list[str], rows: Iterable[list[str]]) -> str:
    """A Markdown table; all columns but the first are right-aligned where they hold numbers."""
    rows = list(rows)
    numeric = [
        all(re.fullmatch(rf"[-+\d.e]+( \[.*\])?|{NOT_MEASURED}", row[i]) for row in rows)
        for i in range(len(header))
    ]
    rule = ["---:" if right else "---" for right in numeric]
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, rule, *rows])


def _pass_1(tier: dict | None, interval: bool) -> str:
    low, high = _at(tier, "pass_1_low"), _at(tier, "pass_1_high")
    shown = _number(_at(tier, "pass_1"), 2)
    return f"{shown} [{low:.2f}, {high:.2f}]" if interval and None not in (low, high) else shown


def _gain(root: Path, name: str) -> str:
    """The difference to REFERENCE over the same scenarios, with its interval."""
    paths = [root / "metrics" / "outcomes" / f"{one}.jsonl" for one in (REFERENCE, name)]
    if name == REFERENCE or not all(path.exists() for path in paths):
        return NOT_MEASURED
    gain = by_tier(*paths, "f16")["basic"].difference
    return f"{gain.difference:+.2f} [{gain.low:+.2f}, {gain.high:+.2f}]"


def _names(root: Path) -> list[str]:
    return [UNTOUCHED, *io.params("methods", path=root / "params.yaml")["methods"]]


def _metrics(root: Path, kind: str, name: str) -> dict[str, Any] | None:
    path = root / "metrics" / kind / f"{name}.json"
    return io.read_json(path) if path.exists() else None


def _at(tree: Any, *keys: str) -> Any:
    for key in keys:
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree


def _sizes(root: Path) -> dict[str, float]:
    """Megabytes of each out by path, as dvc.lock has them: the files need not be here."""
    lock = root / "dvc.lock"
    stages = io.read_yaml(lock)["stages"].values() if lock.exists() else []
    return {out["path"]: out["size"] / 1e6 for stage in stages for out in stage.get("outs", [])}


def _number(value: float | None, digits: int) -> str:
    return NOT_MEASURED if value is None else f"{value:.{digits}f}"


@click.command()
@click.argument("readme", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 where a part is stale.")
def main(readme: Path, check: bool) -> None:
    """Write the generated parts of README anew."""
    old = readme.read_text(encoding="utf-8")
    new = fill(old, readme.parent, readme)
    if check and new != old:
        changes = difflib.unified_diff(old.splitlines(), new.splitlines(), "is", "should be", n=0)
        click.echo("\n".join(changes), err=True)
        raise click.ClickException(f"{readme} is stale. To do: make readme, and commit it")
    if not check:
        with io.atomic_file(readme) as scratch:
            scratch.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
