"""Whose week is planned: the student's own Canvas and calendar, or a made-up student's."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from canvas.chat.words import day
from canvas.live import IcsFile, LiveWorld, connect
from canvas.world import World

DEMO = 7
"""Seed of the made-up student who is there when nothing else is."""

CANVAS = ("CANVAS_BASE_URL", "CANVAS_TOKEN")
CALENDAR = ("CALDAV_URL", "CANVAS_ICS")


@dataclass(frozen=True)
class Student:
    """A live world, and what is to be said of it before anything else."""

    world: LiveWorld
    about: tuple[str, ...]


@contextmanager
def open_student(
    calendar: str | None, demo: int | None, environ: Mapping[str, str]
) -> Iterator[Student]:
    """The student of `environ` and the calendar named, or the made-up one of seed `demo`.

    Whatever is missing is made good by nothing: without Canvas there is no coursework, without a
    calendar an empty one that is forgotten at the end. Only where both are missing, or on demand,
    student and clock are made up. Raises NotConnected.
    """
    has_canvas = any(map(environ.get, CANVAS))
    has_calendar = bool(calendar) or any(map(environ.get, CALENDAR))
    if demo is None and not has_canvas and not has_calendar:
        demo = DEMO
    with TemporaryDirectory(prefix="canvas-") as folder:
        place = Path(folder) / "calendar.ics"
        if demo is not None:
            yield _made_up(demo, calendar, place, environ)
            return
        coursework = (
            None if has_canvas else World(datetime.now(UTC).replace(second=0, microsecond=0))
        )
        world = connect(
            calendar=calendar if has_calendar else place, coursework=coursework, environ=environ
        )
        about = [f"{day(world.now)}, {world.now:%H:%M}."]
        if not has_canvas:
            about.append("No Canvas (CANVAS_BASE_URL, CANVAS_TOKEN): no coursework is known.")
        if not has_calendar:
            about.append(
                "No calendar (--calendar): events are forgotten at the end; --ics saves them."
            )
        yield Student(world, (*about, *_left_out(world)))


def _made_up(seed: int, calendar: str | None, place: Path, environ: Mapping[str, str]) -> Student:
    simulated = World.generate(seed)
    if calendar is None:
        file = IcsFile(place)
        for event in simulated.events:
            file.add(event.title, event.start, event.minutes)
    world = connect(
        calendar=calendar or place, coursework=simulated, now=simulated.now, environ=environ
    )
    course, tomorrow = simulated.courses[0].name, simulated.today + timedelta(days=1)
    about = (
        f"Demo: a made-up student (seed {seed}) on {day(world.now)}, {world.now:%H:%M}.",
        "Your own week: set CANVAS_BASE_URL and CANVAS_TOKEN, and name a --calendar.",
        "Try:",
        "  What is due in the next 7 days?",
        f"  How am I doing in {course}?",
        f'  Add "Reading" on {tomorrow} at 20:00 for 50 minutes.',
    )
    return Student(world, (*about, *_left_out(world)))


def _left_out(world: LiveWorld) -> list[str]:
    return [f"Left out of the calendar: {problem}" for problem in world.problems[:3]]
