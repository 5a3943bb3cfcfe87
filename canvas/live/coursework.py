"""CanvasCoursework: what Canvas says of a student's courses, asked for late and seldom.

Everything that leaves here is masked: courses and people are tokens of `names`, in titles, messages
and syllabi too. These texts are other people's: data, never instructions.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from canvas.live import pages, records
from canvas.live.names import Names
from canvas.live.records import Item
from canvas.live.requester import Requester, told
from canvas.live.titles import titles
from canvas.tools.base import ToolError
from canvas.world.facts import Announcement, Assignment, Course
from canvas.world.state import normal

_COURSES = ("term", "teachers", "total_scores", "syllabus_body")
# Announcements of about one term; the newest are enough for a prompt.
POSTED, MAX_ANNOUNCEMENTS = timedelta(days=120), 10
# The planner is asked for a span around the one wanted, as far as any tool looks ahead, so that the
# next questions cost nothing.
BEFORE, AFTER = timedelta(days=14), timedelta(weeks=15)


class CanvasCoursework:
    """One student's Canvas; every reading may raise ToolError, in words for model and student.

    Answers are kept until `refresh`; tokens stay the same for good.
    """

    def __init__(self, requester: Requester, now: Callable[[], datetime] | None = None):
        self.requester = requester
        self._now = now or (lambda: datetime.now(UTC))
        self._names = Names()
        self._forget()

    def _forget(self) -> None:
        self._rows: dict[str, dict] | None = None
        self._items: dict[str, list[Item]] = {}
        self._notices: dict[str, list[Announcement]] = {}
        self._planned: list[Item] = []
        self._span: tuple[datetime, datetime] | None = None

    def refresh(self) -> None:
        """Ask Canvas anew at the next question."""
        self._forget()

    @property
    def names(self) -> Names:
        """The table of tokens, with all courses and their teachers in it."""
        self._by_token()
        return self._names

    def time_zone(self) -> str | None:
        """The time zone of the student's profile, as IANA names it; learns the student's name."""
        with told("the student's profile"):
            profile = self.requester.request("GET", "users/self/profile").json()
            zone, name = profile.get("time_zone"), profile.get("name")
        if name:
            self._names.learn_person(name)
        return zone

    @property
    def courses(self) -> list[Course]:
        """Active courses, oldest first."""
        return [self._course(token, row) for token, row in self._by_token().items()]

    def course(self, token: str) -> Course | None:
        """The course with this token."""
        row = self._by_token().get(token)
        return row and self._course(token, row)

    def syllabus(self, token: str) -> dict[str, str | None]:
        """What the syllabus of a known course says, by topic; masked."""
        text = pages.plain(self._by_token()[token].get("syllabus_body"))
        return pages.topics(self._names.mask(text))

    @property
    def assignments(self) -> list[Assignment]:
        """Coursework of all courses: one request for each course not asked for yet."""
        return [item for token in self._by_token() for item in self.assignments_of(token)]

    def assignments_of(self, course: str) -> list[Assignment]:
        """Coursework of one known course."""
        return self._titled(self._items_of(course))

    @property
    def announcements(self) -> list[Announcement]:
        """Announcements of all courses."""
        return [notice for token in self._by_token() for notice in self.announcements_of(token)]

    def announcements_of(self, course: str) -> list[Announcement]:
        """The newest announcements of one known course."""
        if course not in self._notices:
            now = self._now().astimezone(UTC)
            with told(f"announcements of {course}"):
                rows = self.requester.rows(
                    "announcements",
                    context_codes=[f"course_{self._by_token()[course]['id']}"],
                    start_date=f"{now - POSTED:%Y-%m-%d}",
                    end_date=f"{now + timedelta(days=1):%Y-%m-%d}",
                )
                found = [self._announcement(course, row) for row in rows if row.get("posted_at")]
            found.sort(key=lambda notice: -notice.posted.timestamp())
            self._notices[course] = found[:MAX_ANNOUNCEMENTS]
        return self._notices[course]

    def due_between(self, start: datetime, end: datetime) -> list[Assignment]:
        """Coursework of all courses due in [start, end), soonest first: the student's planner."""
        if not self._span or not (self._span[0] <= start and end <= self._span[1]):
            self._plan(start, end)
        first, last = start.timestamp(), end.timestamp()
        found = [item for item in self._planned if first <= item.due.timestamp() < last]
        return self._titled(sorted(found, key=lambda item: (item.due, item.title)))

    def assignment(self, title: str) -> Assignment | None:
        """The coursework with this title; all courses are asked before it is said to be unknown.

        Raises ToolError, with the titles to choose from, where several have it.
        """
        found = self._search(title)
        if not found:
            for token in self._by_token():
                self._items_of(token)
            found = self._search(title)
        if len(found) > 1:
            titles = "; ".join(item.title for item in found)
            raise ToolError(f"several have this title; say which: {titles}")
        return found[0] if found else None

    def _by_token(self) -> dict[str, dict]:
        """Canvas's courses by token. One without a name is not open to the student yet."""
        if self._rows is None:
            with told("the list of courses"):
                rows = self.requester.rows("courses", enrollment_state="active", include=_COURSES)
                rows = sorted((row for row in rows if row.get("name")), key=lambda row: row["id"])
                tokens = [self._learn(row) for row in rows]
            self._rows = dict(zip(tokens, rows, strict=True))
        return self._rows

    def _learn(self, row: dict) -> str:
        for teacher in row.get("teachers") or ():
            self._names.learn_person(teacher["display_name"])
        names = (row["name"], row.get("original_name") or "")
        return self._names.learn_course(str(row["id"]), row.get("course_code") or "", *names)

    def _course(self, token: str, row: dict) -> Course:
        score, letter = records.grade(row)
        teachers = [teacher["display_name"] for teacher in row.get("teachers") or ()]
        term = records.term(row)
        return Course(
            course=token,
            name=self._names.title(row["name"]) or token,
            instructor=self._names.learn_person(teachers[0]) if teachers else None,
            term=term and self._names.mask(term, "title"),
            score=score,
            letter=letter,
        )

    def _announcement(self, course: str, row: dict) -> Announcement:
        if author := (row.get("author") or {}).get("display_name"):
            self._names.learn_person(author)
        return Announcement(
            course=course,
            title=self._names.mask(" ".join((row.get("title") or "Untitled").split()), "title"),
            posted=records.moment(row["posted_at"]),
            message=self._names.mask(records.message(row)),
        )

    def _items_of(self, course: str) -> list[Item]:
        if course not in self._items:
            id_ = self._by_token()[course]["id"]
            with told(f"assignments of {course}"):
                rows = self.requester.rows(f"courses/{id_}/assignments", include=["submission"])
                found = [records.assignment(row) for row in rows]
            self._items[course] = [item for item in found if item]
        return self._items[course]

    def _plan(self, start: datetime, end: datetime) -> None:
        """Fetch the planner for a span around this one; raises ToolError."""
        courses = {row["id"] for row in self._by_token().values()}
        now = self._now().astimezone(UTC)
        first, last = min(start, now - BEFORE), max(end, now + AFTER)
        with told("the planner"):
            rows = self.requester.rows(
                "planner/items",
                start_date=f"{first.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
                end_date=f"{last.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
            )
            found = [records.planned(row) for row in rows]
        self._planned = [item for item in found if item and item.course in courses]
        self._span = first, last

    def _known(self) -> list[Item]:
        """All coursework seen so far, each once."""
        items = [item for found in self._items.values() for item in found]
        seen = {item.identity: item for item in [*self._planned, *items]}
        return list(seen.values())

    def _titled(self, items: list[Item]) -> list[Assignment]:
        """For the model; what is known of an item from elsewhere too is preferred."""
        known = {item.identity: item for item in self._known()}
        tokens = {row["id"]: token for token, row in self._by_token().items()}
        shown = titles(known.values(), tokens, lambda text: self._names.mask(text, "title"))
        return [
            Assignment(
                title=shown[item.identity],
                course=tokens[item.course],
                type=item.type,
                due=item.due,
                points=item.points,
                status=item.status,
            )
            for item in (known[item.identity] for item in items)
        ]

    def _search(self, title: str) -> list[Assignment]:
        """What has this title, as it is shown; else what has it without what tells it apart."""
        wanted, items = normal(title), self._known()
        shown = self._titled(items)
        exact = [item for item in shown if normal(item.title) == wanted]
        plain = [
            found
            for item, found in zip(items, shown, strict=True)
            if normal(self._names.mask(item.title, "title")) == wanted
        ]
        return exact or plain
