"""Summary: the figures of one model over scored runs, and the verdicts behind them by scenario."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean

from canvas.agent import Transcript
from canvas.backends.base import Reply
from canvas.faults import FAILURE
from canvas.reliability import KS, interval, pass_hat
from canvas.scoring import FIELDS, Result
from canvas.toolcall import ToolCall, parse_calls
from canvas.tools import TOOLS
from canvas.tools.arguments import check
from canvas.tools.base import ToolError

CHANGING = ("calendar.create_event", "calendar.modify_event", "calendar.delete_event")


def summary(results: Sequence[Result], seed: int = 0) -> dict:
    """Figures as the metrics file holds them; `seed` is that of the intervals.

    Tiers: `n` runs and, for each k of KS that every scenario has runs for, `pass_k` with its
    interval over scenarios, `pass_k_low` to `pass_k_high`. `families`: `pass_1` and `n`.
    `parse_rate`: of the model turns with a call marker, the share whose calls were all read
    completely. `repaired_rate`: of the calls that a lenient reading makes out, the share that it
    had to mend, whether the run was lenient or not. Of the calls run, `known_tool_rate` is the
    share that name a declared tool, `schema_valid_rate` that also satisfy its schema,
    `redundant_rate` that repeat a call with nothing changed between. `turns_mean`; `stopped`: how
    the loops ended, as shares; `failed`: the share of runs with each field out of order. A rate of
    nothing is 0. None makes up for another.
    """
    transcripts = [result.transcript for result in results]
    checks = [check for result in results for check in _call_checks(result)]
    read = [call for t in transcripts for turn in t.turns for call in _readable(turn)]
    return {
        **{tier: _tier(runs, seed) for tier, runs in _grouped(results, "tier").items()},
        "families": {name: _pass_1(runs) for name, runs in _grouped(results, "family").items()},
        "parse_rate": _ratio(
            sum(t.parsed_turns for t in transcripts), sum(t.marked_turns for t in transcripts)
        ),
        "known_tool_rate": _share(known for known, _ in checks),
        "schema_valid_rate": _share(valid for _, valid in checks),
        "redundant_rate": _ratio(sum(map(redundant_calls, transcripts)), len(checks)),
        "repaired_rate": _share(bool(call.repairs) for call in read),
        "calls": len(checks),
        "turns_mean": _ratio(sum(len(t.turns) for t in transcripts), len(transcripts)),
        "failed": {name: _share(name in r.score.failed for r in results) for name in FIELDS},
        "stopped": {
            reason: _share(t.stopped == reason for t in transcripts)
            for reason in sorted({t.stopped for t in transcripts})
        },
    }


def verdicts(results: Sequence[Result], **named: str) -> Iterator[dict]:
    """One JSON-able row a scenario, in their order, with the fields `named`.

    `failed` lists for each run the fields out of order: an empty list is a run that passed.
    """
    for runs in _by_scenario(results):
        case = runs[0].scenario
        yield {
            **named,
            "tier": case.tier,
            "family": case.family,
            "scenario": case.id,
            "failed": [list(run.score.failed) for run in runs],
        }


def redundant_calls(transcript: Transcript) -> int:
    """Calls that were made before with nothing changed between, but for a service that failed."""
    seen: set[tuple[str, str]] = set()
    count = 0
    for call in transcript.calls:
        if not call.ran or call.result == FAILURE:
            continue
        made = (call.name, repr(sorted(call.arguments.items())))
        count += made in seen
        if call.name in CHANGING and not call.result.startswith('{"error"'):
            seen.clear()
        seen.add(made)
    return count


def _readable(reply: Reply) -> list[ToolCall]:
    """The calls of a turn as a lenient reading has them; of some servers there is no raw text."""
    calls = parse_calls(reply.raw, lenient=True) or reply.calls
    return [call for call in calls if call.complete]


def _tier(results: Sequence[Result], seed: int) -> dict:
    counts = [(sum(run.score.passed for run in runs), len(runs)) for runs in _by_scenario(results)]
    figures = {"n": len(results)}
    for k in KS:
        if k <= min(runs for _, runs in counts):
            values = [pass_hat(passed, runs, k) for passed, runs in counts]
            low, high = interval(values, seed)
            figures |= {
                f"pass_{k}": round(fmean(values), 4),
                f"pass_{k}_low": round(low, 4),
                f"pass_{k}_high": round(high, 4),
            }
    return figures


def _pass_1(results: Sequence[Result]) -> dict:
    return {"pass_1": _share(result.score.passed for result in results), "n": len(results)}


def _by_scenario(results: Sequence[Result]) -> Iterable[list[Result]]:
    """The runs of each scenario, in the order of their first."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        groups[result.scenario.id].append(result)
    return groups.values()


def _grouped(results: Sequence[Result], key: str) -> dict[str, list[Result]]:
    groups = defaultdict(list)
    for result in results:
        groups[getattr(result.scenario, key)].append(result)
    return dict(sorted(groups.items()))


def _call_checks(result: Result) -> Iterable[tuple[bool, bool]]:
    for call in result.transcript.calls:
        if call.ran:
            known = call.name in result.tools
            yield known, known and _schema_valid(call.name, call.arguments)


def _schema_valid(name: str, arguments: dict) -> bool:
    try:
        check(TOOLS[name], arguments)
    except ToolError:
        return False
    return True


def _share(flags: Iterable[bool]) -> float:
    flags = list(flags)
    return _ratio(sum(flags), len(flags))


def _ratio(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
