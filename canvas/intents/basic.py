"""Tier basic: scenarios of one or two calls, one for each pair of a wording and a world seed."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from canvas import io, seeds, wordings
from canvas.intents.demands import Outcome
from canvas.intents.draws import Slots
from canvas.intents.table import INTENTS, Intent
from canvas.scenarios import Scenario
from canvas.tools import DECLARATIONS
from canvas.world import World

# Worlds of training sessions have seeds below, those of evaluation from here on.
FIRST_SEED = 1_000_000_000
NEAR = 50
# Scenarios of one seed of `more`: those of the next seed have other worlds.
MOST = 100_000
# Small worlds: every result is a list that the prompt pays for.
SIZES = {"courses": (2, 4), "assignments": (1, 3), "announcements": (1, 1), "events": (3, 5)}
Size = tuple[int, int]


def scenarios(document: dict, path: Path) -> list[Scenario]:
    """Scenarios of a document with openers, closers, intents, tools_min, tools_max and `seeds`.

    `seeds` gives each intent its world seeds; the k-th goes with the k-th wording, and round again.
    The world is the first from its seed on in which the request makes sense; slots, distractors and
    their order depend on it. Raises BadInput on an unknown intent, a missing field, a seed below
    FIRST_SEED, and a seed with no such world near.
    """
    worded = _read(document, path)
    return [
        _made(worded, name, number, seed, f"{name}/{number + 1:02d}")
        for name, worlds in document["seeds"].items()
        for number, seed in enumerate(worlds)
    ]


def more(document: dict, path: Path, count: int, seed: int) -> Iterator[Scenario]:
    """`count` scenarios worded by a document, in worlds of their own, intents in its proportions.

    Each depends on the seed and its place only. Raises BadInput as `scenarios` does.
    """
    worded = _read(document, path)
    rounds = zip_longest(*([name] * len(worlds) for name, worlds in document["seeds"].items()))
    names = [name for each in rounds for name in each if name]
    for place in range(count):
        round_, turn = divmod(place, len(names))
        name = names[turn]
        number = round_ * len(document["seeds"][name]) + names[:turn].count(name)
        world_seed = 2 * FIRST_SEED + (seed * MOST + place) * NEAR
        yield _made(worded, name, number, world_seed, f"{name}/{seed}-{place:04d}")


class _Worded(NamedTuple):
    """What a document says of all its scenarios."""

    path: Path
    tier: str
    words: wordings.Wordings
    size: Size


def _read(document: dict, path: Path) -> _Worded:
    """Raises BadInput on a missing field, and on an intent that has no wordings."""
    words = wordings.parse(document, path)
    for field in ("tier", "tools_min", "tools_max", "seeds"):
        if not document.get(field):
            raise io.BadInput(path, "missing", field=field)
    for name in document["seeds"]:
        if name not in INTENTS or name not in words.patterns:
            raise io.BadInput(path, "an intent without wordings", field=f"seeds.{name}")
    return _Worded(path, document["tier"], words, (document["tools_min"], document["tools_max"]))


def _made(worded: _Worded, name: str, number: int, seed: int, id_: str) -> Scenario:
    """An intent in its wording `number`, in the first world from `seed` on that fits."""
    patterns = worded.words.patterns[name]
    pattern = patterns[number % len(patterns)]
    near = range(seed, seed + NEAR) if seed >= FIRST_SEED else ()
    drafts = (_drawn(INTENTS[name], pattern, place, worded.words, worded.size) for place in near)
    found = next((draft for draft in drafts if draft), None)
    if found is None:
        raise io.BadInput(worded.path, f"no world for seed {seed}", field=f"seeds.{name}")
    return _strict(scenario(id_, worded.tier, *found), found[-1])


def _strict(judged: Scenario, outcome: Outcome) -> Scenario:
    """The scenario with all that its outcome asks of an evaluation."""
    return replace(
        judged,
        facts=judged.facts + outcome.also,
        unsaid=outcome.unsaid,
        asks=outcome.asks,
        silent=outcome.silent,
    )


def scenario(
    id: str,
    tier: str,
    intent: Intent,
    prompt: str,
    world_seed: int,
    tools: Sequence[str],
    outcome: Outcome,
) -> Scenario:
    """The scenario that judges one request by its outcome."""
    return Scenario(
        id=id,
        tier=tier,
        family=intent.name,
        prompt=prompt,
        world=partial(world, world_seed),
        tools=tuple(tools),
        expect=outcome.rules,
        facts=tuple(outcome.facts.values()),
    )


def slots(scenario: Scenario) -> Slots:
    """The values that the request of a scenario of this tier speaks of, by name.

    Raises ValueError on a scenario of another kind.
    """
    seed = getattr(scenario.world, "args", ())
    if scenario.family not in INTENTS or len(seed) != 1:
        raise ValueError(f"{scenario.id} is no scenario of an intent")
    fresh = scenario.world()
    return INTENTS[scenario.family].draw(fresh, seeds.rng("basic", *seed))


def world(seed: int) -> World:
    """The world of a session or scenario."""
    return World.generate(seed, **SIZES)


def declared(needed: Sequence[str], size: Size, rng: random.Random) -> tuple[str, ...]:
    """The needed tools plus distractors, in seeded order; `size` is the least and most in all.

    Each further distractor is half as likely as the one before: declarations are most of a prompt.
    """
    others = [name for name in DECLARATIONS if name not in needed]
    counts = range(size[0], size[1] + 1)
    drawn = rng.choices(counts, [2.0**-count for count in counts])[0]
    count = max(len(needed), drawn)
    names = [*needed, *rng.sample(others, count - len(needed))]
    rng.shuffle(names)
    return tuple(names)


def _drawn(
    intent: Intent, pattern: str, seed: int, words: wordings.Wordings, size: Size
) -> tuple | None:
    rng, fresh = seeds.rng("basic", seed), world(seed)
    drawn = intent.draw(fresh, rng)
    if drawn is None:
        return None
    prompt = wordings.phrase(pattern, drawn, words, rng, plain=intent.plain)
    return intent, prompt, seed, declared(intent.tools, size, rng), intent.outcome(fresh, drawn)
