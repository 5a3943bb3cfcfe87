"""Calendar tools: true against the world, conflicts refused, changes only proposed."""

import json
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas import clock
from canvas.tools import Toolbox
from canvas.world import World, diff

EVENTS = [
    {"event": "E4", "title": "Gym", "start": "2026-03-05T10:00", "minutes": 60},
    {"event": "E9", "title": "Choir", "start": "2026-03-05T23:30", "minutes": 60},
    {"event": "E2", "title": "Chess", "start": "2026-03-04T12:00", "minutes": 90},
]


def make(now: str = "2026-03-04T09:02", events: list[dict] = EVENTS) -> World:
    """A world that is a calendar alone."""
    return World.from_dict({"now": now, "events": events})


def call(world: World, name: str, **arguments):
    """The parsed result of one calendar call."""
    return json.loads(Toolbox(world).call(f"calendar.{name}", arguments))


def spans(blocks: list[dict]) -> list[tuple[str, str]]:
    """Free blocks as (start, end) times of day."""
    return [(block["start"][11:], block["end"][11:]) for block in blocks]


def test_list_events_touches_both_days_and_is_sorted():
    world = make()
    listed = call(world, "list_events", start="2026-03-04", end="2026-03-05")["events"]
    assert listed == [EVENTS[2], EVENTS[0], EVENTS[1]]
    past_midnight = call(world, "list_events", start="2026-03-06", end="2026-03-06")["events"]
    assert past_midnight == [EVENTS[1]]
    assert call(world, "list_events", start="2026-03-07", end="2026-03-20") == {"events": []}


def test_free_blocks_between_eight_and_ten():
    free = call(make(), "find_free_blocks", date="2026-03-05", minutes=30)["free"]
    assert spans(free) == [("08:00", "10:00"), ("11:00", "22:00")]
    just = call(make(), "find_free_blocks", date="2026-03-05", minutes=120)["free"]
    assert spans(just) == [("08:00", "10:00"), ("11:00", "22:00")]
    long = call(make(), "find_free_blocks", date="2026-03-05", minutes=121)["free"]
    assert spans(long) == [("11:00", "22:00")]


def test_free_blocks_of_today_start_now_on_a_grid_of_five():
    free = call(make(), "find_free_blocks", date="2026-03-04", minutes=15)["free"]
    assert spans(free) == [("09:05", "12:00"), ("13:30", "22:00")]
    late = make(now="2026-03-04T22:10")
    assert call(late, "find_free_blocks", date="2026-03-04", minutes=5) == {"free": []}


@pytest.mark.parametrize(
    ("date", "minutes", "reason"),
    [
        ("2026-03-03", 30, "date is past; today is 2026-03-04"),
        ("tomorrow", 30, "date must be a date like 2026-03-04"),
        ("2026-03-05", 0, "minutes must be from 1 to 720"),
        ("2026-03-05", 721, "minutes must be from 1 to 720"),
    ],
)
def test_wrong_searches(date, minutes, reason):
    result = call(make(), "find_free_blocks", date=date, minutes=minutes)
    assert result == {"error": reason}


def test_free_blocks_with_events_that_overlap_each_other():
    events = [
        {"event": "E1", "title": "Long", "start": "2026-03-05T09:00", "minutes": 300},
        {"event": "E2", "title": "Inside", "start": "2026-03-05T10:00", "minutes": 30},
        {"event": "E3", "title": "Early", "start": "2026-03-05T07:00", "minutes": 90},
    ]
    free = call(make(events=events), "find_free_blocks", date="2026-03-05", minutes=10)["free"]
    assert spans(free) == [("08:30", "09:00"), ("14:00", "22:00")]


@given(st.integers(0, 10**5), st.integers(0, 10), st.integers(1, 300))
def test_free_blocks_are_free_long_enough_and_maximal(seed, ahead, minutes):
    world = World.generate(seed, events=(12, 20))
    day = world.today + timedelta(days=ahead)
    free = call(world, "find_free_blocks", date=str(day), minutes=minutes)["free"]
    busy = set()
    for event in world.events:
        # Clocks change at night: from 08:00 on, elapsed minutes are wall-clock minutes.
        start = 480 + clock.minutes_between(clock.at(day, 480), event.start)
        busy |= set(range(start, start + event.minutes))
    first = 480 if ahead else max(480, -(-(world.now.hour * 60 + world.now.minute) // 5) * 5)
    open_minutes = [m for m in range(first, 1320) if m not in busy]
    runs: list[list[int]] = []
    for m in open_minutes:
        if runs and runs[-1][1] == m:
            runs[-1][1] = m + 1
        else:
            runs.append([m, m + 1])
    expected = [run for run in runs if run[1] - run[0] >= minutes]
    shown = [[int(t[:2]) * 60 + int(t[3:]) for t in span] for span in spans(free)]
    assert shown == expected


def test_create_event_adds_one():
    world = make()
    before = world.snapshot()
    result = call(
        world, "create_event", title="  Study  Soil ", start="2026-03-05T11:00", minutes=60
    )
    expected = {"event": "E10", "title": "Study Soil", "start": "2026-03-05T11:00", "minutes": 60}
    assert result == expected
    assert diff(before, world.snapshot()) == {
        "created": [expected],
        "changed": [],
        "removed": [],
        "proposed": [],
    }


@pytest.mark.parametrize(
    ("start", "minutes", "conflict"),
    [
        ("2026-03-05T09:00", 60, None),
        ("2026-03-05T09:00", 61, "E4 Gym, 2026-03-05T10:00 for 60 minutes"),
        ("2026-03-05T10:59", 5, "E4 Gym, 2026-03-05T10:00 for 60 minutes"),
        ("2026-03-05T11:00", 5, None),
        ("2026-03-06T00:15", 30, "E9 Choir, 2026-03-05T23:30 for 60 minutes"),
        ("2026-03-04T11:00", 300, "E2 Chess, 2026-03-04T12:00 for 90 minutes"),
    ],
)
def test_conflicts(start, minutes, conflict):
    world = make()
    result = call(world, "create_event", title="Study", start=start, minutes=minutes)
    if conflict is None:
        assert result["event"] == "E10"
    else:
        assert result == {"error": f"conflict with {conflict}"}
        assert len(world.events) == 3


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"title": " "}, "title must have 1 to 120 characters"),
        ({"title": "x" * 121}, "title must have 1 to 120 characters"),
        ({"minutes": 0}, "minutes must be from 1 to 720"),
        ({"minutes": -30}, "minutes must be from 1 to 720"),
        ({"minutes": 721}, "minutes must be from 1 to 720"),
        ({"start": "2026-03-05"}, "start must be a time like 2026-03-04T14:00"),
        ({"start": "2026-03-04T09:01"}, "start is past; now is 2026-03-04T09:02"),
        ({"start": "2026-03-08T02:30"}, "start does not exist: clocks go forward over it"),
    ],
)
def test_wrong_events_are_refused(changes, reason):
    world = make()
    good = {"title": "Study", "start": "2026-03-05T14:00", "minutes": 60}
    assert call(world, "create_event", **{**good, **changes}) == {"error": reason}
    assert world == make()


def test_events_across_the_clock_changes():
    world = make(events=[])
    spring = call(world, "create_event", title="Night", start="2026-03-08T01:30", minutes=60)
    assert world.event(spring["event"]).end == clock.parse_time("2026-03-08T03:30")
    touching = call(world, "create_event", title="Dawn", start="2026-03-08T03:30", minutes=30)
    assert "error" not in touching
    call(world, "create_event", title="First", start="2026-11-01T01:15", minutes=30)
    again = call(world, "create_event", title="Second", start="2026-11-01T01:15-05:00", minutes=30)
    assert again["start"] == "2026-11-01T01:15-05:00"
    overlap = call(world, "create_event", title="Long", start="2026-11-01T00:30", minutes=60)
    assert overlap["error"].startswith("conflict with E3 First")
    between = call(world, "create_event", title="Gap", start="2026-11-01T00:45", minutes=30)
    assert "error" not in between
    whole_day = call(world, "list_events", start="2026-11-01", end="2026-11-01")["events"]
    assert [event["title"] for event in whole_day] == ["Gap", "First", "Second"]


def test_free_blocks_on_the_days_of_the_change():
    world = make(events=[])
    for day in ("2026-03-08", "2026-11-01"):
        free = call(world, "find_free_blocks", date=day, minutes=720)["free"]
        assert spans(free) == [("08:00", "22:00")]


def test_now_in_the_repeated_hour_is_past_the_first_pass():
    world = make(now="2026-11-01T01:10-05:00", events=[])
    first = call(world, "create_event", title="Study", start="2026-11-01T01:30", minutes=20)
    assert first == {"error": "start is past; now is 2026-11-01T01:10-05:00"}
    second = call(world, "create_event", title="Study", start="2026-11-01T01:30-05:00", minutes=20)
    assert second["event"] == "E1"


@pytest.mark.parametrize(
    ("changes", "proposal"),
    [
        ({"minutes": 30}, {"minutes": 30}),
        ({"start": "2026-03-06T14:00"}, {"start": "2026-03-06T14:00"}),
        # An event may be moved over its own old time.
        ({"start": "2026-03-05T10:30"}, {"start": "2026-03-05T10:30"}),
        ({"title": "Swim"}, {"title": "Swim"}),
        (
            {"start": "2026-03-06T14:00", "minutes": 45, "title": "Swim"},
            {"start": "2026-03-06T14:00", "minutes": 45, "title": "Swim"},
        ),
    ],
)
def test_modify_only_proposes(changes, proposal):
    world = make()
    before = world.snapshot()
    result = call(world, "modify_event", event="E4", **changes)
    assert result == {"proposed": "modify", **EVENTS[0], **proposal}
    assert diff(before, world.snapshot()) == {
        "created": [],
        "changed": [],
        "removed": [],
        "proposed": [{"action": "modify", "event": "E4", **proposal}],
    }


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"event": "E5", "minutes": 30}, "unknown event; known: E4, E9, E2"),
        ({}, "nothing would change; give a new start, minutes or title"),
        ({"minutes": 60, "title": "Gym"}, "nothing would change"),
        ({"minutes": 0}, "minutes must be from 1 to 720"),
        ({"title": ""}, "title must have 1 to 120 characters"),
        ({"start": "noon"}, "start must be a time like"),
        ({"start": "2026-03-04T08:00"}, "start is past"),
        ({"start": "2026-03-04T13:00"}, "conflict with E2 Chess"),
        ({"start": "2026-03-05T22:00", "minutes": 120}, "conflict with E9 Choir"),
    ],
)
def test_wrong_changes_are_refused(changes, reason):
    world = make()
    assert call(world, "modify_event", **{"event": "E4", **changes})["error"].startswith(reason)
    assert world == make()


def test_delete_only_proposes_and_only_once():
    world = make()
    expected = {"proposed": "delete", "event": "E4", "title": "Gym"}
    assert call(world, "delete_event", event="E4") == expected
    assert world.events == make().events
    assert world.proposals == [{"action": "delete", "event": "E4"}]
    again = call(world, "delete_event", event="E4")
    assert again == {"error": "this is already proposed; the student decides"}
    assert len(world.proposals) == 1


def test_unknown_event_in_an_empty_calendar():
    result = call(make(events=[]), "delete_event", event="E4")
    assert result == {"error": "unknown event; known: none"}
