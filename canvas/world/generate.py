"""Seeded worlds: every fact drawn at random, so that no constant answer is right twice."""

import random
from collections.abc import Callable
from datetime import date, datetime, timedelta

from canvas import clock, seeds
from canvas.coursework import draw_assignment, draw_course
from canvas.world.facts import LETTERS, Announcement, Assignment, Course, Event, letter_of
from canvas.world.state import World, normal

Range = tuple[int, int]
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri")
# First and last day of teaching, month and day; a term is `Fall 2026`.
_TERMS = {"Spring": ((1, 20), (4, 25)), "Fall": ((8, 25), (12, 1))}
_ACTIVITIES = (
    "Advising", "Badminton", "Band", "Baking", "Board Game", "Budget", "Chess", "Choir", "Climbing",
    "Cooking", "Cycling", "Dance", "Debate", "Drama", "Film", "Garden", "Gym", "Hiking", "Knitting",
    "Library", "Orchestra", "Photography", "Pottery", "Radio", "Robotics", "Rowing", "Running",
    "Soccer", "Swimming", "Tennis", "Tutoring", "Volleyball", "Volunteer", "Writing", "Yoga",
)  # fmt: skip
_MEETINGS = (
    "Appointment",
    "Club",
    "Interview",
    "Meeting",
    "Practice",
    "Session",
    "Shift",
    "Social",
)
_BOOKS = ("Introduction to", "Foundations of", "Essentials of", "A First Course in", "Topics in")
_EXAM_MINUTES = (480, 540, 600, 690, 780, 840, 930, 1080)
_DUE_MINUTES = (1439, 1439, 1439, 1020, 720, 540, 1080, 1320, 840, 990)


def generate(
    seed: int | str,
    *,
    courses: Range = (3, 4),
    assignments: Range = (2, 3),
    announcements: Range = (1, 2),
    events: Range = (3, 6),
) -> World:
    """A world with `courses` and `events`, and `assignments` and `announcements` for each course.

    Each size is an inclusive range. Course and person tokens run to 99, event ids to 80; titles are
    unique; generated events never overlap. The same seed and sizes give the same world everywhere.
    """
    rng = seeds.rng("world", seed)
    now = _draw_now(rng)
    term = f"{'Spring' if now.month < 7 else 'Fall'} {now.year}"
    taken: set[str] = set()
    drawn = _draw_courses(rng, rng.randint(*courses), term)
    items, notices = [], []
    for course, topics in drawn:
        for _ in range(rng.randint(*assignments)):
            items.append(_draw_item(rng, course.course, topics, now, taken))
        for _ in range(rng.randint(*announcements)):
            notices.append(_draw_announcement(rng, course.course, topics, now, taken))
    plans = _draw_events(rng, rng.randint(*events), now.date(), taken)
    return World(now, [course for course, _ in drawn], items, notices, plans)


def _draw_now(rng: random.Random) -> datetime:
    (first, last) = _TERMS[rng.choice(sorted(_TERMS))]
    year = rng.randint(2025, 2028)
    start = date(year, *first)
    day = start + timedelta(days=rng.randint(0, (date(year, *last) - start).days))
    return clock.at(day, rng.randrange(7 * 60, 21 * 60, 5))


def _draw_courses(rng: random.Random, count: int, term: str) -> list[tuple[Course, list[str]]]:
    tokens = rng.sample(range(1, max(100, count + 1)), count)
    people = rng.sample(range(1, max(100, count + 1)), count)
    drawn: list[tuple[Course, list[str]]] = []
    names: set[str] = set()
    for token, person in zip(tokens, people, strict=True):
        plan = _fresh(names, lambda: draw_course(rng), key="name")
        drawn.append(
            (_course(rng, f"@COURSE{token}", f"@PERSON{person}", plan, term), plan["topics"])
        )
    return drawn


def _course(rng: random.Random, token: str, person: str, plan: dict, term: str) -> Course:
    score = _draw_score(rng)
    opens = rng.randrange(8 * 60, 18 * 60, 15)
    percent, days = rng.choice((5, 10, 15, 20, 25, 30, 40, 50)), rng.randint(2, 9)
    topic = rng.choice(plan["topics"])
    return Course(
        course=token,
        name=plan["name"],
        instructor=person,
        room=f"Room {rng.randint(100, 499)}",
        term=term,
        late_policy=f"{percent}% off per day, at most {days} days",
        office_hours=f"{rng.choice(DAYS)} {_span(opens, rng.choice((45, 60, 75, 90, 120)))}",
        textbook=f"{rng.choice(_BOOKS)} {topic}, edition {rng.randint(1, 12)}",
        score=score,
        letter=letter_of(score),
    )


def _draw_score(rng: random.Random) -> float:
    """Every letter equally likely, so that guessing one letter is seldom right."""
    band = rng.randrange(len(LETTERS))
    lowest = max(LETTERS[band][0], 40.0)
    highest = LETTERS[band - 1][0] if band else 100.0
    return rng.randrange(round(lowest * 10), round(highest * 10)) / 10


def _span(opens: int, minutes: int) -> str:
    return f"{_hour(opens)}-{_hour(opens + minutes)}"


def _hour(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _draw_item(
    rng: random.Random, course: str, topics: list[str], now: datetime, taken: set[str]
) -> Assignment:
    plan = _fresh(taken, lambda: draw_assignment(rng, topics))
    exam = "Exam" in plan["title"]
    day = now.date() + timedelta(days=rng.choice((-4, -2, -1, *range(0, 20))))
    minute = rng.choice(_EXAM_MINUTES if exam else _DUE_MINUTES)
    due = None if not exam and rng.random() < 0.04 else clock.at(day, minute)
    return Assignment(
        title=plan["title"],
        course=course,
        type="EXAM" if exam else plan["type"],
        due=due,
        points=max(1, round(plan["points"] * rng.uniform(0.7, 1.3))),
        status=_draw_status(rng, exam, late=due is not None and due.timestamp() < now.timestamp()),
    )


def _draw_status(rng: random.Random, exam: bool, late: bool) -> str:
    if late:
        return rng.choice(("GRADED", "MISSING") if exam else ("GRADED", "MISSING", "SUBMITTED"))
    return "OPEN" if exam or rng.random() < 0.8 else "SUBMITTED"


def _fresh(taken: set[str], draw: Callable[[], dict], key: str = "title") -> dict:
    """A draw whose title (or name) is new; after many tries a part number makes it so."""
    for _ in range(200):
        plan = draw()
        if normal(plan[key]) not in taken:
            break
    else:
        plan[key] = f"{plan[key]}, Part {len(taken)}"
    taken.add(normal(plan[key]))
    return plan


def _draw_announcement(
    rng: random.Random, course: str, topics: list[str], now: datetime, taken: set[str]
) -> Announcement:
    plan = _fresh(taken, lambda: _draw_message(rng, rng.choice(topics), now.date()))
    posted = clock.at(now.date() - timedelta(days=rng.randint(1, 9)), rng.randrange(480, 1200))
    return Announcement(course, plan["title"], posted, plan["message"])


def _draw_message(rng: random.Random, topic: str, today: date) -> dict:
    """An announcement {title, message}: each kind states facts that no other tool reports."""
    day = today + timedelta(days=rng.randint(1, 12))
    hour = _hour(rng.randrange(9 * 60, 20 * 60, 15))
    room = f"Room {rng.randint(100, 499)}"
    chapter, last = rng.randint(2, 19), rng.randint(41, 90)
    kinds = {
        "Room Change": f"Class on {day} meets in {room}.",
        "No Class": f"Class on {day} is cancelled; read chapter {chapter}.",
        "Review Session": f"Review on {day} at {hour} in {room}.",
        "Guest Talk": f"The talk is on {day} at {hour} in {room}.",
        "Slides Posted": f"Slides {chapter} to {last} are on the exam.",
        "Extra Office Hours": f"Come to {room} on {day} at {hour}.",
        "Sign Up": f"Pick a slot by {day} at {hour}.",
    }
    kind = rng.choice(sorted(kinds))
    return {"title": f"{kind}: {topic}", "message": kinds[kind]}


def _draw_events(rng: random.Random, count: int, today: date, taken: set[str]) -> list[Event]:
    ids = rng.sample(range(1, max(81, count + 1)), count)
    # At most four events a day keep rejection sampling short.
    days = max(9, count // 4)
    events: list[Event] = []
    while len(events) < count:
        start = clock.at(today + timedelta(days=rng.randint(0, days)), rng.randrange(480, 1230, 15))
        minutes = rng.randrange(25, 155, 5)
        if any(event.overlaps(start, clock.plus(start, minutes)) for event in events):
            continue
        title = _fresh(
            taken, lambda: {"title": f"{rng.choice(_ACTIVITIES)} {rng.choice(_MEETINGS)}"}
        )
        events.append(Event(f"E{ids[len(events)]}", title["title"], start, minutes))
    return sorted(events, key=lambda event: event.start.timestamp())
