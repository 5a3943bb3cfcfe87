"""The summary counts what it says it counts, and verdicts hold every run of a scenario."""

from functools import partial

import pytest

from canvas.agent import CallRecord, Transcript
from canvas.backends import Reply
from canvas.faults import FAILURE
from canvas.reliability import interval, pass_hat
from canvas.scenarios import Scenario
from canvas.scoring import Result, Score
from canvas.summary import redundant_calls, summary, verdicts
from canvas.toolcall import ToolCall, render_call
from canvas.world import World

ESSAY = {"title": "Essay", "start": "2026-03-05T10:00", "minutes": 60}
CREATE = ("calendar.create_event", ESSAY)
REFUSED = '{"error":"conflict with E1"}'


def scenario(name="s", tier="planning", family="f") -> Scenario:
    return Scenario(
        id=name,
        tier=tier,
        family=family,
        prompt="p",
        world=partial(World.from_dict, {"now": "2026-03-02T09:00"}),
        tools=("calendar.create_event", "calendar.modify_event", "calendar.delete_event"),
    )


def result(case, turns=(), calls=(), stopped="answer", passed=True) -> Result:
    transcript = Transcript("", list(calls), stopped, [], list(turns))
    verdict = Score(state=passed, forbidden=True, facts=True, finished=stopped == "answer")
    return Result(case, case.tools, transcript, verdict)


def ran(name: str, arguments: dict, told: str = "{}", *, executed: bool = True) -> CallRecord:
    return CallRecord(name, arguments, told, executed)


def test_summary_counts():
    good, cut = ToolCall(*CREATE), ToolCall("calendar.create_event", {}, complete=False)
    drifted = render_call(*CREATE) + "<|tool_call>canvas.fly{}<tool_call|>"
    mended = ToolCall("canvas.fly", {}, repairs=("no call:",))
    basic = [scenario(str(k), "basic", "create_event") for k in range(3)]
    figures = summary(
        [
            result(
                basic[0],
                [Reply("", [good], render_call(*CREATE)), Reply("Done.", raw="Done.")],
                [ran(*CREATE)],
            ),
            result(basic[1], [Reply("", [good, cut], "…")], [ran(*CREATE)], "cut", passed=False),
            result(basic[2], [Reply("", [], "<|tool_call>")], (), "cut", passed=False),
            result(
                scenario(),
                [Reply("", [good, cut], drifted), Reply("", [mended])],
                [ran("canvas.fly", {}), ran("calendar.delete_event", {"event": 4})],
            ),
        ]
    )
    low, high = (round(edge, 4) for edge in interval([1, 0, 0], 0))
    assert figures["basic"] == {
        "pass_1": 0.3333,
        "pass_1_low": low,
        "pass_1_high": high,
        "n": 3,
    }
    assert figures["planning"]["pass_1"] == 1.0
    assert figures["families"] == {
        "create_event": {"pass_1": 0.3333, "n": 3},
        "f": {"pass_1": 1.0, "n": 1},
    }
    assert figures["parse_rate"] == 0.4
    assert figures["calls"] == 4
    assert figures["known_tool_rate"] == 0.75
    assert figures["schema_valid_rate"] == 0.5
    assert figures["redundant_rate"] == 0.0
    assert figures["repaired_rate"] == 0.4
    assert figures["turns_mean"] == 1.5
    assert figures["stopped"] == {"answer": 0.5, "cut": 0.5}
    assert figures["failed"] == {"state": 0.5, "forbidden": 0.0, "facts": 0.0, "finished": 0.5}


def test_calls_that_were_not_run_count_for_parsing_alone():
    figures = summary([result(scenario(), calls=[ran("canvas.fly", {}, executed=False)])])
    assert (figures["calls"], figures["known_tool_rate"], figures["parse_rate"]) == (0, 0.0, 0.0)


def test_a_known_tool_is_one_that_was_declared():
    figures = summary([result(scenario(), calls=[ran("canvas.list_courses", {})])])
    assert figures["known_tool_rate"] == 0.0


def test_pass_k_needs_k_runs_of_every_scenario():
    always, often, once = scenario("always"), scenario("often"), scenario("once")
    runs = [result(always) for _ in range(8)]
    runs += [result(often, passed=place < 6) for place in range(8)]
    figures = summary(runs)["planning"]
    assert figures["n"] == 16
    assert figures["pass_1"] == 0.875
    assert figures["pass_4"] == pytest.approx((1 + pass_hat(6, 8, 4)) / 2, abs=1e-4)
    assert figures["pass_8"] == 0.5
    assert figures["pass_8_low"] <= figures["pass_8"] <= figures["pass_8_high"]
    assert "pass_4" not in summary([*runs, result(once)])["planning"]


EVENTS = ("calendar.list_events", {"start": "2026-03-05", "end": "2026-03-06"})
TURNED = ("calendar.list_events", {"end": "2026-03-06", "start": "2026-03-05"})


@pytest.mark.parametrize(
    ("calls", "redundant"),
    [
        ([ran(*EVENTS), ran(*EVENTS)], 1),
        ([ran(*EVENTS), ran(*TURNED), ran(*EVENTS)], 2),
        ([ran(*EVENTS), ran(*CREATE), ran(*EVENTS)], 0),
        ([ran(*EVENTS), ran(*CREATE, REFUSED), ran(*EVENTS)], 1),
        ([ran(*CREATE), ran(*CREATE, REFUSED)], 1),
        ([ran(*EVENTS, FAILURE), ran(*EVENTS, FAILURE), ran(*EVENTS)], 0),
        ([ran(*EVENTS), ran(*EVENTS, executed=False)], 0),
        ([ran("canvas.list_courses", {}), ran("canvas.list_courses", {"a": [1]})], 0),
    ],
)
def test_a_redundant_call_repeats_one_with_no_change_between(calls, redundant):
    assert redundant_calls(Transcript(calls=calls)) == redundant


def test_verdicts_hold_the_runs_of_each_scenario_in_order():
    runs = [result(scenario("a"), stopped=stopped) for stopped in ("answer", "cut")]
    runs += [result(scenario("b"), passed=False)]
    assert list(verdicts(runs, method="sft", file="f16")) == [
        {
            "method": "sft",
            "file": "f16",
            "tier": "planning",
            "family": "f",
            "scenario": "a",
            "failed": [[], ["finished"]],
        },
        {
            "method": "sft",
            "file": "f16",
            "tier": "planning",
            "family": "f",
            "scenario": "b",
            "failed": [["state"]],
        },
    ]
