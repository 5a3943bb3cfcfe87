"""What a scenario expects of the final state: rules over the changes made to its world.

A rule speaks of one kind of change: `created` events, or proposals to have an event `modified` or
`deleted`. Selectors say which changes it speaks of, demands what must hold of those together.

| selector | a change is selected when |
|---|---|
| event | it concerns this event, as `E4` (modified, deleted) |
| title | its title contains these words (case and punctuation aside) |
| start | it starts then, `2026-03-04T14:00` |
| minutes | it lasts exactly this long |
| on | it starts on this date |
| after, before | it starts at or after, ends at or before this datetime or midnight |
| between | it lies between these times of day, `["08:00", "21:00"]` |

| demand | holds when |
|---|---|
| count | exactly so many changes are selected |
| at_least, at_most | at least (1 unless told), at most so many are |
| total_minutes | together they last at least this long |
| days | they fall on at least so many different dates |
| gap_days | successive dates are at least so many days apart |
| max_minutes | none lasts longer than this |
| max_minutes_a_day | no date holds more than this |

A proposal is judged as the event it would make; a `modified` rule covers it only if the rule names
each field that it changes. `canvas.scoring` says how rules make up a verdict.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from canvas.facts import contains

KINDS = ("created", "modified", "deleted")


@dataclass(frozen=True)
class Change:
    """One change: an event created, or proposed to be modified (as it would be) or deleted.

    `start` is naive local time, `altered` the fields that a modification changes.
    """

    kind: str
    event: str
    title: str
    start: datetime
    minutes: int
    altered: frozenset[str] = frozenset()

    @property
    def end(self) -> datetime:
        """Naive local end, in wall-clock minutes."""
        return self.start + timedelta(minutes=self.minutes)


@dataclass(frozen=True)
class Rule:
    """One expectation; fields as in the module's tables. Without selectors it selects all."""

    kind: str
    event: str | None = None
    title: str | None = None
    start: datetime | None = None
    minutes: int | None = None
    on: date | None = None
    after: datetime | None = None
    before: datetime | None = None
    between: tuple[time, time] | None = None
    count: int | None = None
    at_least: int = 1
    at_most: int | None = None
    total_minutes: int = 0
    days: int = 0
    gap_days: int = 0
    max_minutes: int | None = None
    max_minutes_a_day: int | None = None

    def selects(self, change: Change) -> bool:
        """Whether this rule speaks of `change`."""
        first, last = self.between or (time.min, time.max)
        return (
            change.kind == self.kind
            and self.event in (None, change.event)
            and self.minutes in (None, change.minutes)
            and self.start in (None, change.start)
            and (self.title is None or contains(change.title, self.title))
            and self.on in (None, change.start.date())
            and (self.after is None or change.start >= self.after)
            and (self.before is None or change.end <= self.before)
            and change.start.time() >= first
            and (self.between is None or change.end <= datetime.combine(change.start, last))
        )

    def covers(self, change: Change) -> bool:
        """Whether the rule selects `change` and names all that it alters."""
        named = {"title": self.title, "minutes": self.minutes}
        timed = self.start or self.on or self.after or self.before or self.between
        named["start"] = timed
        return self.selects(change) and all(named[field] for field in change.altered)

    def holds(self, changes: Sequence[Change]) -> bool:
        """Whether those of `changes` that the rule covers meet every demand together."""
        chosen = [change for change in changes if self.covers(change)]
        return self._counted(len(chosen)) and self._spread(chosen) and self._sized(chosen)

    def _counted(self, number: int) -> bool:
        if self.count is not None:
            return number == self.count
        return self.at_least <= number and (self.at_most is None or number <= self.at_most)

    def _spread(self, chosen: Sequence[Change]) -> bool:
        dates = sorted({change.start.date() for change in chosen})
        gaps = [(later - earlier).days for earlier, later in pairwise(dates)]
        return len(dates) >= self.days and all(gap >= self.gap_days for gap in gaps)

    def _sized(self, chosen: Sequence[Change]) -> bool:
        a_day: Counter[date] = Counter()
        for change in chosen:
            a_day[change.start.date()] += change.minutes
        return (
            a_day.total() >= self.total_minutes
            and all(change.minutes <= (self.max_minutes or math.inf) for change in chosen)
            and all(total <= (self.max_minutes_a_day or math.inf) for total in a_day.values())
        )


def rule_from(kind: str, values: dict) -> Rule:
    """A rule from plain YAML values. ValueError with the field's name where one cannot be used."""
    if kind not in KINDS:
        raise ValueError(f"{kind}: not one of {', '.join(KINDS)}")
    known = {field.name for field in fields(Rule)} - {"kind"}
    if not isinstance(values, dict):
        raise ValueError(f"{kind}: not a mapping of selectors and demands")
    read = {}
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"{kind}.{name}: unknown; known are {', '.join(sorted(known))}")
        try:
            read[name] = _READERS[name](value)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{kind}.{name}: {value!r} is not {_MEANS[name]}") from error
    return Rule(kind, **read)


def plain(rule: Rule) -> dict:
    """The rule as plain values, `{kind: {…}}`, from which `rule_from` makes an equal one."""
    values = {}
    for field in fields(Rule):
        value = getattr(rule, field.name)
        if field.name != "kind" and value != field.default:
            values[field.name] = _shown(value)
    return {rule.kind: values}


def _shown(value):
    if isinstance(value, tuple):
        return [f"{edge:%H:%M}" for edge in value]
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%dT%H:%M}"
    return str(value) if isinstance(value, date) else value


def _text(value) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError
    return value


def _whole(value) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError
    return value


def _moment(value) -> datetime:
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, date):
        return datetime.combine(value, time.min)
    return datetime.fromisoformat(value).replace(tzinfo=None)


def _day(value) -> date:
    return _moment(value).date()


def _hours(value) -> tuple[time, time]:
    first, last = (time.fromisoformat(part) for part in value)
    if first >= last:
        raise ValueError
    return first, last


_READERS = (
    dict.fromkeys(("event", "title"), _text)
    | dict.fromkeys(("start", "after", "before"), _moment)
    | {"on": _day, "between": _hours}
)
_MEANS = (
    dict.fromkeys(("event", "title"), "text")
    | dict.fromkeys(("start", "after", "before"), "a date or datetime")
    | {"on": "a date", "between": "two times of day in order"}
)
for _field in fields(Rule):
    if _field.name != "kind":
        _READERS.setdefault(_field.name, _whole)
        _MEANS.setdefault(_field.name, "a whole number of 0 or more")
