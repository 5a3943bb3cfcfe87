"""Local times: parsing, showing, and the two nights when the clock changes."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas import clock
from canvas.world.state import day_bounds

# 2026: clocks skip 02:00-03:00 on 8 March and repeat 01:00-02:00 on 1 November.
SPRING, AUTUMN = date(2026, 3, 8), date(2026, 11, 1)


def test_a_local_time_reads_and_shows():
    moment = clock.parse_time("2026-03-04T14:00")
    assert moment == datetime.fromisoformat("2026-03-04T14:00-05:00")
    assert clock.show(moment) == "2026-03-04T14:00"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2026-03-04T14:00:00", "2026-03-04T14:00"),
        ("2026-03-04 14:00", "2026-03-04T14:00"),
        ("2026-03-04T19:00Z", "2026-03-04T14:00"),
        ("2026-07-04T14:00-07:00", "2026-07-04T17:00"),
    ],
)
def test_accepted_spellings(text, shown):
    assert clock.show(clock.parse_time(text)) == shown


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tomorrow", "like 2026-03-04T14:00"),
        ("2026-03-04", "like 2026-03-04T14:00"),
        ("2026-03-04T14:00:30", "like 2026-03-04T14:00"),
        ("2026-03-04T14:00\n", "like 2026-03-04T14:00"),
        ("٢٠٢٦-03-04T14:00", "like 2026-03-04T14:00"),
        ("2026-02-30T14:00", "no time of the calendar"),
        ("2026-03-04T24:30", "no time of the calendar"),
        ("9999-12-31T23:00", "years 2000 to 2100"),
        ("0001-01-01T00:00Z", "years 2000 to 2100"),
        ("2026-03-08T02:30", "does not exist"),
    ],
)
def test_other_times_are_refused_in_words(text, reason):
    with pytest.raises(ValueError, match=reason):
        clock.parse_time(text)


@pytest.mark.parametrize("text", ["2026-3-4", "2026-02-30", "1999-12-31", "2026-03-04T00:00", ""])
def test_other_dates_are_refused(text):
    with pytest.raises(ValueError, match=r"date|calendar|years"):
        clock.parse_date(text)


def test_seconds_are_refused():
    with pytest.raises(ValueError, match="whole minute"):
        clock.localize(datetime(2026, 3, 4, 14, 0, 30))


def test_elapsed_minutes_cross_the_clock_changes():
    before = clock.parse_time("2026-03-08T01:30")
    assert clock.show(clock.plus(before, 60)) == "2026-03-08T03:30"
    first = clock.parse_time("2026-11-01T01:30")
    second = clock.plus(first, 60)
    assert clock.show(first) == "2026-11-01T01:30"
    assert clock.show(second) == "2026-11-01T01:30-05:00"
    assert clock.minutes_between(first, second) == 60


@pytest.mark.parametrize(("day", "hours"), [(SPRING, 23), (AUTUMN, 25), (date(2026, 3, 4), 24)])
def test_a_day_has_its_hours(day, hours):
    start, end = clock.at(day, 0), clock.at(date.fromordinal(day.toordinal() + 1), 0)
    assert clock.minutes_between(start, end) == hours * 60


def test_a_skipped_wall_clock_minute_moves_forward():
    assert clock.show(clock.at(SPRING, 150)) == "2026-03-08T03:30"


@given(st.integers(0, 3_000_000_000 // 60))
def test_showing_and_parsing_are_inverse_at_every_minute(minute):
    moment = datetime.fromtimestamp(946_800_000 + minute * 60, clock.ZONE)
    assert clock.parse_time(clock.show(moment)).timestamp() == moment.timestamp()


# Half an hour forward in October, back in April; and a zone that changes at midnight, in 2018.
HOWE, SAO_PAULO = ZoneInfo("Australia/Lord_Howe"), ZoneInfo("America/Sao_Paulo")


@pytest.mark.parametrize(
    ("zone", "text", "shown"),
    [
        (ZoneInfo("Europe/Rome"), "2026-03-04T14:00", "2026-03-04T14:00+01:00"),
        (ZoneInfo("Europe/Rome"), "2026-03-04T14:00Z", "2026-03-04T15:00+01:00"),
        (HOWE, "2026-10-04T02:30", "2026-10-04T02:30+11:00"),
        (UTC, "2026-03-08T02:30", "2026-03-08T02:30+00:00"),
    ],
)
def test_times_of_other_zones(zone, text, shown):
    moment = clock.parse_time(text, zone)
    assert (moment.isoformat(timespec="minutes"), moment.tzinfo) == (shown, zone)
    assert clock.localize(moment, zone) == moment


@pytest.mark.parametrize(
    ("zone", "text"),
    [(ZoneInfo("Europe/Rome"), "2026-03-29T02:30"), (HOWE, "2026-10-04T02:10")],
)
def test_other_zones_skip_other_hours(zone, text):
    assert clock.show(clock.parse_time(text)) == text
    with pytest.raises(ValueError, match="does not exist"):
        clock.parse_time(text, zone)


def test_the_second_pass_in_other_zones_carries_its_offset():
    first = clock.parse_time("2026-04-05T01:40", HOWE)
    second = clock.plus(first, 30)
    assert [clock.show(moment) for moment in (first, second)] == [
        "2026-04-05T01:40",
        "2026-04-05T01:40+10:30",
    ]
    assert clock.parse_time(clock.show(second), HOWE).timestamp() == second.timestamp()
    assert second.tzinfo is HOWE


def test_a_day_of_another_zone_may_begin_after_midnight():
    start, end = day_bounds(date(2018, 11, 4), date(2018, 11, 4), SAO_PAULO)
    assert clock.show(start) == "2018-11-04T01:00"
    assert clock.minutes_between(start, end) == 23 * 60


@given(
    st.sampled_from(["America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Kolkata"]),
    st.integers(0, 3_000_000_000 // 60),
)
def test_showing_and_parsing_are_inverse_in_every_zone(name, minute):
    zone = ZoneInfo(name)
    moment = datetime.fromtimestamp(946_800_000 + minute * 60, zone)
    assert clock.parse_time(clock.show(moment), zone).timestamp() == moment.timestamp()
