"""Scene: a seeded world under construction, to which a family adds what its request is about."""

from dataclasses import replace
from datetime import date, datetime, timedelta

from canvas import clock, seeds
from canvas.catalogue import SUBJECTS
from canvas.world import Announcement, Assignment, Course, Event, World
from canvas.world.state import day_bounds

# Small worlds: every result is a list that the prompt pays for.
SIZES = {"courses": (2, 4), "assignments": (1, 3), "announcements": (0, 1), "events": (2, 5)}
GRID = 15
LABELS = (
    "Deep Work", "Focus Block", "Quiet Study", "Recall Drill", "Problem Practice", "Card Review",
    "Catch Up", "Final Review", "Desk Time", "Slow Reading", "Self Test", "Mock Run",
)  # fmt: skip
ACTIVITIES = (
    "Archery", "Bowling", "Fencing", "Juggling", "Karate", "Lacrosse", "Rugby", "Skating",
    "Snorkeling", "Squash", "Surfing", "Wrestling",
)  # fmt: skip
MEETINGS = ("Class", "Lesson", "Training", "Warm Up", "Workshop")
_TOPICS = [topic for subject in SUBJECTS for topic in subject.topics]


class Scene:
    """A world and the random numbers that it is completed with; the same for the same `seed`.

    Dates are `date`s, times of day text such as `14:30`, moments text such as `2026-03-04T14:30`.
    """

    def __init__(self, *seed: object):
        self.rng = seeds.rng("scene", *seed)
        self.world = World.generate("/".join(map(str, ("scene", *seed))), **SIZES)

    def day(self, days: int) -> date:
        """The date some days from today."""
        return self.world.today + timedelta(days=days)

    def monday(self) -> date:
        """The Monday of next week."""
        return self.day(7 - self.world.today.weekday())

    def time(self, opens: int = 8, closes: int = 20) -> str:
        """A time of day from `opens` to before `closes`, both in hours, on the grid."""
        minute = self.rng.randrange(opens * 60, closes * 60, GRID)
        return f"{minute // 60:02d}:{minute % 60:02d}"

    def minutes(self, least: int = 30, most: int = 120) -> int:
        """A length from `least` to `most` minutes, in steps of five."""
        return self.rng.randrange(least, most + 5, 5)

    def label(self) -> str:
        """A title for what the student wants to enter."""
        return self.rng.choice(LABELS)

    def course(self) -> Course:
        """One of the courses."""
        return self.rng.choice(self.world.courses)

    def courses(self, number: int) -> list[Course] | None:
        """Some of the courses, or None where there are too few."""
        found = self.world.courses
        return self.rng.sample(found, number) if len(found) >= number else None

    def activities(self, number: int) -> list[str]:
        """Titles of things to do, each with a first word that no event has."""
        taken = {event.title.split()[0] for event in self.world.events}
        words = self.rng.sample([word for word in ACTIVITIES if word not in taken], number)
        return [f"{word} {self.rng.choice(MEETINGS)}" for word in words]

    def topic(self) -> str:
        """A topic that no assignment or event has in its title."""
        records = (*self.world.assignments, *self.world.events)
        taken = " ".join(record.title for record in records)
        return self.rng.choice([topic for topic in _TOPICS if topic not in taken])

    def free(self, start: str, minutes: int, ignore: str | None = None) -> bool:
        """Whether an event could stand there: to come, and in the way of none but `ignore`."""
        begins = clock.parse_time(start)
        others = self.world.events_between(begins, clock.plus(begins, minutes))
        return begins > self.world.now and all(event.event == ignore for event in others)

    def clear(self, first: date, last: date | None = None) -> None:
        """Take away every event that touches these days."""
        gone = self.world.events_between(*day_bounds(first, last or first))
        self.world.events = [event for event in self.world.events if event not in gone]

    def undo(self, first: date, last: date) -> None:
        """Take away every assignment that is due on these days."""
        gone = self.world.due_between(*day_bounds(first, last))
        self.world.assignments = [item for item in self.world.assignments if item not in gone]

    def event(self, title: str, start: str, minutes: int) -> Event:
        """Add an event under an id that is not the highest."""
        taken = {event.event for event in self.world.events}
        free = [f"E{n}" for n in range(1, 81) if f"E{n}" not in taken]
        made = Event(self.rng.choice(free), title, clock.parse_time(start), minutes)
        self.world.events.append(made)
        self.world.events.sort(key=lambda event: event.start.timestamp())
        return made

    def item(
        self, course: Course, title: str, kind: str, due: str, points: float, status: str = "OPEN"
    ) -> Assignment:
        """Add an assignment; `kind` is one of `canvas.world.facts.TYPES`."""
        moment = clock.parse_time(due)
        made = Assignment(title, course.course, kind, moment, points, status)
        self.world.assignments.append(made)
        return made

    def notice(self, course: Course, title: str, message: str) -> Announcement:
        """Add an announcement of the last days."""
        days = self.rng.randint(1, 6)
        posted = clock.at(self.day(-days), self.rng.randrange(480, 1200))
        made = Announcement(course.course, title, posted, message)
        self.world.announcements.append(made)
        return made

    def change(self, course: Course, **facts: object) -> Course:
        """Give a course other facts, such as its score."""
        made = replace(course, **facts)
        self.world.courses = [made if c == course else c for c in self.world.courses]
        return made


def at(day: date, time: str) -> str:
    """A moment as text."""
    return f"{day}T{time}"


def shift(moment: str, minutes: int) -> str:
    """A moment as text, minutes later on the clock's face."""
    return f"{datetime.fromisoformat(moment) + timedelta(minutes=minutes):%Y-%m-%dT%H:%M}"
