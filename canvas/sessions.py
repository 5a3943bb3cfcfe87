"""Sessions: recorded conversations of the oracle with made-up users, each call run for real.

A row is {"session_id", "wording", "wordings", "intent", "outcome", "deviation", "world",
"messages", "tools"}. `wording` is the key to split by: it names the line of the wordings file that
every user turn of the row takes its wording from, so that rows of different keys share no wording;
`wordings` names them one by one. `deviation` is null or {"kind", "message"}: the place of the
message that went wrong. `world` is the seed for `canvas.intents.basic.world`.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count as counting

from canvas import io, seeds
from canvas.agent import Transcript, system_prompt
from canvas.clumsy import blunder
from canvas.intents import INTENTS, Intent
from canvas.intents.basic import FIRST_SEED, Size, declared, scenario, world
from canvas.oracle import follow, plan
from canvas.scoring import score
from canvas.tools import Toolbox
from canvas.wordings import Wordings, phrase

# Chance of an intent by its kind; calls that build on a result need more rows to be learned.
WEIGHTS = {"single": 1.0, "pair": 1.1, "none": 0.5}
TURNS = ((1, 75), (2, 21), (3, 4))
FAIL_SHARE = 0.08
WORLDS = 12
# Of what is said, called and answered: with six declarations the row stays below 640 nano tokens.
MAX_CHARACTERS = 1450
MARKERS = 30


@dataclass
class Turn:
    """One request of the user and what came of it."""

    intent: Intent
    wording: str
    prompt: str
    transcript: Transcript
    passed: bool
    slip: tuple[str, int] | None = None


@dataclass
class Draft:
    """A session in the making: its random numbers, world, toolbox and the line of its wordings."""

    rng: random.Random
    world_seed: int
    toolbox: Toolbox
    line: int
    turns: list[Turn] = field(default_factory=list)


def rows(
    number: int, seed: int, words: Wordings, size: Size = (4, 6), *, first: int = 0
) -> Iterator[dict]:
    """`number` rows from row `first` on; each depends on the seed and its place only.

    `size` is the least and the most tools that a prompt declares.
    """
    for place in range(first, first + number):
        drafts = (_session(seed, place, attempt, words, size) for attempt in counting())
        draft = next(draft for draft in drafts if draft is not None)
        yield _row(f"session-{place:06d}", draft)


def characters(messages: list[dict]) -> int:
    """Characters of what is said, called and answered and of its markers, without declarations."""
    calls = [call["function"] for m in messages for call in m.get("tool_calls", ())]
    said = sum(len(m["content"]) for m in messages) + sum(len(io.dumps(call)) for call in calls)
    return said + MARKERS * len(messages)


def _session(seed: int, place: int, attempt: int, words: Wordings, size: Size) -> Draft | None:
    """One session, or None where the drawn intents, line and world do not go together."""
    # Several worlds are tried for the same intents: otherwise the demanding ones would be rare.
    rng = seeds.rng("request", seed, place, attempt // WORLDS)
    clumsy = rng.random() < FAIL_SHARE
    turns = 1 if clumsy else rng.choices(*zip(*TURNS, strict=True))[0]
    intents = [_intent(rng) for _ in range(turns)]
    line = rng.randrange(max(map(len, words.patterns.values())))
    needed = tuple(dict.fromkeys(name for intent in intents for name in intent.tools))
    if len(needed) > size[1] or any(line >= len(words.patterns[i.name]) for i in intents):
        return None
    rng = seeds.rng("session", seed, place, attempt)
    world_seed = rng.randrange(FIRST_SEED)
    toolbox = Toolbox(world(world_seed), declared(needed, size, rng))
    draft = Draft(rng, world_seed, toolbox, line)
    for intent in intents:
        turn = _turn(draft, intent, words, clumsy)
        if turn is None or turn.passed == clumsy:
            return None
        draft.turns.append(turn)
    return draft if characters(_messages(draft)[0]) <= MAX_CHARACTERS else None


def _intent(rng: random.Random) -> Intent:
    intents = list(INTENTS.values())
    return rng.choices(intents, [WEIGHTS[intent.kind] for intent in intents])[0]


def _turn(draft: Draft, intent: Intent, words: Wordings, clumsy: bool) -> Turn | None:
    rng, toolbox = draft.rng, draft.toolbox
    slots = intent.draw(toolbox.world, rng)
    if slots is None:
        return None
    pattern = words.patterns[intent.name][draft.line]
    prompt = phrase(pattern, slots, words, rng, plain=intent.plain)
    outcome = intent.outcome(toolbox.world, slots)
    judged = scenario("", "", intent, prompt, draft.world_seed, toolbox.names, outcome)
    before, slip = toolbox.world.snapshot(), None
    if clumsy:
        place = rng.randrange(2) if intent.kind == "pair" else 0
        made = blunder(plan(intent.name, slots), toolbox, place, rng)
        if made is None:
            return None
        transcript, *slip = made
    else:
        transcript = follow(plan(intent.name, slots), toolbox)
    passed = score(judged, before, toolbox.world.snapshot(), transcript).passed
    wording = f"{intent.name}/{draft.line + 1:03d}"
    return Turn(intent, wording, prompt, transcript, passed, slip and tuple(slip))


def _row(session_id: str, draft: Draft) -> dict:
    messages, deviation = _messages(draft)
    return {
        "session_id": session_id,
        "wording": f"wording-{draft.line + 1:02d}",
        "wordings": [turn.wording for turn in draft.turns],
        "intent": "+".join(turn.intent.name for turn in draft.turns),
        "outcome": "pass" if all(turn.passed for turn in draft.turns) else "fail",
        "deviation": deviation,
        "world": draft.world_seed,
        "messages": messages,
        "tools": draft.toolbox.declarations,
    }


def _messages(draft: Draft) -> tuple[list[dict], dict | None]:
    """The conversation, and where it went wrong."""
    messages = [{"role": "system", "content": system_prompt(draft.toolbox.world.now)}]
    deviation = None
    for turn in draft.turns:
        messages.append({"role": "user", "content": turn.prompt})
        if turn.slip:
            deviation = {"kind": turn.slip[0], "message": len(messages) + turn.slip[1]}
        messages += turn.transcript.messages
    return messages, deviation
