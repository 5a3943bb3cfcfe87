"""Agent test cases: what a user asks in which world, and by what the outcome is judged.

A scenario is judged on the final state, on side effects, and on what the answer states, never on
the list of calls. `expect` holds rules (`canvas.expectations`) that must hold of the changes made;
`forbid` rules that must select none; `facts` what the answer must state (`canvas.facts`), each a
tuple of alternatives; `unsaid` what it must not; `asks` that it must put a question. An empty
`expect` means that nothing may change. The one exception: a scenario that is `silent` must be
answered without any call. `faults` are failures of tools (`canvas.faults`).

A YAML file of scenarios has a `tier` and either a list `scenarios`, written out like this, or
wordings that `canvas.intents` expands. A JSON Lines file has one scenario a line, `tier` among its
fields: for benchmarks of thousands.

    tier: planning
    scenarios:
      - id: busy-thursday
        family: busy-calendar
        prompt: Put an hour of "Essay Draft" into the first gap on 2026-03-05.
        tools: [calendar.list_events, calendar.find_free_blocks, calendar.create_event]
        world: {now: 2026-03-02T09:00, events: [{event: E1, title: Lab, start: …, minutes: 90}]}
        expect: [{created: {title: Essay Draft, start: 2026-03-05T10:30, minutes: 60, count: 1}}]
        forbid: [{created: {before: 2026-03-05}}]
        facts: ["10:30", [one hour, 60 minutes]]
        faults: {calendar.find_free_blocks: 1}

`world` is what `World.from_dict` reads, or `{seed: 7, …sizes}` for `World.generate`.
"""

import copy
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ruamel.yaml import YAMLError

from canvas import io
from canvas.expectations import Rule, rule_from
from canvas.tools import DECLARATIONS
from canvas.world import World

SUFFIXES = (".jsonl", ".yaml")
ALWAYS = "always"


@dataclass(frozen=True)
class Scenario:
    """One test case. `world` makes a fresh world each time; `tools` names what the prompt declares.

    `tier` is `basic` or `planning`; `family` names the intent or the plan that the oracle follows.
    """

    id: str
    tier: str
    family: str
    prompt: str
    world: Callable[[], World]
    tools: tuple[str, ...]
    expect: tuple[Rule, ...] = ()
    forbid: tuple[Rule, ...] = ()
    facts: tuple[tuple[str, ...], ...] = ()
    unsaid: tuple[str, ...] = ()
    asks: bool = False
    silent: bool = False
    faults: Mapping[str, float] = field(default_factory=dict)


def load(path: Path) -> list[Scenario]:
    """Scenarios of a file (YAML, JSON Lines), or of all in a folder, in the order of file names.

    Raises BadInput, with file, scenario and field, on anything that cannot be used.
    """
    path = Path(path)
    files = sorted(f for f in path.iterdir() if f.suffix in SUFFIXES) if path.is_dir() else [path]
    if not files:
        wanted = " or ".join(f"*{suffix}" for suffix in SUFFIXES)
        raise io.BadInput(path, f"no {wanted} file", remedy="put the scenarios back")
    scenarios = [scenario for file in files for scenario in _load_file(file)]
    _refuse_twins(scenarios, path)
    return scenarios


def _load_file(path: Path) -> list[Scenario]:
    if path.suffix == ".jsonl":
        return [_tiered(row, path, place) for place, row in enumerate(io.read_rows(path), 1)]
    try:
        document = io.read_yaml(path)
    except (YAMLError, UnicodeDecodeError) as error:
        raise io.BadInput(path, f"not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(document, dict) or not isinstance(document.get("tier"), str):
        raise io.BadInput(path, "no name of a tier", field="tier")
    if "scenarios" not in document:
        from canvas import intents  # the other form of file; imported late, as intents reads this

        return intents.scenarios(document, path)
    if not isinstance(document["scenarios"], list):
        raise io.BadInput(path, "not a list", field="scenarios")
    return [
        _scenario(values, document["tier"], path, place)
        for place, values in enumerate(document["scenarios"], 1)
    ]


def _tiered(row: dict, path: Path, place: int) -> Scenario:
    tier = row.get("tier")
    if not isinstance(tier, str):
        raise io.BadInput(path, "no name of a tier", line=place, field="tier")
    return _scenario({k: v for k, v in row.items() if k != "tier"}, tier, path, place)


def _scenario(values: Any, tier: str, path: Path, place: int) -> Scenario:
    name = values.get("id") if isinstance(values, dict) else None
    if not isinstance(name, str):
        raise io.BadInput(path, "no text", field=f"scenarios[{place}].id")
    unknown = sorted(set(map(str, values)) - _READERS.keys())
    if unknown:
        raise _bad(path, name, unknown[0], f"unknown field; known are {', '.join(_READERS)}")
    read = {}
    for key, reader in _READERS.items():
        if key not in values and key in _OPTIONAL:
            continue
        if key not in values:
            raise _bad(path, name, key, "missing")
        try:
            read[key] = reader(values[key])
        except ValueError as error:
            raise _bad(path, name, key, str(error)) from error
    return Scenario(tier=tier, **read)


def _bad(path: Path, name: str, field: str, reason: str) -> io.BadInput:
    return io.BadInput(path, f"scenario {name!r}: {reason}", field=field)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("not a text")
    return value


def _tools(value: Any) -> tuple[str, ...]:
    for name in _items(value):
        if name not in DECLARATIONS:
            raise ValueError(f"unknown tool {name!r}")
    return tuple(value)


def _world(value: Any) -> Callable[[], World]:
    """A factory of fresh worlds; one is made here, so that a bad setup is found on loading."""
    if not isinstance(value, dict):
        raise ValueError("not a mapping")
    if "seed" in value:
        sizes = {key: tuple(_items(size)) for key, size in value.items() if key != "seed"}
        factory = partial(World.generate, value["seed"], **sizes)
        try:
            factory()
        except TypeError as error:
            raise ValueError(str(error)) from error
        return factory
    for key, rows in value.items():
        if key != "now" and not isinstance(rows, list):
            raise ValueError(f"World: {key}: not a list")
    return partial(copy.deepcopy, World.from_dict(value))


def _rules(value: Any) -> tuple[Rule, ...]:
    rules = []
    for item in _items(value):
        if not isinstance(item, dict) or len(item) != 1:
            raise ValueError("each rule is one kind of change with its selectors and demands")
        rules += [rule_from(kind, conditions or {}) for kind, conditions in item.items()]
    return tuple(rules)


def _facts(value: Any) -> tuple[tuple[str, ...], ...]:
    return tuple(
        _words(fact) if isinstance(fact, list) else _words([fact]) for fact in _items(value)
    )


def _words(value: Any) -> tuple[str, ...]:
    words = _items(value)
    if not words or any(isinstance(word, dict | list | bool | None) for word in words):
        raise ValueError("not texts or numbers")
    return tuple(str(word) for word in words)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("not true or false")
    return value


def _faults(value: Any) -> dict[str, float]:
    if not isinstance(value, dict):
        raise ValueError("not a mapping of tools to numbers")
    _tools(list(value))
    for name, times in value.items():
        if times != ALWAYS and (isinstance(times, bool) or not isinstance(times, int) or times < 1):
            raise ValueError(f"{name}: not a number of failures, or {ALWAYS}")
    return {name: math.inf if times == ALWAYS else times for name, times in value.items()}


def _items(value: Any) -> list:
    if not isinstance(value, list):
        raise ValueError("not a list")
    return value


_READERS: dict[str, Callable[[Any], Any]] = {
    "id": _text,
    "family": _text,
    "prompt": _text,
    "tools": _tools,
    "world": _world,
    "expect": _rules,
    "forbid": _rules,
    "facts": _facts,
    "unsaid": _words,
    "asks": _flag,
    "silent": _flag,
    "faults": _faults,
}
_OPTIONAL = {"expect", "forbid", "facts", "unsaid", "asks", "silent", "faults"}


def _refuse_twins(scenarios: list[Scenario], path: Path) -> None:
    seen: set[str] = set()
    for scenario in scenarios:
        if scenario.id in seen:
            raise _bad(path, scenario.id, "id", "occurs twice")
        seen.add(scenario.id)
