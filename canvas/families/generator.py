"""Generator: planning scenarios by number, each from the seed and its number alone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from canvas import io, wordings
from canvas.backends.scripted import Call, Plan
from canvas.families.draft import Draft
from canvas.families.scene import Scene
from canvas.families.table import family
from canvas.intents.basic import declared

TIER = "planning"
TOOLS = (4, 6)
TRIES = 500
WORDINGS = Path(__file__).with_name("wordings.yaml")


@dataclass(frozen=True)
class Made:
    """One generated scenario: its row as `canvas.scenarios` reads it, the plan that passes it, and
    the call that obeys an order hidden in its world, where there is one."""

    row: dict
    plan: Callable[[], Plan]
    lure: Call | None


def generate(count: int, seed: int) -> Iterator[dict]:
    """Rows of `count` scenarios; the first ones of a longer benchmark of the same seed."""
    for number in range(count):
        yield made(seed, number).row


def made(seed: int, number: int) -> Made:
    """Scenario `number` of a seed. Raises ValueError where its family finds no world for it."""
    name, draw = family(number)
    for attempt in range(TRIES):
        scene = Scene(seed, number, attempt)
        draft = draw(scene)
        if draft is not None:
            return Made(_row(f"{name}/{seed}-{number:04d}", name, draft), draft.plan, draft.lure)
    raise ValueError(f"no world for {name} in {TRIES} tries from seed {seed}, number {number}")


@cache
def patterns() -> dict[str, tuple[str, ...]]:
    """The wordings of each family, by name."""
    return {name: wordings.lines(block) for name, block in io.read_yaml(WORDINGS).items()}


def _row(id_: str, name: str, draft: Draft) -> dict:
    rng = draft.scene.rng
    pattern = wordings.choose(rng.choice(patterns()[draft.wording or name]), rng)
    row = {
        "tier": TIER,
        "id": id_,
        "family": name,
        "prompt": wordings.fill(pattern, draft.slots),
        "tools": list(declared(draft.tools, TOOLS, rng)),
        "world": _short(draft.scene.world.to_dict()),
    }
    fields = ("expect", "forbid", "facts", "unsaid", "asks", "silent", "faults")
    return row | {key: value for key in fields if (value := getattr(draft, key))}


def _short(world: dict) -> dict:
    """The world without what reading it fills in: empty lists, and items that are open."""
    lists = {key: value for key, value in world.items() if value}
    items = [
        {key: value for key, value in item.items() if (key, value) != ("status", "OPEN")}
        for item in lists.get("assignments", ())
    ]
    return lists | ({"assignments": items} if items else {})
