"""Outcomes: what must hold after a request, from its world and slots, whatever calls led there.

An outcome function takes the untouched world and the slots, and draws rules and facts from the
world itself, so that an oracle that errs does not meet them.
"""

from dataclasses import replace
from datetime import datetime

from canvas import clock
from canvas.intents.bookings import clashes
from canvas.intents.demands import (
    NONE,
    PLANS,
    READS,
    REFUSAL,
    WHEN,
    Outcome,
    changing,
    leaving_out,
    listing,
    others_of,
    telling,
)
from canvas.intents.draws import KINDS, open_items
from canvas.tools import calendar, reranker, study
from canvas.world import Event, World
from canvas.world.state import day_bounds


def list_courses(world: World) -> Outcome:
    return telling((c.course, c.name) for c in world.courses)


def get_course(world: World, course: str) -> Outcome:
    found = world.course(course)
    return Outcome(facts={"instructor": (found.instructor,), "room": (found.room,)})


def get_assignments(world: World, course: str) -> Outcome:
    items = [item for item in world.assignments if item.course == course]
    others = [item for item in world.assignments if item.course != course]
    # "What is left" may leave out what is handed in.
    return leaving_out(listing([item for item in items if not item.done] or items), others)


def due_date(world: World, course: str, title: str) -> Outcome:
    return telling([(clock.show(world.assignment(title).due),)])


def get_syllabus(world: World, course: str) -> Outcome:
    found = world.course(course)
    penalty = found.late_policy.partition(" ")[0]
    return Outcome(
        facts={
            "penalty": (penalty,),
            "hours": (found.office_hours, found.office_hours.replace("-", " to ")),
            "textbook": (found.textbook, found.textbook.partition(",")[0]),
        }
    )


def get_todo(world: World, days: int) -> Outcome:
    return leaving_out(
        listing(found := open_items(world, days)), others_of(world.assignments, found)
    )


def get_grades(world: World, course: str) -> Outcome:
    return Outcome(facts={"score": (str(world.course(course).score),)})


def list_announcements(world: World, course: str) -> Outcome:
    return telling((n.title, n.message) for n in world.announcements if n.course == course)


def list_planner_items(world: World, start: str, end: str) -> Outcome:
    found = world.due_between(*_bounds(start, end))
    return leaving_out(listing(found), others_of(world.assignments, found))


def list_events(world: World, start: str, end: str) -> Outcome:
    found = world.events_between(*_bounds(start, end))
    told = [fact for e in found for fact in ((e.title,), (clock.show(e.start),))]
    return leaving_out(telling(told or [NONE]), others_of(world.events, found))


def list_events_day(world: World, date: str) -> Outcome:
    found = world.events_between(*_bounds(date, date))
    told = [fact for e in found for fact in ((e.title,), (f"{e.start:%H:%M}",))]
    return leaving_out(telling(told or [NONE]), others_of(world.events, found))


def find_free_blocks(world: World, date: str, minutes: int) -> Outcome:
    gaps = calendar.find_free_blocks(world, date, minutes)["free"]
    return telling((gap[edge][-5:],) for gap in gaps for edge in ("start", "end"))


def create_event(world: World, title: str, date: str, time: str, minutes: int) -> Outcome:
    slots = {"date": date, "time": time, "minutes": minutes}
    busy = clashes(world, slots)
    if busy:
        return telling([(busy[0].title, busy[0].event)])
    return changing("created", title=title, start=_naive(date, time), minutes=minutes)


def move_event(world: World, event: str, date: str, time: str) -> Outcome:
    return changing("modified", event=event, start=_naive(date, time))


def resize_event(world: World, event: str, minutes: int) -> Outcome:
    return changing("modified", event=event, minutes=minutes)


def rename_event(world: World, event: str, title: str) -> Outcome:
    return changing("modified", event=event, title=title)


def delete_event(world: World, event: str) -> Outcome:
    return changing("deleted", event=event)


def spaced_schedule(world: World, date: str, sessions: int) -> Outcome:
    return telling((day,) for day in study.spaced_schedule(world, date, sessions)["sessions"])


def semester_schedule(world: World, course: str, hours: float) -> Outcome:
    weeks = study.semester_schedule(world, course, hours)["weeks"]
    return telling([(week["focus"],) for week in weeks] + [(f"{w['hours']} hours",) for w in weeks])


def recommend_block_size(world: World, kind: str, points: float) -> Outcome:
    return _blocks(world, KINDS[kind], points)


def exam_bracket(world: World, date: str, days: int) -> Outcome:
    found = study.exam_bracket(world, date, days)
    return telling([(found["start"],), (found["light_review"],)])


def priority_hint(world: World, title: str, other: str) -> Outcome:
    return _first(world, [title, other])


def book_free_block(world: World, title: str, date: str, minutes: int) -> Outcome:
    day = clock.parse_date(date)
    return changing("created", title=title, on=day, minutes=minutes)


def delete_titled(world: World, title: str, date: str) -> Outcome:
    return delete_event(world, _event(world, title).event)


def move_titled(world: World, title: str, date: str, time: str) -> Outcome:
    return move_event(world, _event(world, title).event, date, time)


def schedule_for_due(world: World, course: str, title: str, time: str, minutes: int) -> Outcome:
    return create_event(world, title, _day(world, title), time, minutes)


def space_for_exam(world: World, course: str, title: str, sessions: int) -> Outcome:
    return spaced_schedule(world, _day(world, title), sessions)


def bracket_for_exam(world: World, course: str, title: str, days: int) -> Outcome:
    return exam_bracket(world, _day(world, title), days)


def block_for_title(world: World, course: str, title: str) -> Outcome:
    found = world.assignment(title)
    return _blocks(world, found.type, found.points)


def prioritise_todo(world: World, days: int) -> Outcome:
    first = _first(world, [item.title for item in open_items(world, days)])
    return leaving_out(first, world.assignments)


def course_and_grade(world: World, course: str) -> Outcome:
    facts = {"instructor": (world.course(course).instructor,)}
    return Outcome(facts={**facts, **get_grades(world, course).facts})


def grade_and_work(world: World, course: str) -> Outcome:
    facts = get_grades(world, course).facts
    return Outcome(facts={**facts, **get_assignments(world, course).facts})


def greeting(world: World) -> Outcome:
    told = telling([("courses", "deadlines", "calendar", "schedule", "study", "plan")])
    return replace(told, also=(READS, PLANS), silent=True)


def out_of_scope(world: World) -> Outcome:
    told = telling([("sorry", "can't", "cannot", "only", "unable", "not able", "don't")])
    return replace(told, also=(REFUSAL,), silent=True)


def ask_course(world: World) -> Outcome:
    told = telling([("which course", "which class", "what course", "what class", "which of your")])
    return replace(told, asks=True)


def ask_when(world: World, title: str) -> Outcome:
    told = telling([("when", "date", "what time", "which day", "what day")])
    return replace(told, also=(WHEN,), asks=True)


def _first(world: World, titles: list[str]) -> Outcome:
    """The title, and one of its reasons: the time left, the points, the date."""
    hint = reranker.priority_hint(world, titles)
    item = world.assignment(hint["first"])
    reasons = hint["reason"].removeprefix("it is ").replace("worth ", "").split(" and ")
    dated = [str(item.due.date())] if item.due else []
    return telling([(hint["first"],), (*reasons, *dated)])


def _blocks(world: World, kind: str, points: float) -> Outcome:
    found = study.recommend_block_size(world, kind, points)
    return Outcome(facts={"minutes": (str(found["minutes"]),), "blocks": (str(found["blocks"]),)})


def _event(world: World, title: str) -> Event:
    return next(event for event in world.events if event.title == title)


def _day(world: World, title: str) -> str:
    return str(world.assignment(title).due.date())


def _naive(date: str, time: str) -> datetime:
    return datetime.fromisoformat(f"{date}T{time}")


def _bounds(start: str, end: str) -> tuple[datetime, datetime]:
    return day_bounds(clock.parse_date(start), clock.parse_date(end))
