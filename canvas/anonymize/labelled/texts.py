"""Templates filled with values: texts of which every personal span is known."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from canvas.anonymize.labelled.values import Values
from canvas.io import read_yaml

_SLOT = re.compile(r"\{(\w+)\}")
SETS = {
    "tuning": Path(__file__).parent / "tuning.yaml",
    "heldout": Path(__file__).parent / "heldout.yaml",
}


class Label(NamedTuple):
    """text[start:end] is personal, of this kind."""

    start: int
    end: int
    kind: str


class Labelled(NamedTuple):
    """A text, the policy it is masked by (`prose` or `title`) and its labels."""

    text: str
    policy: str
    labels: list[Label]


def generate(
    which: str, rounds: int, seed: int, names: dict[str, Callable[[], str]] | None = None
) -> Iterator[Labelled]:
    """Every template of a set, `rounds` times with other values; one without slots once."""
    templates = read_yaml(SETS[which])
    values = Values(seed, names)
    for policy in ("prose", "title"):
        for template in templates[policy].strip().splitlines():
            for _ in range(rounds if _SLOT.search(template) else 1):
                yield fill(template, policy, values)


def fill(template: str, policy: str, values: Values) -> Labelled:
    """One template with a value in each slot; `\\n` is a line break."""
    text, labels, position = "", [], 0
    template = template.replace("\\n", "\n")
    for slot in _SLOT.finditer(template):
        text += template[position : slot.start()]
        kind, value = values.draw(slot[1])
        if kind:
            labels.append(Label(len(text), len(text) + len(value), kind))
        text, position = text + value, slot.end()
    return Labelled(text + template[position:], policy, labels)
