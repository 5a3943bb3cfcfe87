"""What the nano base reads: conversations about made-up services with made-up tools.

A stand-in for the broad pretraining of a real checkpoint: it teaches the chat and tool-call
format, to pick a tool by its declaration, and to copy ids, dates, numbers and titles from prompt
and result. It knows no tool and no wording of the study planner; fine-tuning adds those.
"""

import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from canvas import io, seeds
from canvas.nano.plans import ACTIONS, play
from canvas.nano.services import Tool, make_tool
from canvas.nano.turns import Turn, clock_time


def rows(count: int, seed: int, bank: dict) -> Iterator[dict]:
    """`count` rows {"text_id", "wording", "messages", "tools"}; each by seed and place."""
    for index in range(count):
        rng = seeds.rng("base", seed, index)
        wording, messages, tools = conversation(rng, bank)
        yield {
            "text_id": f"base-{index}",
            "wording": wording,
            "messages": messages,
            "tools": tools,
        }


def load_bank(path: Path) -> dict:
    """The word bank, data/wordings/base.yaml."""
    return io.read_yaml(path)


def conversation(rng: random.Random, bank: dict) -> tuple[list[str], list[dict], list[dict]]:
    """One conversation of one to three user turns: (wording ids, messages, tools)."""
    now = date(2024, 1, 1) + timedelta(days=rng.randrange(1200))
    clock = f"{now}T{clock_time(rng)} {now:%a}"
    messages = [{"role": "system", "content": f"{rng.choice(bank['systems'])} Now: {clock}."}]
    needed: list[Tool] = []
    wordings = []
    for _ in range(rng.choices([1, 2, 3], [5, 3, 2])[0]):
        turn = Turn(rng, bank, now, needed)
        wordings.append(play(turn))
        messages += turn.messages
    tools = list({tool.name: tool for tool in needed}.values())
    declared = rng.randint(4, 6)
    while len(tools) < declared:
        noun = rng.choice(tools).noun if tools and rng.random() < 0.5 else rng.choice(bank["nouns"])
        other = make_tool(rng, bank, rng.choice(ACTIONS), noun)
        if other.name not in {tool.name for tool in tools}:
            tools.append(other)
    rng.shuffle(tools)
    return wordings, messages, [tool.declaration() for tool in tools]
