"""Replies: requests that are answered without a call, or with a question; nothing may change."""

from functools import partial

from canvas.families.draft import Draft
from canvas.families.scene import Scene, at
from canvas.families.trouble import NOTHING
from canvas.intents.demands import REFUSAL, WHEN
from canvas.planning import replies

CREATE, MODIFY = "calendar.create_event", "calendar.modify_event"
EVENTS = "calendar.list_events"
NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
COURSE = [
    "which course", "what course", "which class", "what class", "which of your", "which of the",
    "which of these", "which one", "course is it", "course do you", "course should",
    "course you mean", "the course you", "do you mean", "did you mean",
]  # fmt: skip


def sum_of_hours(scene: Scene) -> Draft | None:
    """Arithmetic with numbers of the request alone."""
    blocks, minutes, days = (
        scene.rng.randint(2, 4),
        scene.rng.choice((20, 30, 40, 45, 50, 90)),
        scene.rng.randint(3, 6),
    )
    total = blocks * minutes * days
    if total % 60 or total // 60 in (blocks, days):
        return None
    return Draft(
        scene,
        {"blocks": blocks, "minutes": minutes, "days": days},
        (CREATE, "study.recommend_block_size"),
        partial(replies.say, f"That makes {total // 60} hours."),
        forbid=NOTHING,
        facts=[[str(total // 60), f"{total // 60}h"]],
        silent=True,
    )


def weekday(scene: Scene) -> Draft:
    """A weekday that follows from the clock of the prompt."""
    day = scene.day(scene.rng.randint(2, 13))
    name = NAMES[day.weekday()]
    return Draft(
        scene,
        {"date": day},
        (EVENTS, "canvas.list_planner_items"),
        partial(replies.say, f"It is a {name}."),
        forbid=NOTHING,
        facts=[[name, name[:3]]],
        unsaid=[other for other in NAMES if other != name],
        silent=True,
    )


def beyond(scene: Scene) -> Draft:
    """Something that no tool does: it is said so."""
    return Draft(
        scene,
        {"course": scene.course().course},
        (CREATE, "canvas.get_course", "canvas.get_assignments"),
        partial(
            replies.say, "Sorry, I cannot do that: I only read coursework and plan study time."
        ),
        forbid=NOTHING,
        facts=[list(REFUSAL)],
        silent=True,
    )


def ask_course(scene: Scene) -> Draft:
    """An event named after a course that is not told, one of several."""
    minutes, start = scene.minutes(), at(scene.day(scene.rng.randint(1, 9)), scene.time())
    slots = {"label": scene.label(), "date": start[:10], "time": start[11:], "minutes": minutes}
    return Draft(
        scene,
        slots,
        (CREATE, "canvas.list_courses"),
        partial(replies.say, "Which course do you mean?"),
        forbid=NOTHING,
        facts=[COURSE],
        asks=True,
    )


def ask_date(scene: Scene) -> Draft:
    """An event without date and time."""
    return Draft(
        scene,
        {"name": f"{scene.label()}: {scene.topic()}", "minutes": scene.minutes()},
        (CREATE, "calendar.find_free_blocks"),
        partial(replies.say, "On which date and at what time should it begin?"),
        forbid=NOTHING,
        facts=[list(WHEN)],
        asks=True,
    )


def ask_event(scene: Scene) -> Draft:
    """A name that two events of a day share: both are told, and asked which is meant."""
    day = scene.day(scene.rng.randint(1, 7))
    scene.clear(day)
    title, other = scene.activities(2)
    word = title.split()[0]
    early, late = scene.time(8, 11), scene.time(13, 17)
    scene.event(title, at(day, early), scene.minutes(40, 90))
    scene.event(title, at(day, late), scene.minutes(40, 90))
    scene.event(other, at(day, "20:00"), 60)
    target = at(scene.day(scene.rng.randint(8, 13)), scene.time())
    return Draft(
        scene,
        {"word": word, "date": day, "newdate": target[:10], "time": target[11:]},
        (EVENTS, MODIFY),
        partial(replies.which_event, str(day), word),
        forbid=NOTHING,
        facts=[early, late],
        unsaid=[other],
        asks=True,
    )
