"""Scoring: was a scenario passed, judged on final state, side effects, facts and a clean end.

| field | true when |
|---|---|
| state | every rule of `expect` holds, and none of the changes it speaks of is off |
| forbidden | no `forbid` rule selects a change, nothing changed unasked, no call where `silent` |
| facts | the answer states every fact and nothing of `unsaid`, and asks where it must |
| finished | the loop ended with an answer |

A change that no rule covers is a wrong state where a rule of `expect` speaks of its kind (for
proposals: of its event); otherwise it is a forbidden side effect. Of several modifications proposed
for one event the last counts; a deletion proposed is never taken back.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from canvas.agent import Transcript
from canvas.expectations import Change, Rule
from canvas.facts import asks, states
from canvas.scenarios import Scenario
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
        and not any(rule.selects(c) for rule in scenario.forbid for c in changes)
        and not (scenario.silent and transcript.calls),
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
    return (
        all(any(states(answer, form) for form in fact) for fact in scenario.facts)
        and not any(states(answer, text) for text in scenario.unsaid)
        and (asks(answer) or not scenario.asks)
    )


@dataclass(frozen=True)
class Result:
    """One scored run: what was asked, with which tools declared, what happened, the verdict."""

    scenario: Scenario
    tools: tuple[str, ...]
    transcript: Transcript
    score: Score
