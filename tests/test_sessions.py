from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from canvas import io, wordings
from canvas.intents import INTENTS
from canvas.intents.basic import FIRST_SEED, world
from canvas.sessions import MAX_CHARACTERS, characters, rows
from canvas.tools import Toolbox
from canvas.trajectory import fault

WORDS = wordings.read(Path("data/wordings/train.yaml"))
ROWS = list(rows(400, 11, WORDS))


def calls(row: dict) -> list[tuple[str, dict]]:
    return [
        (call["function"]["name"], call["function"]["arguments"])
        for message in row["messages"]
        for call in message.get("tool_calls", ())
    ]


def test_deterministic_and_independent_of_each_other():
    again = [io.dumps(row) for row in rows(60, 11, WORDS)]
    assert again == [io.dumps(row) for row in ROWS[:60]]
    assert list(rows(3, 11, WORDS, first=40)) == ROWS[40:43]
    assert list(islice(rows(10**9, 11, WORDS), 2)) == ROWS[:2]


def test_another_seed_gives_other_rows():
    other = {row["world"] for row in rows(60, 12, WORDS)}
    assert not other & {row["world"] for row in ROWS}


def test_every_call_gives_the_recorded_result_in_a_fresh_world():
    for row in ROWS:
        toolbox = Toolbox(world(row["world"]), [t["function"]["name"] for t in row["tools"]])
        results = [m["content"] for m in row["messages"] if m["role"] == "tool"]
        assert [toolbox.call(*call) for call in calls(row)] == results


def test_every_row_renders_and_parses():
    assert [reason for row in ROWS if (reason := fault(row["messages"], row["tools"]))] == []


def test_shares():
    turns = Counter(len(row["wordings"]) for row in ROWS)
    assert 0.18 <= (turns[2] + turns[3]) / len(ROWS) <= 0.32
    outcomes = Counter(row["outcome"] for row in ROWS)
    assert 0.04 <= outcomes["fail"] / len(ROWS) <= 0.13
    intents = {name.split("/")[0] for row in ROWS for name in row["wordings"]}
    assert intents == set(INTENTS)


def test_a_failed_row_says_where_it_went_wrong():
    for row in ROWS:
        assert (row["deviation"] is None) == (row["outcome"] == "pass")
        if row["deviation"]:
            assert row["messages"][row["deviation"]["message"]]["role"] == "assistant"


def test_all_turns_take_the_same_line_of_the_wordings_file():
    for row in ROWS:
        lines = {name.split("/")[1] for name in row["wordings"]}
        assert {f"wording-{int(line):02d}" for line in lines} == {row["wording"]}


def test_worlds_are_not_those_of_the_evaluation():
    assert all(0 <= row["world"] < FIRST_SEED for row in ROWS)


@pytest.mark.parametrize("size", [(4, 6), (18, 18)])
def test_tools_declared(size):
    for row in rows(20, 1, WORDS, size):
        names = [tool["function"]["name"] for tool in row["tools"]]
        assert {name for name, _ in calls(row)} <= set(names)
        assert size[0] <= len(set(names)) == len(names) <= size[1]


def test_rows_stay_short():
    sizes = sorted(characters(row["messages"]) for row in ROWS)
    assert sizes[-1] <= MAX_CHARACTERS
    assert sizes[len(sizes) // 2] <= MAX_CHARACTERS / 2
