"""Rows: scenarios of a tier in any number, each from the seed and its number alone."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from canvas import expectations, io
from canvas.families import generate
from canvas.intents import basic
from canvas.scenarios import SUFFIXES

WORDED = Path("data/scenarios/basic.yaml")
# Of a line: nothing is folded.
WIDTH = 4096


def planning_rows(count: int, seed: int) -> Iterator[dict]:
    """Rows of tier planning, as `canvas.scenarios` reads them."""
    return generate(count, seed)


def basic_rows(count: int, seed: int) -> Iterator[dict]:
    """Rows of tier basic: the wordings of WORDED in other worlds than its own."""
    for scenario in basic.more(io.read_yaml(WORDED), WORDED, count, seed):
        sizes = {key: list(size) for key, size in basic.SIZES.items()}
        row = {
            "tier": scenario.tier,
            "id": scenario.id,
            "family": scenario.family,
            "prompt": scenario.prompt,
            "tools": list(scenario.tools),
            "world": {"seed": scenario.world.args[0], **sizes},
            "expect": [expectations.plain(rule) for rule in scenario.expect],
            "facts": [list(forms) for forms in scenario.facts],
            "unsaid": list(scenario.unsaid),
            "asks": scenario.asks,
            "silent": scenario.silent,
        }
        yield {key: value for key, value in row.items() if value}


TIERS: dict[str, Callable[[int, int], Iterator[dict]]] = {
    "basic": basic_rows,
    "planning": planning_rows,
}


def write(rows: Iterable[dict], out: Path, note: str) -> int:
    """Write rows of one tier as YAML to be read, or as JSON Lines; returns their number.

    `note` heads a YAML file, as a comment. Raises BadInput where the suffix of `out` is neither.
    """
    if out.suffix == ".jsonl":
        return io.write_rows(out, rows)
    if out.suffix != ".yaml":
        raise io.BadInput(out, "unknown kind of file", remedy=f"one of {', '.join(SUFFIXES)}")
    return _write_yaml(list(rows), out, note)


def _write_yaml(rows: list[dict], out: Path, note: str) -> int:
    from ruamel.yaml import YAML
    from ruamel.yaml.comments import CommentedMap

    yaml = YAML()
    yaml.width = WIDTH
    yaml.indent(mapping=2, sequence=4, offset=2)
    scenarios = [{key: value for key, value in row.items() if key != "tier"} for row in rows]
    document = CommentedMap(tier=rows[0]["tier"], scenarios=_flowing(scenarios))
    document.yaml_set_start_comment(note)
    with io.atomic_file(out) as scratch:
        yaml.dump(document, scratch)
    return len(rows)


def _flowing(value: object, depth: int = 0):
    """The same for YAML: what lies deeper than a scenario's fields on one line each."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    if isinstance(value, dict):
        made = CommentedMap((key, _flowing(part, depth + 1)) for key, part in value.items())
    elif isinstance(value, list):
        made = CommentedSeq(_flowing(part, depth + 1) for part in value)
    else:
        return value
    if depth > 1 and not _holds_records(value):
        made.fa.set_flow_style()
    return made


def _holds_records(value: dict | list) -> bool:
    parts = value.values() if isinstance(value, dict) else value
    return any(
        isinstance(part, dict) or (isinstance(part, list) and _holds_records(part))
        for part in parts
    )
