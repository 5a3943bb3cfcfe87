"""What the base reads: true calls, known tools, and nothing of the study planner."""

from pathlib import Path

import pytest

from canvas import template
from canvas.nano import corpus
from canvas.toolcall import parse_calls
from canvas.tools import DECLARATIONS

BANK = Path("data/wordings/base.yaml")


@pytest.fixture(scope="module")
def bank():
    return corpus.load_bank(BANK)


def calls_of(row):
    for message in row["messages"]:
        for call in message.get("tool_calls", []):
            yield call["function"]["name"], call["function"]["arguments"]


def test_a_row_depends_on_seed_and_place_alone(bank):
    few, many = list(corpus.rows(5, 1, bank)), list(corpus.rows(9, 1, bank))
    assert many[:5] == few
    assert list(corpus.rows(5, 2, bank)) != few


def test_every_call_is_declared_with_its_arguments(base_rows):
    for row in base_rows:
        schemas = {t["function"]["name"]: t["function"]["parameters"] for t in row["tools"]}
        for name, arguments in calls_of(row):
            assert list(arguments) == schemas[name]["required"]


def test_rows_declare_four_to_six_tools_or_all_they_need(base_rows):
    for row in base_rows:
        needed = {name for name, _ in calls_of(row)}
        assert 4 <= len(row["tools"]) <= max(6, len(needed))


def test_rendered_calls_parse_back(base_rows):
    for row in base_rows[:100]:
        text = template.render(row["messages"], row["tools"])
        turns = text.partition("<|turn>user")[2]
        assert [(c.name, c.arguments) for c in parse_calls(turns)] == list(calls_of(row))


def test_arguments_stand_in_the_prompt_or_in_a_result(base_rows):
    for row in base_rows:
        for place, message in enumerate(row["messages"]):
            before = " ".join(str(m["content"]) for m in row["messages"][:place])
            for call in message.get("tool_calls", []):
                for value in call["function"]["arguments"].values():
                    for part in value if isinstance(value, list) else str(value).split("T2"):
                        assert part.removeprefix("0")[:10] in before or part in before, (part, row)


def test_no_tool_of_the_planner_is_known(base_rows):
    names = {tool["function"]["name"] for row in base_rows for tool in row["tools"]}
    assert not names & set(DECLARATIONS)
    services = {name.split(".")[0] for name in names}
    assert not services & {name.split(".")[0] for name in DECLARATIONS}


def test_wording_ids_name_lines_of_the_bank(base_rows, bank):
    for row in base_rows:
        for wording in row["wording"]:
            _, action, line = wording.split("/")
            assert int(line) < len(bank[action])
