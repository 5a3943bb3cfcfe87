"""Schema of contribution rows: one table of fields a type, and checks with precise reasons."""

from collections.abc import Callable
from datetime import datetime
from math import isfinite
from typing import Any, NamedTuple

TEXT_LIMIT = 1_000_000
ITEM_TYPES = ("ASGN", "QUIZ", "DISC")
STATUSES = ("GRADED", "SUBMITTED", "NOT_SUBMITTED")
ROLES = ("student", "ta", "instructor")

# A check returns None, or (path below the value, reason); the path of the value itself is "".
Found = tuple[str, str] | None
Check = Callable[[Any], Found]


class Rule(NamedTuple):
    """How one field is checked; a nullable field may also be null, an optional one absent."""

    check: Check
    required: bool = True
    nullable: bool = False


def prose(value: Any) -> Found:
    """A string, empty or not, of at most TEXT_LIMIT characters that UTF-8 can hold."""
    if not isinstance(value, str):
        return "", f"must be text, is {_kind(value)}"
    if len(value) > TEXT_LIMIT:
        return "", f"has {len(value):,} characters, limit {TEXT_LIMIT:,}"
    if any("\ud800" <= character <= "\udfff" for character in value):
        return "", "holds half of a surrogate pair"
    return None


def text(value: Any) -> Found:
    """Prose that is not blank."""
    return prose(value) or (None if value.strip() else ("", "is empty"))


def number(value: Any) -> Found:
    """A finite number from 0 to 1e9, no boolean."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "", f"must be a number, is {_kind(value)}"
    if not isfinite(value) or not 0 <= value <= 1e9:
        return "", "must be a number from 0 to 1e9"
    return None


def time(value: Any) -> Found:
    """An ISO-8601 date, or date and time."""
    if not isinstance(value, str):
        return "", f"must be an ISO-8601 time, is {_kind(value)}"
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return "", "is no ISO-8601 time such as 2026-02-14T04:00:00Z"
    return None


def identifier(value: Any) -> Found:
    """A Canvas id: a whole number, or text."""
    return None if isinstance(value, int) and not isinstance(value, bool) else text(value)


def value(any_value: Any) -> Found:
    """Any JSON value whose strings are prose."""
    if isinstance(any_value, dict):
        for key, entry in any_value.items():
            if found := prose(key) or value(entry):
                return f".{key[:40]}{found[0]}", found[1]
        return None
    if isinstance(any_value, list):
        return _first(value, any_value)
    return prose(any_value) if isinstance(any_value, str) else None


def one_of(*values: str) -> Check:
    """One of these strings."""
    reason = f"must be one of {', '.join(values)}"
    return lambda given: None if given in values else ("", reason)


def many(check: Check) -> Check:
    """A list of values that each pass."""

    def check_all(given: Any) -> Found:
        if not isinstance(given, list):
            return "", f"must be a list, is {_kind(given)}"
        return _first(check, given)

    return check_all


def _first(check: Check, values: list) -> Found:
    for index, entry in enumerate(values):
        if found := check(entry):
            return f"[{index}]{found[0]}", found[1]
    return None


def fields(rules: dict[str, Rule]) -> Check:
    """An object with these fields; others are allowed and ignored."""

    def check_fields(given: Any) -> Found:
        if not isinstance(given, dict):
            return "", f"must be an object, is {_kind(given)}"
        for name, rule in rules.items():
            if name not in given:
                if rule.required:
                    return f".{name}", "missing field"
            elif not (rule.nullable and given[name] is None) and (found := rule.check(given[name])):
                return f".{name}{found[0]}", found[1]
        return None

    return check_fields


def _kind(given: Any) -> str:
    if given is None:
        return "null"
    if isinstance(given, bool):
        return "true or false"
    kinds = {int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return kinds[type(given)]


_STAMP = {
    "contributor_id": Rule(text, required=False),
    "collected_at": Rule(time, required=False),
    "key_id": Rule(text, required=False),
}
_COURSE = {"course_name": Rule(text), "course_code": Rule(text), **_STAMP}
ASSIGNMENT = {
    "name": Rule(text),
    "type": Rule(one_of(*ITEM_TYPES)),
    "due_at": Rule(time, nullable=True),
    "points_possible": Rule(number, nullable=True),
    "submission_types": Rule(many(text)),
    "submission_status": Rule(one_of(*STATUSES)),
}
TODO = {
    "type": Rule(one_of(*ITEM_TYPES)),
    "assignment_name": Rule(text),
    "due_at": Rule(time, nullable=True),
    "course_id": Rule(identifier, required=False, nullable=True),
}
ANNOUNCEMENT = {
    "title": Rule(text),
    "posted_at": Rule(time, nullable=True),
    "author": Rule(prose, required=False, nullable=True),
    "message": Rule(prose),
}
PERSON = {
    "name": Rule(text),
    "role": Rule(one_of(*ROLES)),
    "email": Rule(prose, required=False, nullable=True),
    "sis_id": Rule(identifier, required=False, nullable=True),
}
MESSAGE = {
    "role": Rule(one_of("system", "user", "assistant", "tool")),
    "content": Rule(prose),
    "name": Rule(text, required=False),
    "tool_calls": Rule(many(value), required=False),
}
RECORDS: dict[str, dict[str, Rule]] = {
    "course_snapshot": {
        **_COURSE,
        "term": Rule(prose, required=False, nullable=True),
        "assignments": Rule(many(fields(ASSIGNMENT))),
    },
    "todo_snapshot": {**_STAMP, "items": Rule(many(fields(TODO)))},
    "announcement_snapshot": {**_COURSE, "items": Rule(many(fields(ANNOUNCEMENT)))},
    "syllabus_snapshot": {**_COURSE, "body": Rule(prose)},
    "roster_snapshot": {**_COURSE, "people": Rule(many(fields(PERSON)))},
    "session": {
        **_STAMP,
        "outcome": Rule(one_of("pass", "fail"), required=False),
        "messages": Rule(many(fields(MESSAGE))),
        "tools": Rule(many(value)),
    },
}
# Words of a row that say nothing about its contributor.
VOCABULARY = frozenset(
    [*RECORDS, *ITEM_TYPES, *STATUSES, *ROLES, "type"]
    + [name for rules in RECORDS.values() for name in rules]
    + [name for rules in (ASSIGNMENT, TODO, ANNOUNCEMENT, PERSON, MESSAGE) for name in rules]
)


def problem(row: Any) -> Found:
    """The first fault of a row as (field, reason), or None."""
    if not isinstance(row, dict):
        return "", f"must be an object, is {_kind(row)}"
    if "type" not in row:
        return "type", "missing field"
    rules = RECORDS.get(row["type"]) if isinstance(row["type"], str) else None
    if rules is None:
        return "type", f"must be one of {', '.join(RECORDS)}"
    found = fields(rules)(row)
    return (found[0].removeprefix("."), found[1]) if found else None
