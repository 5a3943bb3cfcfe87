"""Scoring: was a scenario passed, judged on final state, side effects, facts and a clean end.

| field | true when |
|---|---|
| state | every rule of `expect` holds, and none of the changes it speaks of is off |
| forbidden | no `forbid` rule selects a change, and nothing was changed that nobody asked for |
| facts | the answer states every fact and nothing of `unsaid` |
| finished | the loop ended with an answer |

A change that no rule covers is a wrong state where a rule of `expect` speaks of its kind (for
proposals: of its event); otherwise it is a forbidden side effect. Of several modifications proposed
for one event the last counts; a deletion proposed is never taken back.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from canvas.agent import Transcript
from canvas.expectations import Change, Rule
from canvas.facts import states
from canvas.scenarios import Scenario
from canvas.tools import TOOLS
from canvas.tools.arguments import check
from canvas.tools.base import ToolError
from canvas.world import diff

FIELDS = ("state", "forbidden", "facts", "finished")


@dataclass(frozen=True)
class Score:
    """The verdict on one run; each field True when it is in order."""

    state: bool
    forbidden: bool
    facts: bool
    finished: bool

    @property
    def passed(self) -> bool:
        """All fields in order."""
        return not self.failed

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the fields that are not."""
        return tuple(name for name in FIELDS if not getattr(self, name))


def score(scenario: Scenario, before: dict, after: dict, transcript: Transcript) -> Score:
    """The verdict on one run of `scenario`, from the world's snapshots before and after it."""
    difference = diff(before, after)
    changes = changes_of(before, difference)
    stray = [c for c in changes if not any(rule.covers(c) for rule in scenario.expect)]
    off = [c for c in stray if _asked_about(c, scenario.expect)]
    return Score(
        state=not off and all(rule.holds(changes) for rule in scenario.expect),
        forbidden=len(stray) == len(off)
        and not (difference["changed"] or difference["removed"])
        and not any(rule.selects(c) for rule in scenario.forbid for c in changes),
        facts=_told(scenario, transcript.answer),
        finished=transcript.stopped == "answer",
    )


def changes_of(before: dict, difference: dict) -> list[Change]:
    """The changes that count: events created, the last modification of each event, deletions."""
    events = {event["event"]: event for event in (*before["events"], *difference["created"])}
    proposed = {}
    for proposal in difference["proposed"]:
        proposed[proposal["action"], proposal["event"]] = proposal
    changes = [_change("created", event, {}) for event in difference["created"]]
    for (action, key), proposal in proposed.items():
        new = {k: v for k, v in proposal.items() if k not in ("action", "event")}
        changes.append(_change(_KINDS[action], events[key], new))
    return changes


_KINDS = {"modify": "modified", "delete": "deleted"}


def _change(kind: str, event: dict, new: dict) -> Change:
    made = {**event, **new}
    return Change(
        kind=kind,
        event=event["event"],
        title=made["title"],
        start=datetime.fromisoformat(made["start"]).replace(tzinfo=None),
        minutes=made["minutes"],
        altered=frozenset(key for key in new if made[key] != event[key]),
    )


def _asked_about(change: Change, rules: Sequence[Rule]) -> bool:
    """Whether a rule speaks of the change's kind and, for a proposal, of its event."""
    return any(
        rule.kind == change.kind
        and (change.kind == "created" or rule.event in (None, change.event))
        for rule in rules
    )


def _told(scenario: Scenario, answer: str) -> bool:
    return all(any(states(answer, form) for form in fact) for fact in scenario.facts) and not any(
        states(answer, text) for text in scenario.unsaid
    )


@dataclass(frozen=True)
class Result:
    """One scored run: what was asked, with which tools declared, what happened, the verdict."""

    scenario: Scenario
    tools: tuple[str, ...]
    transcript: Transcript
    score: Score


def summary(results: Sequence[Result]) -> dict:
    """Figures of one model over scored runs, as the metrics file holds them.

    Tiers: `{"pass_1", "n"}`, pass_1 the share of runs passed, n the runs. `families` the same by
    family. `parse_rate`: of the model turns with a call marker, the share whose calls were all read
    completely. `known_tool_rate`, `schema_valid_rate`: of the calls run, the share that name a
    declared tool, and that also satisfy its schema. `stopped`: how the loops ended, as shares.
    `failed`: the share of runs with each field out of order. A rate of nothing is 0.
    """
    transcripts = [result.transcript for result in results]
    checks = [check for result in results for check in _call_checks(result)]
    return {
        **{tier: _pass_rate(runs) for tier, runs in _grouped(results, "tier").items()},
        "families": {name: _pass_rate(runs) for name, runs in _grouped(results, "family").items()},
        "parse_rate": _ratio(
            sum(t.parsed_turns for t in transcripts), sum(t.marked_turns for t in transcripts)
        ),
        "known_tool_rate": _share(known for known, _ in checks),
        "schema_valid_rate": _share(valid for _, valid in checks),
        "calls": len(checks),
        "turns_mean": _ratio(sum(len(t.turns) for t in transcripts), len(transcripts)),
        "failed": {name: _share(name in r.score.failed for r in results) for name in FIELDS},
        "stopped": {
            reason: _share(t.stopped == reason for t in transcripts)
            for reason in sorted({t.stopped for t in transcripts})
        },
    }


def _grouped(results: Sequence[Result], key: str) -> dict[str, list[Result]]:
    groups = defaultdict(list)
    for result in results:
        groups[getattr(result.scenario, key)].append(result)
    return dict(sorted(groups.items()))


def _pass_rate(results: Sequence[Result]) -> dict:
    return {"pass_1": _share(result.score.passed for result in results), "n": len(results)}


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
