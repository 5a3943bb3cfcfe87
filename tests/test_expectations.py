"""Rules select the changes they speak of, and demand what they say."""

from datetime import date, datetime, time

import pytest

from canvas.expectations import Change, Rule, plain, rule_from


def created(start: str, minutes: int = 60, title: str = "Essay Draft", event: str = "E9") -> Change:
    return Change("created", event, title, datetime.fromisoformat(start), minutes)


AT_TEN = created("2026-03-05T10:00")


@pytest.mark.parametrize(
    ("selectors", "selected"),
    [
        ({}, True),
        ({"title": "essay draft"}, True),
        ({"title": "Essay"}, True),
        ({"title": "Essays"}, False),
        ({"start": "2026-03-05T10:00"}, True),
        ({"start": "2026-03-05T11:00"}, False),
        ({"minutes": 60}, True),
        ({"minutes": 61}, False),
        ({"on": "2026-03-05"}, True),
        ({"on": "2026-03-06"}, False),
        ({"before": "2026-03-05T11:00"}, True),
        ({"before": "2026-03-05T10:59"}, False),
        ({"before": "2026-03-05"}, False),
        ({"after": "2026-03-05"}, True),
        ({"after": "2026-03-05T10:01"}, False),
        ({"between": ["10:00", "11:00"]}, True),
        ({"between": ["10:01", "12:00"]}, False),
        ({"between": ["08:00", "10:59"]}, False),
        ({"event": "E9"}, True),
        ({"event": "E8"}, False),
    ],
)
def test_selectors(selectors, selected):
    assert rule_from("created", selectors).selects(AT_TEN) is selected


def test_a_rule_speaks_of_its_kind_alone():
    assert not Rule("deleted").selects(AT_TEN)


def test_between_refuses_what_runs_past_midnight():
    late = created("2026-03-05T23:30", 60)
    assert not rule_from("created", {"between": ["20:00", "23:59"]}).selects(late)


DAYS = [created(f"2026-03-0{day}T10:00", event=f"E{day}") for day in (2, 4, 5)]


@pytest.mark.parametrize(
    ("demands", "holds"),
    [
        ({}, True),
        ({"count": 3}, True),
        ({"count": 2}, False),
        ({"at_least": 3}, True),
        ({"at_least": 4}, False),
        ({"at_most": 2}, False),
        ({"total_minutes": 180}, True),
        ({"total_minutes": 181}, False),
        ({"days": 3}, True),
        ({"days": 4}, False),
        ({"gap_days": 1}, True),
        ({"gap_days": 2}, False),
        ({"max_minutes": 59}, False),
        ({"max_minutes_a_day": 60}, True),
    ],
)
def test_demands(demands, holds):
    assert rule_from("created", demands).holds(DAYS) is holds


def test_minutes_of_one_day_add_up():
    twice = [created("2026-03-05T10:00"), created("2026-03-05T14:00", event="E10")]
    assert not Rule("created", max_minutes_a_day=100).holds(twice)
    assert Rule("created", max_minutes=60).holds(twice)


def test_nothing_does_not_hold_unless_asked_for():
    assert not Rule("created").holds([])
    assert Rule("created", count=0).holds([])


def test_a_modification_must_alter_nothing_unnamed():
    start = datetime(2026, 3, 6, 10)
    moved = Change("modified", "E2", "Yoga", start, 60, frozenset({"start"}))
    also = Change("modified", "E2", "Gym", start, 60, frozenset({"start", "title"}))
    rule = rule_from("modified", {"event": "E2", "start": "2026-03-06T10:00"})
    assert rule.covers(moved)
    assert rule.selects(also)
    assert not rule.covers(also)
    assert not rule.holds([also])


def test_yaml_values_are_read():
    rule = rule_from(
        "created",
        {
            "on": date(2026, 3, 5),
            "after": date(2026, 3, 5),
            "start": datetime(2026, 3, 5, 10),
            "between": ["08:00", "20:00"],
        },
    )
    assert rule.after == datetime(2026, 3, 5)
    assert rule.between == (time(8), time(20))
    assert rule.selects(AT_TEN)


@pytest.mark.parametrize(
    ("kind", "values", "names"),
    [
        ("moved", {}, "moved"),
        ("created", {"titel": "x"}, "created.titel"),
        ("created", {"title": ""}, "created.title"),
        ("created", {"title": 7}, "created.title"),
        ("created", {"start": "tomorrow"}, "created.start"),
        ("created", {"start": 7}, "created.start"),
        ("created", {"minutes": -1}, "created.minutes"),
        ("created", {"minutes": True}, "created.minutes"),
        ("created", {"count": "3"}, "created.count"),
        ("created", {"between": ["10:00"]}, "created.between"),
        ("created", {"between": ["12:00", "10:00"]}, "created.between"),
        ("created", ["title"], "created"),
    ],
)
def test_bad_rules_are_named(kind, values, names):
    with pytest.raises(ValueError, match=names):
        rule_from(kind, values)


@pytest.mark.parametrize(
    "rule",
    [
        Rule("deleted"),
        Rule("deleted", event="E4", count=1),
        Rule("created", title="Essay", start=datetime(2026, 3, 5, 10), minutes=60, count=0),
        Rule("created", on=date(2026, 3, 5), between=(time(9), time(20, 30)), total_minutes=90),
        Rule("modified", after=datetime(2026, 3, 5), before=datetime(2026, 3, 6), at_least=2),
    ],
)
def test_a_rule_as_plain_values_is_read_back(rule):
    ((kind, values),) = plain(rule).items()
    assert rule_from(kind, values) == rule
    assert all(isinstance(value, str | int | list) for value in values.values())
