"""The live world: the 18 tools on a Canvas and a calendar, and proposals until a yes."""

import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from canvas import clock
from canvas.live import CanvasCoursework, IcsFile, LiveWorld, Stale
from canvas.live.requester import Requester
from canvas.tools import DECLARATIONS, Toolbox, ToolError
from canvas.world import World, WorldView
from tests.live import campus, canvas_server
from tests.live.campus import SECRETS
from tests.live.canvas_server import TOKEN
from tests.live.texts import CHOIR, MOVED_CHOIR, VTIMEZONE, calendar, event

ZONE = ZoneInfo("America/Denver")
NOW = datetime(2026, 3, 4, 9, 2, 30, tzinfo=ZONE)
GYM = event("SUMMARY:Gym", "DTSTART:20260305T170000Z", "DURATION:PT1H", uid="gym")
LAB = event(
    "SUMMARY:BIOL 201 lab with Jane Smith", "DTSTART:20260306T170000Z", "DURATION:PT2H", uid="lab"
)
BREAK = event("SUMMARY:Spring Break", "DTSTART;VALUE=DATE:20260309", "DURATION:P5D", uid="break")


@pytest.fixture
def server():
    with canvas_server.running() as canvas:
        campus.fill(canvas)
        yield canvas


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "mine.ics"
    path.write_bytes(calendar(VTIMEZONE, GYM, LAB, BREAK, CHOIR, MOVED_CHOIR).encode())
    return path


@pytest.fixture
def world(server, path):
    requester = Requester(server.url, TOKEN, sleep=lambda seconds: None)
    coursework = CanvasCoursework(requester, lambda: NOW)
    return LiveWorld(coursework, IcsFile(path), NOW)


@pytest.fixture
def call(world):
    """A function that runs one tool and reads its result."""
    box = Toolbox(world)
    return lambda name, **arguments: json.loads(box.call(name, arguments))


DAYS = {"start": "2026-03-04", "end": "2026-03-14"}
CALLS = {
    "canvas.list_courses": {},
    "canvas.get_assignments": {"course": "@COURSE1"},
    "canvas.get_course": {"course": "@COURSE1"},
    "canvas.get_syllabus": {"course": "@COURSE1"},
    "canvas.get_todo": {"days": 7},
    "canvas.get_grades": {"course": "@COURSE1"},
    "canvas.list_announcements": {"course": "@COURSE1"},
    "canvas.list_planner_items": DAYS,
    "calendar.list_events": DAYS,
    "calendar.find_free_blocks": {"date": "2026-03-05", "minutes": 60},
    "calendar.create_event": {"title": "Study", "start": "2026-03-05T14:00", "minutes": 60},
    "calendar.modify_event": {"event": "E1", "title": "Swim"},
    "calendar.delete_event": {"event": "E2"},
    "study.spaced_schedule": {"exam_date": "2026-03-20", "sessions": 3},
    "study.semester_schedule": {"course": "@COURSE1", "hours": 4},
    "study.recommend_block_size": {"type": "EXAM", "points": 50},
    "study.exam_bracket": {"exam_date": "2026-03-20", "days": 5},
    "reranker.priority_hint": {"items": ["Lab Report: Cells", "Quiz 1 (@COURSE1)"]},
}


def shown(path) -> list[tuple[str, str]]:
    """What stands in the file now."""
    span = datetime(2026, 3, 1, tzinfo=ZONE), datetime(2026, 4, 1, tzinfo=ZONE)
    return [
        (e.title, e.start.isoformat(timespec="minutes")[:16])
        for e in IcsFile(path).events_between(*span)
    ]


class TestTools:
    def test_it_is_a_world(self, world):
        view: WorldView = world
        assert view.now == NOW.replace(second=0)
        assert str(view.today) == "2026-03-04"
        members = {name for name in vars(WorldView) if not name.startswith("_")}
        assert {name for name in members if not hasattr(world, name)} == set()
        assert {name for name in members if not hasattr(World(view.now), name)} == set()

    def test_every_tool_answers_and_nothing_of_the_record_is_left(self, server, call, path):
        before = path.read_bytes()
        results = {name: call(name, **arguments) for name, arguments in CALLS.items()}
        assert set(results) == set(DECLARATIONS)
        assert {name: r["error"] for name, r in results.items() if "error" in r} == {}
        text = json.dumps(results)
        assert [secret for secret in SECRETS if secret in text] == []
        # Eleven questions about Canvas cost four requests, and the calendar is as it was.
        assert server.paths.count("courses") == 1
        assert len(server.paths) == 4
        assert server.methods == {"GET"}
        assert path.read_bytes() == before

    def test_times_are_the_students(self, call):
        (first, *_) = call("canvas.list_planner_items", **DAYS)["items"]
        assert first == {"title": "Quiz 1 (@COURSE1)", "course": "@COURSE1",
                         "due": "2026-03-05T09:00"}  # fmt: skip
        (lab,) = [i for i in call("canvas.get_todo", days=2)["todo"] if "Lab" in i["title"]]
        assert lab["due"] == "2026-03-05T23:59"
        news = call("canvas.list_announcements", course="@COURSE1")["announcements"][0]
        assert news["posted"] == "2026-03-02T08:00"

    def test_facts(self, call):
        assert call("canvas.get_grades", course="@COURSE1") == {
            "course": "@COURSE1", "score": 88.4, "letter": "B+",
        }  # fmt: skip
        assert call("canvas.get_grades", course="@COURSE2")["error"] == (
            "no grade is posted for @COURSE2"
        )
        assert call("canvas.get_syllabus", course="@COURSE3")["error"] == (
            "no syllabus is posted for @COURSE3"
        )
        assert call("canvas.get_course", course="@COURSE8")["error"] == (
            "unknown course; known: @COURSE1, @COURSE2, @COURSE3"
        )
        hint = call("reranker.priority_hint", items=["Lab Report: Cells", "Essay 1"])
        assert hint["first"] == "Essay 1"

    def test_errors_of_canvas_reach_the_model_in_words(self, server, call):
        server.forbidden = {"announcements"}
        error = call("canvas.list_announcements", course="@COURSE2")["error"]
        assert error == "Canvas does not let this student see announcements of @COURSE2"
        server.moods = ["drop"] * 5
        assert "does not answer" in call("canvas.get_todo", days=3)["error"]
        assert call("canvas.get_todo", days=3)["todo"]

    def test_a_file_that_breaks_is_an_error_in_words(self, call, path):
        path.write_text("gone")
        error = call("calendar.list_events", **DAYS)["error"]
        assert error.startswith("mine.ics is no iCalendar file: ")

    def test_errors_of_the_calendar_are_masked_too(self, world, call, monkeypatch):
        def fails(start, end):
            raise ToolError("the calendar server dav.vt.edu does not answer for Jane Smith")

        monkeypatch.setattr(world.calendar, "events_between", fails)
        error = call("calendar.list_events", **DAYS)["error"]
        assert error == "the calendar server @URL1 does not answer for @PERSON1"

    def test_the_clock_may_run(self, server, path):
        times = [NOW]
        coursework = CanvasCoursework(Requester(server.url, TOKEN))
        world = LiveWorld(coursework, IcsFile(path), lambda: times[0])
        assert world.now.minute == 2
        times[0] += timedelta(minutes=5)
        assert (world.now.minute, world.now.second) == (7, 0)


class TestNames:
    def test_the_students_words_and_the_answer(self, world):
        assert world.mask("when is the biol 201 lab of Dr. Jane Smith?") == (
            "when is the @COURSE1 lab of @PERSON1?"
        )
        assert world.unmask("@COURSE1 with @PERSON1") == "BIOL-201-01 with Dr. Jane Smith"
        assert world.names["@COURSE2"] == "CS3704"

    def test_events_are_masked_before_anything_else_was_asked(self, call):
        titles = [e["title"] for e in call("calendar.list_events", **DAYS)["events"]]
        assert titles == ["Gym", "@COURSE1 lab with @PERSON1", "Spring Break", "Choir"]

    def test_a_simulated_world_keeps_its_tokens(self, path):
        demo = World.generate(7)
        world = LiveWorld(demo, IcsFile(path), demo.now)
        course = demo.courses[0]
        assert world.names[course.course] == course.name
        assert world.mask(f"my {course.name} grade") == f"my {course.course} grade"
        assert world.courses == demo.courses
        assert world.assignments == demo.assignments
        assert world.due_between(world.now, clock.plus(world.now, 10**4)) == (
            demo.due_between(demo.now, clock.plus(demo.now, 10**4))
        )
        world.refresh()


class TestCalendar:
    def test_ids_are_stable(self, world, call):
        first = call("calendar.list_events", **DAYS)["events"]
        assert [e["event"] for e in first] == ["E1", "E2", "E3", "E4"]
        assert call("calendar.list_events", **DAYS)["events"] == first
        assert call("calendar.modify_event", event="E9", title="x")["error"] == (
            "unknown event; known: E1, E2, E3, E4"
        )

    def test_whole_days_do_not_block_time(self, call):
        free = call("calendar.find_free_blocks", date="2026-03-10", minutes=60)["free"]
        assert free == [{"start": "2026-03-10T08:00", "end": "2026-03-10T22:00"}]
        (day,) = call("calendar.list_events", start="2026-03-10", end="2026-03-10")["events"]
        assert (day["title"], day["start"], day["minutes"]) == (
            "Spring Break", "2026-03-09T00:00", 5 * 1440,
        )  # fmt: skip

    def test_events_block_time(self, call):
        free = call("calendar.find_free_blocks", date="2026-03-05", minutes=60)["free"]
        assert [(b["start"][11:], b["end"][11:]) for b in free] == [
            ("08:00", "10:00"), ("11:00", "22:00"),
        ]  # fmt: skip
        taken = call("calendar.create_event", title="x", start="2026-03-05T10:30", minutes=30)
        assert taken["error"].startswith("conflict with E1 Gym")

    @pytest.mark.parametrize(
        ("now", "date", "free"),
        [
            ("2026-03-07T12:00-07:00", "2026-03-08", "2026-03-08T08:00"),
            ("2026-11-01T00:10-06:00", "2026-11-01", "2026-11-01T08:00"),
        ],
    )
    def test_days_of_the_clock_changes(self, server, path, now, date, free):
        moment = datetime.fromisoformat(now).astimezone(ZONE)
        coursework = CanvasCoursework(Requester(server.url, TOKEN))
        box = Toolbox(LiveWorld(coursework, IcsFile(path), moment))
        result = json.loads(box.call("calendar.find_free_blocks", {"date": date, "minutes": 600}))
        assert result["free"][0]["start"] == free

    def test_local_times_that_the_students_zone_skips_or_repeats(self, call):
        skipped = call("calendar.create_event", title="x", start="2026-03-08T02:30", minutes=30)
        assert skipped["error"] == "start does not exist: clocks go forward over it"
        first = call("calendar.create_event", title="1", start="2026-11-01T01:30", minutes=30)
        second = call(
            "calendar.create_event", title="2", start="2026-11-01T01:30-07:00", minutes=30
        )
        assert first["start"] == "2026-11-01T01:30"
        assert second["start"] == "2026-11-01T01:30-07:00"


class TestProposals:
    def test_a_creation_waits_and_counts(self, world, call, path):
        before = path.read_bytes()
        made = call("calendar.create_event", title="Study", start="2026-03-05T14:00", minutes=60)
        assert world.proposals == [{"action": "create", **made}]
        clash = call("calendar.create_event", title="y", start="2026-03-05T14:30", minutes=60)
        assert clash["error"].startswith(f"conflict with {made['event']} Study")
        listed = call("calendar.list_events", **DAYS)["events"]
        assert made in listed
        assert path.read_bytes() == before

    def test_a_creation_with_a_yes(self, world, call, path):
        made = call(
            "calendar.create_event", title="Study @COURSE1", start="2026-03-05T14:00", minutes=60
        )
        event = world.apply(world.proposals[0])
        assert event.to_dict() == made
        assert ("Study BIOL-201-01", "2026-03-05T14:00") in shown(path)
        assert world.proposals == []
        assert [e for e in call("calendar.list_events", **DAYS)["events"] if "Study" in e["title"]
                ] == [made]  # fmt: skip

    def test_a_creation_with_a_no(self, world, call, path):
        before = path.read_bytes()
        made = call("calendar.create_event", title="Study", start="2026-03-05T14:00", minutes=60)
        (proposal,) = world.proposals
        world.discard(proposal)
        world.discard(proposal)
        assert world.proposals == []
        assert world.event(made["event"]) is None
        assert made not in call("calendar.list_events", **DAYS)["events"]
        assert path.read_bytes() == before
        with pytest.raises(ToolError, match="not proposed"):
            world.apply(proposal)

    def test_a_change_with_a_yes(self, world, call, path):
        call("calendar.list_events", **DAYS)
        told = call("calendar.modify_event", event="E1", start="2026-03-05T18:00", minutes=30)
        event = world.apply(world.proposals[0])
        assert event.to_dict() == {key: told[key] for key in ("event", "title", "start", "minutes")}
        assert ("Gym", "2026-03-05T18:00") in shown(path)
        assert world.event("E1") == event

    def test_a_deletion_with_a_yes(self, world, call, path):
        call("calendar.list_events", **DAYS)
        call("calendar.delete_event", event="E1")
        assert world.apply(world.proposals[0]) is None
        assert "Gym" not in [title for title, _ in shown(path)]
        assert world.event("E1") is None

    def test_what_changed_meanwhile_is_refused_and_void(self, world, call, path):
        call("calendar.list_events", **DAYS)
        call("calendar.modify_event", event="E1", start="2026-03-05T18:00")
        call("calendar.delete_event", event="E1")
        # The phone moves it; the agent even sees that before the student answers.
        path.write_bytes(path.read_bytes().replace(b"20260305T170000Z", b"20260305T190000Z"))
        call("calendar.list_events", **DAYS)
        after = path.read_bytes()
        for proposal in list(world.proposals):
            with pytest.raises(Stale, match=r"'Gym' was changed or deleted in mine\.ics"):
                world.apply(proposal)
        assert world.proposals == []
        assert path.read_bytes() == after

    def test_a_time_that_is_taken_meanwhile_is_refused(self, world, call, path):
        call("calendar.list_events", **DAYS)
        call("calendar.create_event", title="Study", start="2026-03-05T14:00", minutes=60)
        call("calendar.modify_event", event="E1", start="2026-03-05T13:00")
        IcsFile(path).add("Dentist", datetime(2026, 3, 5, 13, 30, tzinfo=ZONE), 60)
        after = path.read_bytes()
        for proposal in list(world.proposals):
            with pytest.raises(Stale, match="the time is taken by 'Dentist', 2026-03-05T13:30"):
                world.apply(proposal)
        assert path.read_bytes() == after

    def test_several_changes_of_one_event_and_one_series(self, world, call, path):
        call("calendar.list_events", start="2026-03-01", end="2026-04-10")
        ids = {e.start.day: e.event for e in world.events if e.title == "Choir"}
        call("calendar.modify_event", event="E2", start="2026-03-05T18:00")
        call("calendar.modify_event", event="E2", title="Swim")
        call("calendar.delete_event", event=ids[9])
        call("calendar.modify_event", event=ids[30], minutes=45)
        for proposal in list(world.proposals):
            world.apply(proposal)
        assert ("Swim", "2026-03-05T18:00") in shown(path)
        choir = [start for title, start in shown(path) if title.startswith("Choir")]
        assert choir == ["2026-03-02T17:00", "2026-03-24T18:00", "2026-03-30T17:00"]

    def test_a_proposed_event_cannot_be_changed_before_it_is_there(self, world, call):
        made = call("calendar.create_event", title="Study", start="2026-03-05T14:00", minutes=60)
        call("calendar.modify_event", event=made["event"], minutes=90)
        create, modify = world.proposals
        with pytest.raises(ToolError, match="decide on adding it first"):
            world.apply(modify)
        world.apply(create)
        assert world.apply(modify).minutes == 90

    def test_masked_titles_are_not_written_back(self, world, call, path):
        call("calendar.list_events", **DAYS)
        old = world.event("E2")
        assert old.title == "@COURSE1 lab with @PERSON1"
        call("calendar.modify_event", event="E2", title=old.title, minutes=90)
        world.apply(world.proposals[0])
        assert ("BIOL 201 lab with Jane Smith", "2026-03-06T10:00") in shown(path)
        # Taking it back, as a conversation does, names the title too.
        world.propose({"action": "modify", "event": "E2", "title": "Other"})
        world.apply(world.proposals[0])
        world.propose({"action": "modify", **old.to_dict()})
        world.apply(world.proposals[0])
        assert ("BIOL 201 lab with Jane Smith", "2026-03-06T10:00") in shown(path)

    def test_an_event_in_another_zone_is_moved_by_the_students_clock(self, world, call, path):
        call("calendar.list_events", start="2026-03-24", end="2026-03-24")
        (chapel,) = world.events
        call("calendar.modify_event", event=chapel.event, start="2026-03-25T18:00")
        world.apply(world.proposals[0])
        assert b"DTSTART;TZID=America/New_York:20260325T200000" in path.read_bytes()

    def test_a_calendar_that_fails_keeps_the_proposal(self, world, call, path):
        call("calendar.create_event", title="Study", start="2026-03-05T14:00", minutes=60)
        content = path.read_bytes()
        path.write_bytes(b"broken")
        with pytest.raises(ToolError, match="is no iCalendar file"):
            world.apply(world.proposals[0])
        path.write_bytes(content)
        assert world.apply(world.proposals[0]).title == "Study"

    def test_unreadable_events_are_told(self, world, path):
        path.write_bytes(calendar(GYM, event("SUMMARY:Odd", "DTSTART:2026", uid="odd")).encode())
        assert len(world.events_between(NOW, NOW + timedelta(days=3))) == 1
        assert world.problems[0].startswith("event 'Odd' is left out: ")


def test_now_may_be_in_any_zone(server, path):
    world = LiveWorld(CanvasCoursework(Requester(server.url, TOKEN)), IcsFile(path),
                      datetime(2026, 3, 4, 16, 2, tzinfo=UTC))  # fmt: skip
    (gym,) = world.events_between(world.now, world.now + timedelta(days=2))[:1]
    assert clock.show(gym.start) == "2026-03-05T17:00"
