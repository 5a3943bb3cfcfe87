"""The export: a file that calendars read, and no file of the student's destroyed."""

from datetime import UTC, datetime, timedelta

import pytest
from icalendar import Calendar

from canvas import clock, io
from canvas.chat import export
from canvas.world import Event


def event(number, title, start, minutes=60):
    return Event(f"E{number}", title, clock.parse_time(start), minutes)


EVENTS = [
    event(1, "Read; chapter 2, again", "2026-03-09T10:00"),
    event(2, "Übung", "2026-03-06T23:30"),
]


def read(path):
    return Calendar.from_ical(path.read_bytes()).walk("VEVENT")


def test_what_is_written_is_what_a_calendar_reads(tmp_path):
    path = tmp_path / "plan.ics"
    assert export.write(path, EVENTS) == 2
    first, second = read(path)
    assert (str(first["summary"]), str(second["summary"])) == ("Übung", "Read; chapter 2, again")
    assert first["dtstart"].dt == datetime(2026, 3, 7, 4, 30, tzinfo=UTC)
    assert second["dtstart"].dt == datetime(2026, 3, 9, 14, 0, tzinfo=UTC)
    assert second["dtend"].dt - second["dtstart"].dt == timedelta(hours=1)
    assert {"UID", "DTSTAMP"} <= set(first)


def test_importing_twice_makes_nothing_double(tmp_path):
    for name in ("a.ics", "b.ics"):
        export.write(tmp_path / name, EVENTS)
    first, second = ([str(e["uid"]) for e in read(tmp_path / name)] for name in ("a.ics", "b.ics"))
    assert first == second
    assert len(set(first)) == 2


def test_an_earlier_export_is_replaced(tmp_path):
    path = tmp_path / "plan.ics"
    export.write(path, EVENTS)
    assert export.write(path, EVENTS[:1]) == 1
    assert len(read(path)) == 1


@pytest.mark.parametrize("content", [b"", b"BEGIN:VCALENDAR\r\nPRODID:-//Other//EN\r\n", b"\xff"])
def test_another_file_stays(tmp_path, content):
    path = tmp_path / "mine.ics"
    path.write_bytes(content)
    with pytest.raises(io.BadInput, match="choose another name"):
        export.write(path, EVENTS)
    assert path.read_bytes() == content


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(io.BadInput, match=r"plan\.ics"):
        export.check(tmp_path)


def test_nothing_is_left_of_a_failed_write(tmp_path):
    with pytest.raises(AttributeError):
        export.write(tmp_path / "plan.ics", [*EVENTS, None])
    assert list(tmp_path.iterdir()) == []
