"""WorldView: what the tools need of a student's Canvas and calendar, simulated or live."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Protocol

from canvas.world.facts import Announcement, Assignment, Course, Event


class WorldView(Protocol):
    """One student's coursework and calendar; `canvas.world.World` and `canvas.live.LiveWorld`.

    Every datetime is aware. Courses are known by token (`@COURSE1`), events by id (`E4`),
    coursework by title. Reading may raise `canvas.tools.base.ToolError` where a live service does
    not answer. Nothing here changes an existing event: modify and delete append to `proposals`.
    """

    proposals: list[dict[str, Any]]

    @property
    def now(self) -> datetime:
        """The time, whole minutes; its tzinfo is the zone in which times are read and shown."""

    @property
    def today(self) -> date:
        """The local date of `now`."""

    @property
    def courses(self) -> Sequence[Course]:
        """All courses, in a stable order."""

    @property
    def assignments(self) -> Sequence[Assignment]:
        """Coursework of all courses; a live world must ask once for each course."""

    @property
    def announcements(self) -> Sequence[Announcement]:
        """Announcements of all courses."""

    @property
    def events(self) -> Sequence[Event]:
        """Events that have an id by now: all of a simulated world, those seen of a live one."""

    def course(self, token: str) -> Course | None:
        """The course with this token."""

    def syllabus(self, token: str) -> dict[str, str | None]:
        """What the syllabus of a known course says, by topic; None of what it leaves out."""

    def assignments_of(self, course: str) -> list[Assignment]:
        """Coursework of the course with this token."""

    def announcements_of(self, course: str) -> list[Announcement]:
        """Announcements of the course with this token."""

    def assignment(self, title: str) -> Assignment | None:
        """The assignment with this title, whatever its case and spacing."""

    def event(self, token: str) -> Event | None:
        """The event with this id."""

    def due_between(self, start: datetime, end: datetime) -> list[Assignment]:
        """Assignments due in [start, end), soonest first."""

    def events_between(self, start: datetime, end: datetime) -> list[Event]:
        """Events that share time with [start, end), soonest first."""

    def busy_between(self, start: datetime, end: datetime) -> list[Event]:
        """Of `events_between` those that keep the student busy; live calendars mark some free."""

    def add_event(self, title: str, start: datetime, minutes: int) -> Event:
        """A new event under the next free id; in a live world it is only proposed.

        The caller has checked for conflicts.
        """

    def propose(self, proposal: dict[str, Any]) -> None:
        """Append {"action": "modify" or "delete", "event": id, …changes} to `proposals`."""
