"""Profile: the keys of params.yaml that differ on another machine, merged in, comments kept.

`python -m canvas.profile gb10` merges profiles/nano.yaml, the way back, then profiles/gb10.yaml,
so that the result depends on the last name given and on nothing before it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from ruamel.yaml import YAML, RoundTripRepresenter, YAMLError
from ruamel.yaml.comments import CommentedMap

from canvas import io

BASE = "nano"


class _Representer(RoundTripRepresenter):
    """Writes `null`, where ruamel.yaml leaves the value out."""


_Representer.add_representer(
    type(None), lambda self, _: self.represent_scalar("tag:yaml.org,2002:null", "null")
)


def apply(name: str, params: Path, folder: Path) -> None:
    """Merge the base profile and then `name` into the params file. Raises BadInput on a bad one."""
    known = sorted(path.stem for path in folder.glob("*.yaml"))
    if name not in known:
        remedy = f"choose one of {', '.join(known)}: make profile NAME={BASE}"
        raise io.BadInput(folder / f"{name}.yaml", "no such profile", remedy=remedy)
    tree = load(params)
    for step in dict.fromkeys((BASE, name)):
        path = folder / f"{step}.yaml"
        merge(tree, load(path), path)
    save(params, tree)


def merge(params: CommentedMap, profile: CommentedMap, path: Path) -> None:
    """Set the profile's values in `params`; mappings are merged, lists replaced.

    Raises BadInput, with the line of `path`, on a key that params lacks and where one side has a
    mapping and the other a value.
    """
    _check(params, profile, path, "")
    _set(params, profile)


def load(path: Path) -> CommentedMap:
    """A YAML file with its comments. Raises BadInput where it does not hold a mapping."""
    try:
        tree = _yaml().load(path.read_text(encoding="utf-8"))
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else None
        reason = f"not YAML ({getattr(error, 'problem', error)})"
        raise io.BadInput(path, reason, line=line, remedy="correct it") from error
    if not isinstance(tree, CommentedMap):
        raise io.BadInput(path, "not a mapping of keys to values", remedy="see params.yaml")
    return tree


def save(path: Path, tree: CommentedMap) -> None:
    """Write a tree of `load`; what was not changed keeps its bytes."""
    with io.atomic_file(path) as scratch, scratch.open("w", encoding="utf-8", newline="\n") as file:
        _yaml().dump(tree, file)


def leaves(tree: dict, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted key and value of each value of a nested mapping."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _check(params: dict, profile: CommentedMap, path: Path, prefix: str) -> None:
    for key, value in profile.items():
        line, name = profile.lc.key(key)[0] + 1, f"{prefix}{key}"
        if key not in params:
            remedy = "correct the key, or add it to params.yaml with its nano value"
            raise io.BadInput(
                path, "params.yaml has no such key", line=line, field=name, remedy=remedy
            )
        if isinstance(value, dict) != isinstance(params[key], dict):
            reason = "is a mapping on one side and a value on the other"
            raise io.BadInput(path, reason, line=line, field=name, remedy="follow params.yaml")
        if isinstance(value, dict):
            _check(params[key], value, path, f"{name}.")


def _set(params: dict, profile: dict) -> None:
    for key, value in profile.items():
        if isinstance(value, dict):
            _set(params[key], value)
        elif params[key] != value or type(params[key]) is not type(value):
            params[key] = value


def _yaml() -> YAML:
    yaml = YAML()
    yaml.Representer = _Representer
    yaml.preserve_quotes = True
    yaml.width = 10_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


@click.command()
@click.argument("name")
@click.option("--params", default="params.yaml", type=click.Path(exists=True, path_type=Path))
@click.option("--profiles", default="profiles", type=click.Path(exists=True, path_type=Path))
def main(name: str, params: Path, profiles: Path) -> None:
    """Merge the profile NAME into params.yaml."""
    apply(name, params, profiles)
    click.echo(f"{params} now holds the profile {name}. `git diff {params}` shows what changed.")


if __name__ == "__main__":
    main()
