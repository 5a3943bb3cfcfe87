import json
from pathlib import Path

import pytest

from canvas import oracle, wordings
from canvas.intents import INTENTS
from canvas.intents.draws import KINDS
from canvas.sessions import rows

ROWS = list(rows(250, 3, wordings.read(Path("data/wordings/train.yaml"))))


def values(arguments: dict) -> list[str]:
    """The texts that an argument is made of: a time is a date and a time of day."""
    found = []
    for value in arguments.values():
        for item in value if isinstance(value, list) else [value]:
            dated = isinstance(item, str) and item[:2] == "20" and "T" in item
            found += item.split("T") if dated else [str(item)]
    return found


def test_every_argument_was_in_a_request_or_a_result():
    words = {kind: noun for noun, kind in KINDS.items()}
    checked = 0
    for row in (row for row in ROWS if row["outcome"] == "pass"):
        seen = ""
        for message in row["messages"]:
            for call in message.get("tool_calls", ()):
                for value in values(call["function"]["arguments"]):
                    kind = value in words and any(n in seen for n, k in KINDS.items() if k == value)
                    assert value in seen or kind, (value, seen)
                    checked += 1
            seen += message["content"]
    assert checked > 300


def test_every_number_date_and_token_of_an_answer_was_in_a_request_or_a_result():
    for row in (row for row in ROWS if row["outcome"] == "pass"):
        seen = ""
        for message in row["messages"]:
            if message["role"] == "assistant":
                told = message["content"].replace(";", " ").replace(",", " ").split()
                for word in told:
                    word = word.strip('".:')
                    assert not any(c.isdigit() for c in word) or word in seen, (word, seen)
            seen += message["content"]


def test_results_are_json():
    for row in ROWS:
        for message in row["messages"]:
            assert message["role"] != "tool" or isinstance(json.loads(message["content"]), dict)


def test_each_intent_has_one_plan():
    assert set(INTENTS) == {*oracle.CALLS, *oracle.PLANS, *oracle.REPLIES}
    assert len(INTENTS) == len(oracle.CALLS) + len(oracle.PLANS) + len(oracle.REPLIES)


def test_an_unknown_intent_is_an_error():
    with pytest.raises(KeyError):
        oracle.plan("fly", {})
