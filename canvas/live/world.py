"""LiveWorld: a student's own Canvas and calendar, as the tools see them; nothing changes by itself.

The model sees tokens for courses and people and ids for events; see `canvas.live.agenda` for what
becomes of the changes that it wants.
"""

import dataclasses
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from canvas.live.agenda import Agenda
from canvas.live.calendar import Calendar
from canvas.live.names import Names
from canvas.world import Announcement, Assignment, Course, World

if TYPE_CHECKING:
    from canvas.live.coursework import CanvasCoursework


class LiveWorld(Agenda):
    """Coursework and a calendar.

    `coursework` is the student's Canvas, or a simulated world, which speaks in tokens already.
    Reading may raise ToolError where a service does not answer.
    """

    def __init__(
        self,
        coursework: "CanvasCoursework | World",
        calendar: Calendar,
        now: datetime | Callable[[], datetime],
    ):
        super().__init__(calendar, now)
        self.coursework = coursework
        self._own_names = _names_of(coursework) if isinstance(coursework, World) else None

    def refresh(self) -> None:
        """Ask Canvas and the calendar anew from here on."""
        if not isinstance(self.coursework, World):
            self.coursework.refresh()
        self.calendar.refresh()

    @property
    def courses(self) -> list[Course]:
        """All courses, in a stable order."""
        return self.coursework.courses

    @property
    def assignments(self) -> list[Assignment]:
        """Coursework of all courses."""
        return [self._local(item) for item in self.coursework.assignments]

    @property
    def announcements(self) -> list[Announcement]:
        """Announcements of all courses."""
        return [self._posted(notice) for notice in self.coursework.announcements]

    def course(self, token: str) -> Course | None:
        """The course with this token."""
        return self.coursework.course(token)

    def syllabus(self, token: str) -> dict[str, str | None]:
        """What the syllabus of a known course says, by topic."""
        return self.coursework.syllabus(token)

    def assignments_of(self, course: str) -> list[Assignment]:
        """Coursework of the course with this token."""
        return [self._local(item) for item in self.coursework.assignments_of(course)]

    def announcements_of(self, course: str) -> list[Announcement]:
        """Announcements of the course with this token."""
        return [self._posted(notice) for notice in self.coursework.announcements_of(course)]

    def assignment(self, title: str) -> Assignment | None:
        """The assignment with this title, whatever its case and spacing."""
        found = self.coursework.assignment(title)
        return found and self._local(found)

    def due_between(self, start: datetime, end: datetime) -> list[Assignment]:
        """Assignments due in [start, end), soonest first."""
        return [self._local(item) for item in self.coursework.due_between(start, end)]

    @property
    def _names(self) -> Names:
        return self.coursework.names if self._own_names is None else self._own_names

    def _local(self, item: Assignment) -> Assignment:
        due = item.due and item.due.astimezone(self.now.tzinfo)
        return dataclasses.replace(item, due=due)

    def _posted(self, notice: Announcement) -> Announcement:
        return dataclasses.replace(notice, posted=notice.posted.astimezone(self.now.tzinfo))


def _names_of(world: World) -> Names:
    """The courses of a simulated world by the tokens that they have."""
    names = Names()
    for course in world.courses:
        names.learn_course(course.course, course.name, token=course.course)
    return names
