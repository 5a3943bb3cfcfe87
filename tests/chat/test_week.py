"""The week: what is there, what is proposed, what is due, each on its days."""

from datetime import date, timedelta

import pytest
from rich.console import Console

from canvas.chat.grid import WIDE, grid
from canvas.chat.week import DAYS, week
from canvas.world import World

FIRST = date(2026, 3, 2)


@pytest.fixture
def world():
    return World.from_dict(
        {
            "now": "2026-03-02T09:00",
            "courses": [{"course": "@COURSE1", "name": "Organic Chemistry"}],
            "assignments": [
                {
                    "title": title,
                    "course": "@COURSE1",
                    "type": "ASGN",
                    "due": due,
                    "points": 10,
                    "status": status,
                }
                for title, due, status in (
                    ("Lab Report", "2026-03-03T23:59", "OPEN"),
                    ("Essay", "2026-03-03T12:00", "SUBMITTED"),
                    ("Next Week", "2026-03-09T00:00", "OPEN"),
                )
            ],
            "events": [
                {"event": "E1", "title": "Gym", "start": "2026-03-03T18:00", "minutes": 60},
                {"event": "E2", "title": "Party", "start": "2026-03-07T22:00", "minutes": 240},
                {"event": "E3", "title": "Sleep", "start": "2026-03-01T23:00", "minutes": 120},
                {"event": "E4", "title": "To Midnight", "start": "2026-03-04T23:00", "minutes": 60},
            ],
        }
    )


def shown(world, first=FIRST):
    """`{date: [(time, title, mark)]}` of the days that have something."""
    return {
        day: [(f"{e.start:%H:%M}", e.title, e.mark) for e in entries]
        for day, entries in week(world, first).items()
        if entries
    }


def test_seven_days_each_with_what_falls_on_it(world):
    assert list(week(world, FIRST)) == [FIRST + timedelta(days=n) for n in range(DAYS)]
    assert shown(world) == {
        date(2026, 3, 2): [("23:00", "Sleep", "event")],
        date(2026, 3, 3): [
            ("12:00", "Essay @COURSE1", "done"),
            ("18:00", "Gym", "event"),
            ("23:59", "Lab Report @COURSE1", "due"),
        ],
        date(2026, 3, 4): [("23:00", "To Midnight", "event")],
        date(2026, 3, 7): [("22:00", "Party", "event")],
        date(2026, 3, 8): [("22:00", "Party", "event")],
    }


def test_proposals_are_marked(world):
    world.propose({"action": "delete", "event": "E2"})
    world.propose({"action": "modify", "event": "E1", "start": "2026-03-05T07:00", "title": "Swim"})
    marks = {(title, time): mark for found in shown(world).values() for time, title, mark in found}
    assert marks["Party", "22:00"] == "old"
    assert marks["Gym", "18:00"] == "old"
    assert marks["Swim", "07:00"] == "new"


def test_a_change_into_the_week_is_seen_there(world):
    world.propose({"action": "modify", "event": "E1", "start": "2026-03-12T07:00"})
    later = shown(world, FIRST + timedelta(weeks=1))
    assert later[date(2026, 3, 12)] == [("07:00", "Gym", "new")]


def test_days_are_local_across_a_clock_change(world):
    # Clocks go forward on 8 March 2026: the day has 23 hours.
    world.add_event("Late", week_end := world.now.replace(day=8, hour=23), 30)
    assert shown(world)[week_end.date()][-1] == ("23:00", "Late", "event")


def printed(world, width, unmask=str):
    console = Console(width=width, force_terminal=False, color_system=None)
    with console.capture() as capture:
        console.print(grid(week(world, FIRST), FIRST, width, unmask))
    return capture.get()


@pytest.mark.parametrize("width", [36, 80, WIDE, 200])
def test_everything_stands_in_the_table_at_any_width(world, width):
    world.propose({"action": "delete", "event": "E2"})
    text = printed(world, width)
    assert max(map(len, text.splitlines())) <= width
    squeezed = "".join(text.split())
    # Clocks go forward in the night of the party: its four hours end at three.
    for word in ("Mon2Mar", "Sun8Mar", "LabReport", "Gym", "23:59", "18:00-19:00", "-22:00-03:00"):
        assert word in squeezed


def test_a_wide_terminal_has_a_column_for_each_day(world):
    (heading,) = [line for line in printed(world, WIDE).splitlines() if "Mon 2 Mar" in line]
    assert "Sun 8 Mar" in heading
    assert not [
        line for line in printed(world, 80).splitlines() if {"Mon", "Sun"} <= {*line.split()}
    ]


def test_signs_stand_beside_the_colours_and_are_explained(world):
    assert "proposed" not in printed(world, 80)
    world.propose({"action": "modify", "event": "E1", "minutes": 90})
    text = printed(world, 80)
    assert "+ 18:00-19:30" in text
    assert "- 18:00-19:00" in text
    assert "+ proposed" in text.splitlines()[-1]


def test_names_stand_for_tokens_and_titles_steer_nothing(world):
    world.add_event("\x1b[31m[red]Trap[/red]\nnext", world.now, 30)
    text = printed(world, 80, lambda title: title.replace("@COURSE1", "CHEM 201"))
    assert "Lab Report CHEM 201" in text
    assert "[red]Trap[/red] next" in text
    assert "\x1b" not in text
