"""Trouble: requests that meet tools which answer with an error, once or for good."""

from functools import partial

from canvas.families import deadlines, exams, lookups
from canvas.families.draft import Draft, created
from canvas.families.scene import Scene, at, shift
from canvas.planning import replies
from canvas.planning.steps import patient

CREATE, GRADES = "calendar.create_event", "canvas.get_grades"
NOTHING = [{"created": {}}, {"modified": {}}, {"deleted": {}}]
# Ways to say that a course is not there, and that something did not work.
UNKNOWN = [
    "unknown", "no course", "no such", "no match", "not find", "couldn't find", "can't find",
    "cannot find", "unable to find", "not found", "not one of", "not among", "not in your",
    "not in the", "not listed", "not a course", "not enrolled", "isn't one", "isn't in",
    "isn't a course", "isn't among", "isn't listed", "does not exist", "doesn't exist",
    "does not appear", "doesn't appear", "not know", "don't see", "do not see", "not recognized",
    "don't have", "do not have",
]  # fmt: skip
FAILED = [
    "could not", "couldn't", "cannot", "can't", "unable", "not able", "wasn't able", "unavailable",
    "not available", "not work", "didn't work", "not working", "failed", "failing", "fails",
    "not respond", "not reach", "try again", "is down", "trouble", "error", "problem",
]  # fmt: skip


def unknown_course(scene: Scene) -> Draft:
    """Work in a course that does not exist: told, nothing entered."""
    taken = {course.course for course in scene.world.courses}
    token = scene.rng.choice([t for t in (f"@COURSE{n}" for n in range(1, 100)) if t not in taken])
    slots = {
        "course": token,
        "title": f"{scene.topic()} Essay",
        "minutes": scene.minutes(),
        "time": scene.time(),
    }
    return Draft(
        scene,
        slots,
        ("canvas.get_assignments", CREATE),
        partial(replies.unknown_course, token),
        forbid=NOTHING,
        facts=[token, UNKNOWN],
    )


def flaky(scene: Scene) -> Draft | None:
    """Another request whose first look-up fails once: made again, it works."""
    family, name = scene.rng.choice(
        (
            (exams.several_exams, "several-exams"),
            (deadlines.deadlines, "deadlines"),
            (lookups.grades, "grades"),
            (lookups.announcement, "announcement"),
        )
    )
    draft = family(scene)
    if draft is None:
        return None
    draft.faults = {draft.tools[0]: 1}
    draft.wording = name
    plain = draft.plan
    draft.plan = lambda: patient(plain())
    return draft


def outage(scene: Scene) -> Draft | None:
    """A grade that decides, and that cannot be read: told, nothing entered."""
    draft = lookups.grade_gate(scene)
    if draft is None:
        return None
    draft.faults = {GRADES: "always"}
    draft.wording = "grade-gate"
    draft.plan = partial(replies.no_grade, draft.slots["course"], 2)
    draft.expect, draft.forbid, draft.facts = [], NOTHING, [FAILED]
    return draft


def refused(scene: Scene) -> Draft:
    """A time that may be taken: then everything stays and what is there is told."""
    day, minutes, name = scene.day(scene.rng.randint(1, 9)), scene.minutes(), scene.label()
    scene.clear(day)
    title, other = scene.activities(2)
    start = at(day, scene.time(9, 16))
    wanted = shift(start, scene.rng.randrange(15, 45, 15))
    scene.event(title, start, scene.minutes(50, 120))
    scene.event(other, at(day, "20:00"), 60)
    return Draft(
        scene,
        {"date": day, "time": wanted[11:], "minutes": minutes, "name": name},
        (CREATE, "calendar.list_events"),
        partial(replies.unless_taken, name, wanted, minutes),
        forbid=NOTHING,
        facts=[title],
        unsaid=[other],
    )


def available(scene: Scene) -> Draft:
    """The same request where the time is free: then the event is entered."""
    day, minutes, name = scene.day(scene.rng.randint(1, 9)), scene.minutes(), scene.label()
    scene.clear(day)
    (title,) = scene.activities(1)
    wanted = at(day, scene.time(9, 16))
    scene.event(title, at(day, "19:00"), 60)
    return Draft(
        scene,
        {"date": day, "time": wanted[11:], "minutes": minutes, "name": name},
        (CREATE, "calendar.list_events"),
        partial(replies.unless_taken, name, wanted, minutes),
        expect=[created(name, wanted, minutes)],
        forbid=NOTHING[1:],
        facts=[wanted[11:]],
        unsaid=[title],
        wording="refused",
    )
