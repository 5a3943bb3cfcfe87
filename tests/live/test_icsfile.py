"""Calendars in files: what is read of them, and that a change leaves the rest as it was."""

import os
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canvas.live.calendar import Stale
from canvas.live.icsfile import IcsFile
from canvas.tools.base import ToolError
from tests.live.texts import (
    CHOIR,
    GYM,
    MOVED_CHOIR,
    TODO,
    VTIMEZONE,
    ZONE,
    at,
    calendar,
    event,
)

FULL = (VTIMEZONE, GYM, TODO, CHOIR, MOVED_CHOIR)
SPRING = ("2026-03-01", "2026-04-30")


@pytest.fixture
def file(tmp_path):
    """A function that makes a calendar of components."""

    def make(*components: str, **kinds: str) -> IcsFile:
        path = tmp_path / "mine.ics"
        path.write_bytes(calendar(*components, **kinds).encode())
        return IcsFile(path)

    return make


def read(ics: IcsFile, first: str = SPRING[0], last: str = SPRING[1], zone=ZONE):
    return ics.events_between(
        at(f"{first}T00:00").astimezone(zone), at(f"{last}T00:00").astimezone(zone)
    )


def shown(entries) -> list[tuple[str, str, str, int]]:
    """Title, local start with offset, and minutes of each entry."""
    return [
        (e.title, e.start.isoformat(timespec="minutes"), length(e), e.busy)
        for e in entries
    ]  # fmt: skip


def length(entry) -> int:
    return round((entry.end.timestamp() - entry.start.timestamp()) / 60)


def one(ics: IcsFile, title: str):
    return next(e for e in read(ics) if e.title == title)


class TestReading:
    def test_single_events_and_a_series_with_its_exceptions(self, file):
        assert shown(read(file(*FULL))) == [
            ("Choir", "2026-03-02T19:00-05:00", 90, True),
            ("Gym, upstairs", "2026-03-05T10:00-05:00", 60, True),
            ("Choir", "2026-03-09T19:00-04:00", 90, True),
            ("Choir in the chapel", "2026-03-24T20:00-04:00", 90, True),
            ("Choir", "2026-03-30T19:00-04:00", 90, True),
            ("Choir", "2026-04-06T19:00-04:00", 90, True),
        ]

    def test_only_what_shares_time_with_the_span(self, file):
        ics = file(*FULL)
        on = [ics.events_between(at(a), at(b)) for a, b in (
            ("2026-03-05T09:00", "2026-03-05T10:00"),
            ("2026-03-05T10:59", "2026-03-05T11:30"),
            ("2026-03-05T11:00", "2026-03-05T12:00"),
        )]  # fmt: skip
        assert [len(found) for found in on] == [0, 1, 0]

    @pytest.mark.parametrize(
        ("lines", "start", "minutes"),
        [
            (
                ["DTSTART:20260305T150000Z", "DTEND:20260305T160000Z"],
                "2026-03-05T10:00-05:00",
                60,
            ),
            (["DTSTART:20260305T100000", "DURATION:PT45M"], "2026-03-05T10:00-05:00", 45),
            (
                ["DTSTART;TZID=Europe/Rome:20260305T160000", "DURATION:PT1H"],
                "2026-03-05T10:00-05:00",
                60,
            ),
            (
                ["DTSTART;TZID=Eastern Standard Time:20260305T100000", "DURATION:PT1H"],
                "2026-03-05T10:00-05:00",
                60,
            ),
            (["DTSTART:20260305T150000Z"], "2026-03-05T10:00-05:00", 0),
            (["DTSTART;VALUE=DATE:20260308"], "2026-03-08T00:00-05:00", 23 * 60),
            (["DTSTART;VALUE=DATE:20260309", "DURATION:P2D"], "2026-03-09T00:00-04:00", 48 * 60),
            (
                ["DTSTART;VALUE=DATE:20261101", "DTEND;VALUE=DATE:20261102"],
                "2026-11-01T00:00-04:00",
                25 * 60,
            ),
            (
                ["DTSTART:20260305T150030Z", "DTEND:20260305T155930Z"],
                "2026-03-05T10:00-05:00",
                60,
            ),
        ],
    )
    def test_forms_of_time(self, file, lines, start, minutes):
        (entry,) = read(file(event("SUMMARY:x", *lines)), last="2026-12-01")
        assert (entry.start.isoformat(timespec="minutes"), length(entry)) == (start, minutes)

    @pytest.mark.parametrize(
        ("lines", "start", "minutes"),
        [
            # 22:00-07:00: eight hours exactly, across the hour that is skipped.
            (
                ["DTSTART;TZID=America/New_York:20260307T220000", "DURATION:PT8H"],
                "2026-03-07T22:00-05:00",
                480,
            ),
            # A nominal day keeps the wall-clock time.
            (
                ["DTSTART;TZID=America/New_York:20260307T220000", "DURATION:P1D"],
                "2026-03-07T22:00-05:00",
                23 * 60,
            ),
            # 02:30 does not exist: the offset before the gap holds (RFC 5545, 3.3.5).
            (
                ["DTSTART;TZID=America/New_York:20260308T023000", "DURATION:PT1H"],
                "2026-03-08T03:30-04:00",
                60,
            ),
            # 01:30 occurs twice: the first is meant.
            (
                ["DTSTART;TZID=America/New_York:20261101T013000", "DURATION:PT1H"],
                "2026-11-01T01:30-04:00",
                60,
            ),
            (
                ["DTSTART;TZID=America/New_York:20261101T003000",
                 "DTEND;TZID=America/New_York:20261101T023000"],
                "2026-11-01T00:30-04:00",
                180,
            ),
            (["DTSTART:20261101T063000Z", "DURATION:PT1H"], "2026-11-01T01:30-05:00", 60),
        ],
    )  # fmt: skip
    def test_clock_changes(self, file, lines, start, minutes):
        (entry,) = read(file(VTIMEZONE, event("SUMMARY:x", *lines)), last="2026-12-01")
        assert (entry.start.isoformat(timespec="minutes"), length(entry)) == (start, minutes)

    def test_a_series_keeps_local_time_and_exact_length_across_the_change(self, file):
        night = event(
            "SUMMARY:Night",
            "DTSTART;TZID=America/New_York:20260301T023000",
            "DTEND;TZID=America/New_York:20260301T033000",
            "RRULE:FREQ=WEEKLY;COUNT=3",
        )
        assert shown(read(file(VTIMEZONE, night))) == [
            ("Night", "2026-03-01T02:30-05:00", 60, True),
            ("Night", "2026-03-08T03:30-04:00", 60, True),
            ("Night", "2026-03-15T02:30-04:00", 60, True),
        ]

    def test_a_series_in_utc_moves_on_the_local_clock(self, file):
        call = event("SUMMARY:Call", "DTSTART:20260305T150000Z", "DURATION:PT1H",
                     "RRULE:FREQ=WEEKLY;COUNT=2")  # fmt: skip
        starts = [row[1] for row in shown(read(file(call, head="X-WR-TIMEZONE:Europe/Rome\n")))]
        assert starts == ["2026-03-05T10:00-05:00", "2026-03-12T11:00-04:00"]

    @pytest.mark.parametrize(
        ("lines", "busy"),
        [
            (["DTSTART:20260305T150000Z", "DURATION:PT1H"], True),
            (["DTSTART:20260305T150000Z", "DURATION:PT1H", "TRANSP:TRANSPARENT"], False),
            (["DTSTART:20260305T150000Z"], False),
            (["DTSTART;VALUE=DATE:20260305"], False),
            (["DTSTART;VALUE=DATE:20260305", "TRANSP:OPAQUE"], True),
        ],
    )
    def test_what_keeps_busy(self, file, lines, busy):
        (entry,) = read(file(event("SUMMARY:x", *lines)))
        assert entry.busy is busy

    def test_cancelled_events_and_occurrences_are_left_out(self, file):
        gone = event("SUMMARY:x", "STATUS:CANCELLED", "DTSTART:20260305T150000Z")
        skipped = MOVED_CHOIR.replace("SUMMARY", "STATUS:CANCELLED\nSUMMARY")
        titles = [row[0] for row in shown(read(file(VTIMEZONE, gone, CHOIR, skipped)))]
        assert titles == ["Choir"] * 4

    def test_events_that_cannot_be_read_are_named_and_leave_the_others(self, file):
        bad = [
            event("SUMMARY:No start", uid="1"),
            event("SUMMARY:Odd start", "DTSTART:2026", uid="2"),
            event("SUMMARY:Odd rule", "DTSTART:20260305T150000Z", "RRULE:FREQ=NEVER", uid="3"),
        ]
        ics = file(*bad, VTIMEZONE, GYM)
        assert [e.title for e in read(ics)] == ["Gym, upstairs"]
        assert [p.split("'")[1] for p in ics.problems] == ["No start", "Odd start", "Odd rule"]
        read(ics)
        assert len(ics.problems) == 3

    @pytest.mark.parametrize(
        ("rule", "reason"),
        [
            ("FREQ=MINUTELY", "repeats too often"),
            ("FREQ=SECONDLY;INTERVAL=60", "repeats too often"),
            ("FREQ=DAILY;INTERVAL=0", "no positive INTERVAL"),
            ("FREQ=HOURLY", None),
            ("FREQ=MINUTELY;INTERVAL=120", None),
        ],
    )
    def test_rules_without_end_to_their_walk(self, file, rule, reason):
        ics = file(event("SUMMARY:x", "DTSTART:20260305T150000Z", f"RRULE:{rule}"), VTIMEZONE, GYM)
        found = read(ics, last="2026-03-07")
        assert "Gym, upstairs" in [e.title for e in found]
        assert [reason in problem for problem in ics.problems] == ([True] if reason else [])

    def test_a_rule_from_long_ago(self, file):
        ics = file(event("SUMMARY:x", "DTSTART:00010101T000000Z", "RRULE:FREQ=DAILY"))
        assert read(ics) == []
        assert "repeats too often" in ics.problems[0]

    def test_two_summaries(self, file):
        (entry,) = read(file(event("SUMMARY:a", "SUMMARY:b", "DTSTART:20260305T150000Z")))
        assert entry.title == "a"

    def test_no_title_and_no_uid(self, file):
        first = "BEGIN:VEVENT\nDTSTART:20260305T150000Z\nDURATION:PT1H\nEND:VEVENT\n"
        entries = read(file(first, first.replace("0305", "0306")))
        assert [e.title for e in entries] == ["Untitled", "Untitled"]
        assert len({e.key for e in entries}) == 2

    def test_floating_time_and_whole_days_are_of_the_asked_zone(self, file):
        ics = file(event("SUMMARY:x", "DTSTART:20260305T100000", "DURATION:PT1H"))
        rome = ZoneInfo("Europe/Rome")
        assert shown(read(ics, zone=rome))[0][1] == "2026-03-05T10:00+01:00"

    def test_zone_of_the_file(self, file):
        assert file(GYM).zone is None
        assert file(head="X-WR-TIMEZONE:Europe/Rome\n").zone == ZoneInfo("Europe/Rome")
        with pytest.raises(ToolError, match="'Mars' is no time zone"):
            assert file(head="X-WR-TIMEZONE:Mars\n").zone

    def test_a_change_by_others_is_seen(self, file):
        ics = file(VTIMEZONE, GYM)
        assert len(read(ics)) == 1
        ics.path.write_text(calendar(VTIMEZONE, GYM, CHOIR))
        assert len(read(ics)) == 6


class TestWriting:
    def test_a_new_event(self, file):
        ics = file(*FULL)
        before = ics.path.read_bytes().decode()
        entry = ics.add("Study; soil, @ home", at("2026-03-08T01:30"), 60)
        assert shown([entry]) == [("Study; soil, @ home", "2026-03-08T01:30-05:00", 60, True)]
        after = ics.path.read_bytes().decode()
        new = after[after.index("BEGIN:VEVENT\r\nUID:" + entry.uid) : after.rindex("END:VCALENDAR")]
        assert after == before.replace("END:VCALENDAR", f"{new}END:VCALENDAR")
        assert "DTSTART:20260308T063000Z\r\nDTEND:20260308T073000Z\r\n" in new
        assert "SUMMARY:Study\\; soil\\, @ home\r\n" in new
        assert entry in read(IcsFile(ics.path))

    def test_the_first_event_makes_the_file(self, tmp_path):
        ics = IcsFile(tmp_path / "new.ics")
        assert read(ics) == []
        assert not ics.path.exists()
        entry = ics.add("Study", at("2026-03-05T10:00"), 30)
        assert read(IcsFile(ics.path)) == [entry]

    def changed_lines(self, ics, before):
        after = ics.path.read_bytes().decode()
        old, new = before.split("\r\n"), after.split("\r\n")
        return [x for x in old if x not in new], [x for x in new if x not in old]

    def test_a_change_touches_only_its_own_lines(self, file):
        ics = file(*FULL)
        before = ics.path.read_bytes().decode()
        gym = one(ics, "Gym, upstairs")
        new = ics.change(gym, title="Swim", start=at("2026-03-06T08:00"))
        assert shown([new]) == [("Swim", "2026-03-06T08:00-05:00", 60, True)]
        assert new.key == gym.key
        gone, come = self.changed_lines(ics, before)
        stamps = [line for line in come if line.startswith(("DTSTAMP", "LAST-MODIFIED"))]
        assert len(stamps) == 2
        assert sorted(set(come) - set(stamps)) == [
            "DTEND;TZID=America/New_York:20260306T090000",
            "DTSTART;TZID=America/New_York:20260306T080000",
            "SEQUENCE:4",
            "SUMMARY;LANGUAGE=en:Swim",
        ]
        # DTSTAMP of other events reads the same, so it is no line that is gone.
        assert len(gone) == 5

    def test_a_title_alone_leaves_the_times(self, file):
        ics = file(event("SUMMARY:x", "DTSTART:20260305T150007Z", "DURATION:PT59M"))
        ics.change(read(ics)[0], title="y")
        text = ics.path.read_bytes().decode()
        assert "SUMMARY:y\r\nDTSTART:20260305T150007Z\r\nDURATION:PT59M\r\n" in text

    @pytest.mark.parametrize(
        ("lines", "start", "minutes", "written"),
        [
            (
                ["DTSTART:20260305T150000Z", "DURATION:PT1H"],
                "2026-03-06T08:00", None,
                ["DTSTART:20260306T130000Z", "DTEND:20260306T140000Z"],
            ),
            (
                ["DTSTART:20260305T100000", "DTEND:20260305T110000"],
                "2026-03-06T08:00", 30,
                ["DTSTART:20260306T080000", "DTEND:20260306T083000"],
            ),
            (
                ["DTSTART;TZID=Europe/Rome:20260305T160000", "DURATION:PT1H"],
                "2026-03-06T08:00", None,
                ["DTSTART;TZID=Europe/Rome:20260306T140000",
                 "DTEND;TZID=Europe/Rome:20260306T150000"],
            ),
            (
                ["DTSTART;VALUE=DATE:20260305"],
                "2026-03-07T00:00", None,
                ["DTSTART;VALUE=DATE:20260307", "DTEND;VALUE=DATE:20260308"],
            ),
            (
                ["DTSTART;VALUE=DATE:20260305"],
                "2026-03-07T09:00", 90,
                ["DTSTART:20260307T140000Z", "DTEND:20260307T153000Z"],
            ),
            # The second 01:30 of the night: TZID would mean the first.
            (
                ["DTSTART;TZID=America/New_York:20260305T100000", "DURATION:PT1H"],
                "2026-11-01T01:30-05:00", None,
                ["DTSTART:20261101T063000Z", "DTEND:20261101T073000Z"],
            ),
            (
                ["DTSTART;TZID=America/New_York:20260305T100000", "DURATION:PT1H"],
                "2026-03-08T01:30", None,
                ["DTSTART;TZID=America/New_York:20260308T013000",
                 "DTEND;TZID=America/New_York:20260308T033000"],
            ),
        ],
    )  # fmt: skip
    def test_times_keep_their_form(self, file, lines, start, minutes, written):
        ics = file(VTIMEZONE, event("SUMMARY:x", *lines))
        (old,) = read(ics)
        new = ics.change(old, start=at(start), minutes=minutes)
        text = ics.path.read_text()
        assert [line for line in text.split("\n") if line.startswith(("DTSTART:2026", "DTSTART;",
                "DTEND", "DURATION")) and "DTSTART:2007" not in line] == written  # fmt: skip
        assert new.start == at(start)
        assert read(IcsFile(ics.path), last="2026-12-01") == [new]

    def test_one_occurrence_changes_alone(self, file):
        ics = file(*FULL)
        before = shown(read(ics))
        occurrence = next(e for e in read(ics) if e.start == at("2026-03-30T19:00"))
        new = ics.change(occurrence, start=at("2026-03-31T18:00"), minutes=60)
        expected = [row for row in before if row[1] != "2026-03-30T19:00-04:00"]
        expected.insert(4, ("Choir", "2026-03-31T18:00-04:00", 60, True))
        assert shown(read(ics)) == expected
        text = ics.path.read_bytes().decode()
        assert CHOIR.replace("\n", "\r\n") in text
        assert "RECURRENCE-ID;TZID=America/New_York:20260330T190000\r\n" in text
        again = ics.change(new, title="Choir, short")
        assert again.key == occurrence.key
        assert shown([again]) == [("Choir, short", "2026-03-31T18:00-04:00", 60, True)]
        assert ics.path.read_text().count("20260330T190000") == 1

    def test_one_occurrence_is_removed_alone(self, file):
        ics = file(*FULL)
        rest = [e for e in read(ics) if e.start != at("2026-03-30T19:00")]
        version = ics.remove(next(e for e in read(ics) if e.start == at("2026-03-30T19:00")))
        assert shown(read(ics)) == shown(rest)
        assert "EXDATE;TZID=America/New_York:20260330T190000\r\n" in ics.path.read_bytes().decode()
        moved = one(ics, "Choir in the chapel")
        assert moved.version == version
        ics.remove(moved)
        assert "chapel" not in ics.path.read_text()
        assert "Choir in the chapel" not in [e.title for e in read(ics)]
        # Its planned evening does not come back.
        assert at("2026-03-23T19:00") not in [e.start for e in read(ics)]

    @pytest.mark.parametrize(
        ("lines", "excluded"),
        [
            (["DTSTART:20260305T150000Z", "DURATION:PT1H"], "EXDATE:20260312T150000Z"),
            (["DTSTART;VALUE=DATE:20260305"], "EXDATE;VALUE=DATE:20260312"),
            (["DTSTART:20260305T100000", "DURATION:PT1H"], "EXDATE:20260312T100000"),
        ],
    )
    def test_removed_occurrences_of_every_form(self, file, lines, excluded):
        ics = file(event("SUMMARY:x", *lines, "RRULE:FREQ=WEEKLY;COUNT=3"))
        ics.remove(read(ics)[1])
        assert excluded in ics.path.read_text().split("\n")
        assert [e.start.day for e in read(ics)] == [5, 19]

    def test_a_removed_event_leaves_the_rest(self, file):
        ics = file(*FULL)
        assert ics.remove(one(ics, "Gym, upstairs")) == ""
        rest = calendar(VTIMEZONE, TODO, CHOIR, MOVED_CHOIR)
        assert ics.path.read_bytes().decode() == rest

    @pytest.mark.parametrize("how", ["change", "remove"])
    @pytest.mark.parametrize("by", ["edit", "deletion"])
    def test_what_others_changed_meanwhile_is_refused(self, file, how, by):
        ics = file(*FULL)
        gym = one(ics, "Gym, upstairs")
        text = calendar(*FULL).replace(GYM.replace("\n", "\r\n"), "") if by == "deletion" else (
            calendar(*FULL).replace("SEQUENCE:3", "SEQUENCE:4"))  # fmt: skip
        ics.path.write_bytes(text.encode())
        with pytest.raises(Stale, match=r"'Gym, upstairs' was changed or deleted in mine\.ics"):
            ics.change(gym, title="x") if how == "change" else ics.remove(gym)
        assert ics.path.read_bytes() == text.encode()

    def test_changes_elsewhere_in_the_file_do_not_matter(self, file):
        ics = file(*FULL)
        gym = one(ics, "Gym, upstairs")
        ics.path.write_bytes(calendar(*FULL).replace("Buy paper", "Buy pens").encode())
        assert ics.change(gym, title="Swim").title == "Swim"
        assert "Buy pens" in ics.path.read_text()

    def test_series_that_change_from_one_occurrence_on_are_left_alone(self, file):
        later = MOVED_CHOIR.replace("RECURRENCE-ID;", "RECURRENCE-ID;RANGE=THISANDFUTURE;")
        ics = file(VTIMEZONE, CHOIR, later)
        with pytest.raises(ToolError, match="only a calendar program can change"):
            ics.remove(read(ics)[0])

    @pytest.mark.parametrize("how", ["change", "remove"])
    def test_what_would_have_other_effects_is_not_written(self, file, how):
        """Two events under one UID, which no two may have."""
        twins = [
            event("SUMMARY:a", "DTSTART:20260305T150000Z", "DURATION:PT1H", "SEQUENCE:1"),
            event("SUMMARY:b", "DTSTART:20260306T150000Z", "DURATION:PT1H", "SEQUENCE:2"),
        ]
        ics = file(*twins)
        before = ics.path.read_bytes()
        (entry,) = read(ics)
        with pytest.raises(ToolError, match="is odd; only a calendar program can change it"):
            ics.change(entry, start=at("2026-03-07T10:00")) if how == "change" else ics.remove(
                entry
            )
        assert ics.path.read_bytes() == before

    def test_permissions_and_links_are_kept(self, file, tmp_path):
        ics = file(*FULL)
        ics.path.chmod(0o640)
        link = tmp_path / "link.ics"
        link.symlink_to(ics.path)
        IcsFile(link).add("Study", at("2026-03-05T14:00"), 30)
        assert link.is_symlink()
        assert ics.path.stat().st_mode & 0o777 == 0o640
        assert [p.name for p in tmp_path.iterdir() if p.name.endswith(".part")] == []

    def test_a_folder_that_cannot_be_written(self, tmp_path):
        (tmp_path / "file").write_text("")
        ics = IcsFile(tmp_path / "file" / "mine.ics")
        with pytest.raises(ToolError, match=r"mine\.ics cannot be"):
            ics.add("Study", at("2026-03-05T14:00"), 30)

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"hello", "is no iCalendar file"),
            (b"", "is no iCalendar file"),
            (calendar(GYM).encode("utf-16"), "not in UTF-8"),
        ],
    )
    def test_other_files_are_refused(self, tmp_path, content, reason):
        path = tmp_path / "mine.ics"
        path.write_bytes(content)
        with pytest.raises(ToolError, match=reason):
            read(IcsFile(path))
        assert path.read_bytes() == content

    def test_a_write_between_read_and_replace_is_noticed(self, file, monkeypatch):
        ics = file(*FULL)
        gym = one(ics, "Gym, upstairs")
        sync, other = os.fsync, calendar(GYM).encode()

        def raced(handle):
            ics.path.write_bytes(other)
            sync(handle)

        monkeypatch.setattr(os, "fsync", raced)
        with pytest.raises(Stale, match="by another program"):
            ics.change(gym, title="x")
        assert ics.path.read_bytes() == other


HOURS = st.integers(0, 2 * 366 * 24 * 12).map(lambda n: timedelta(minutes=5 * n))


@settings(deadline=None)
@given(HOURS, st.integers(1, 720), HOURS, st.integers(1, 720))
def test_every_instant_is_written_and_read_back(tmp_path_factory, first, minutes, second, longer):
    """New events and moved ones keep start and length through both nights of clock changes."""
    start, moved = (at("2026-01-01T00:00").astimezone(ZoneInfo("UTC")) + d for d in (first, second))
    start, moved = start.astimezone(ZONE), moved.astimezone(ZONE)
    path = tmp_path_factory.mktemp("c") / "c.ics"
    zoned = event("SUMMARY:z", "DTSTART;TZID=America/New_York:20260305T100000", "DURATION:PT1H")
    path.write_text(calendar(VTIMEZONE, zoned))
    ics = IcsFile(path)
    new = ics.add("n", start, minutes)
    assert (new.start, length(new)) == (start, minutes)
    old = next(e for e in read(ics) if e.title == "z")
    done = ics.change(old, start=moved, minutes=longer)
    assert (done.start, length(done)) == (moved, longer)
    assert done.start.utcoffset() == moved.utcoffset()
