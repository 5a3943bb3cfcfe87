"""Demands: what an outcome asks of the final state and of the answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from canvas.expectations import Rule
from canvas.facts import contains
from canvas.world import Assignment, Event

Forms = tuple[str, ...]
Record = TypeVar("Record", Assignment, Event)
# How an answer may say that there is nothing.
NONE: Forms = ("nothing", "no", "none", "not", "free", "empty", "clear")
# What the agent reads and plans, how it refuses, and how it asks for a date or time.
READS: Forms = ("courses", "coursework", "classes", "assignments", "deadlines", "grades", "canvas")
PLANS: Forms = ("plan", "planning", "plans", "schedule", "calendar", "study time", "reminders")
REFUSAL: Forms = (
    "sorry", "can't", "cannot", "can not", "unable", "not able", "won't be able", "only able",
    "only help with", "only assist", "not possible", "isn't something", "not something",
    "outside what", "beyond what", "don't have a", "don't have the", "do not have a",
    "do not have the", "no tool",
)  # fmt: skip
WHEN: Forms = (
    "which date", "what date", "which day", "what day", "on which", "what time", "which time",
    "date and time", "day and time", "date and start time", "the date", "a date", "the day",
    "start time", "when should", "when would", "when do", "when shall", "when exactly", "when to",
)  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """Rules on the changes made, and facts that the answer must state, by name.

    A fact is a tuple of alternatives. Without rules nothing may change. The other fields are what
    evaluation asks for beyond that; recorded sessions are judged without them. `also` holds further
    facts, the rest is as in `canvas.scenarios`.
    """

    rules: tuple[Rule, ...] = ()
    facts: dict[str, Forms] = field(default_factory=dict)
    also: tuple[Forms, ...] = ()
    unsaid: tuple[str, ...] = ()
    asks: bool = False
    silent: bool = False


def telling(facts: Iterable[Forms]) -> Outcome:
    """Facts to be told, nothing to be changed."""
    return Outcome(facts={str(number): tuple(forms) for number, forms in enumerate(facts, 1)})


def changing(kind: str, **selectors) -> Outcome:
    """One change of a kind, as the selectors of a rule describe it."""
    return Outcome(rules=(Rule(kind, count=1, **selectors),))


def listing(found: list[Assignment]) -> Outcome:
    """Titles to be told, and dates where they have one."""
    dates = [(str(item.due.date()),) for item in found if item.due]
    return telling([(item.title,) for item in found] + dates or [NONE])


def leaving_out(outcome: Outcome, others: Iterable[Assignment | Event]) -> Outcome:
    """The outcome where no other title may be told, but for one that stands in what must be."""
    told = [form for forms in outcome.facts.values() for form in forms]
    titles = [record.title for record in others]
    return replace(
        outcome, unsaid=tuple(t for t in titles if not any(contains(form, t) for form in told))
    )


def others_of(records: Iterable[Record], found: Sequence[Record]) -> list[Record]:
    """The records that were not found."""
    return [record for record in records if record not in found]
