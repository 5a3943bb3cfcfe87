"""Tier basic cannot be passed by luck: the oracle passes all of it, agents without sense fail."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from canvas import wordings
from canvas.backends import Backend, Reply
from canvas.backends.scripted import Plan, ScriptedBackend
from canvas.evaluate import run_scenarios
from canvas.intents import INTENTS
from canvas.intents.basic import slots
from canvas.oracle import plan
from canvas.scenarios import Scenario, load
from canvas.scoring import Result
from canvas.sessions import rows
from canvas.tools import DECLARATIONS

MOST = 0.15
ROWS = 600
# One value for each argument that a tool takes; ids and dates as they occur in worlds.
CONSTANT = {
    "course": "@COURSE7",
    "date": "2026-03-04",
    "days": 7,
    "end": "2026-03-09",
    "event": "E4",
    "exam_date": "2026-04-01",
    "hours": 5,
    "items": ["Quiz 1", "Quiz 2"],
    "minutes": 60,
    "points": 100,
    "sessions": 3,
    "start": "2026-03-02",
    "title": "Study Session",
    "type": "ASGN",
}


@pytest.fixture(scope="module")
def basic() -> list[Scenario]:
    return load(Path("data/scenarios/basic.yaml"))


def played(basic: list[Scenario], choose: Callable[[Scenario], Plan]) -> list[Result]:
    """Each scenario with the plan chosen for it, all tools declared."""
    return [
        result
        for scenario in basic
        for result in run_scenarios(
            ScriptedBackend(lambda _, s=scenario: choose(s)), [scenario], tools="all"
        )
    ]


def passed(results: list[Result]) -> float:
    return sum(result.score.passed for result in results) / len(results)


def oracle(scenario: Scenario) -> Plan:
    """The intent's plan, for the slots that the scenario's seed gives."""
    return plan(scenario.family, slots(scenario))


def constant(scenario: Scenario) -> Plan:
    """Calls the right tools, always with the same arguments, and tells all that came back."""
    told = ["I looked it up."]
    for name in INTENTS[scenario.family].tools:
        wanted = DECLARATIONS[name]["parameters"]["required"]
        arguments = {key: CONSTANT[key] for key in wanted}
        if name in ("calendar.create_event", "calendar.modify_event"):
            arguments["start"] = "2026-03-04T14:00"
        told.append(str((yield name, arguments)))
    return " ".join(told)


def replay(messages: list[dict]) -> Plan:
    """The calls and the answer of a recorded turn, as they were."""
    for message in messages:
        if message.get("tool_calls"):
            functions = [call["function"] for call in message["tool_calls"]]
            yield [(function["name"], function["arguments"]) for function in functions]
    return messages[-1]["content"]


def words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w@:-]+", text.casefold()))


def training_turns() -> list[tuple[frozenset[str], list[dict]]]:
    """Words of each request of the training sessions, and what the oracle did about it."""
    turns: list[tuple[frozenset[str], list[dict]]] = []
    for row in rows(ROWS, 42, wordings.read(Path("data/wordings/train.yaml"))):
        for message in row["messages"][1:] if row["outcome"] == "pass" else ():
            if message["role"] == "user":
                turns.append((words(message["content"]), []))
            else:
                turns[-1][1].append(message)
    return turns


def test_the_oracle_passes_everything(basic):
    results = played(basic, oracle)
    assert [(r.scenario.id, r.score.failed) for r in results if not r.score.passed] == []


class Idle(Backend):
    """Claims to be done without doing anything."""

    def chat(self, messages, tools, **sampling):
        return Reply("Done.", raw="Done.")


def test_doing_nothing_fails_whatever_changes_state(basic):
    results = run_scenarios(Idle(), basic)
    changing = [result for result in results if result.scenario.expect]
    assert len(changing) >= 20
    assert not any(result.score.state for result in changing)
    assert passed(results) == 0


def test_constant_arguments_stay_low(basic):
    results = played(basic, constant)
    assert passed(results) < MOST, [r.scenario.id for r in results if r.score.passed]


def test_the_nearest_training_row_stays_low(basic):
    turns = training_turns()

    def nearest(scenario: Scenario) -> Plan:
        asked = words(scenario.prompt)
        return replay(max(turns, key=lambda t: len(asked & t[0]) / len(asked | t[0]))[1])

    results = played(basic, nearest)
    assert passed(results) < MOST, [r.scenario.id for r in results if r.score.passed]
