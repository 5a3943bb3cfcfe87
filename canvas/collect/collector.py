"""Collector: a student's own coursework out of Canvas, as raw contribution rows in memory.

Nothing is written here: `canvas.contribute` masks the rows first. Endpoints and their fields:
https://canvas.instructure.com/doc/api, "Courses", "Assignments", "Announcements", "Users".
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from canvas.intake import Fault, excerpt
from canvas.io import dumps
from canvas.merge import Contribution
from canvas.schema import problem

if TYPE_CHECKING:
    from canvas.live.requester import Requester

SOURCE = "Canvas"
POSTED = timedelta(days=365)
_COURSES = ("term", "teachers", "syllabus_body")


class Collector:
    """What one student sees in Canvas. A part that has come is not asked for again.

    So after a dropped connection, which raises ToolError, `run` goes on where it stopped.
    """

    def __init__(self, requester: "Requester", now: Callable[[], datetime] | None = None):
        self._requester = requester
        self._now = now or (lambda: datetime.now(UTC))
        self._done: dict[str, Any] = {}
        self.closed: list[str] = []
        """Parts that Canvas does not show to this student."""

    def run(self, *, past: bool = False) -> Iterator[str]:
        """Ask for everything, and say of each part what it is; `past` courses too.

        Raises ToolError, in words for the student.
        """
        yield "your profile"
        self._part("profile", lambda: self._one("users/self/profile"))
        yield "your courses"
        for course in self._courses(past):
            yield f"course {course['id']}: assignments"
            self._list(f"courses/{course['id']}/assignments", include=["submission"])
            yield f"course {course['id']}: announcements"
            self._announcements(course["id"])
        yield "your to-do list"
        self._list("users/self/todo")

    def rows(self) -> list[dict]:
        """Contribution rows of all that has come, unmasked."""
        profile = self._done["profile"]
        stamp = {
            "contributor_id": str(profile.get("login_id") or profile["id"]),
            "collected_at": self._now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        found = [row for course in self._done["courses"] for row in self._course(course, profile)]
        todo = [_todo(row["assignment"]) for row in self._kept("users/self/todo")
                if row.get("assignment")]  # fmt: skip
        if todo:
            found.append({"type": "todo_snapshot", "items": todo})
        return [row | stamp for row in found]

    def _courses(self, past: bool) -> list[dict]:
        states = ["active", *(["completed"] if past else [])]

        def ask() -> list[dict]:
            found = {}
            for state in states:
                for row in self._requester.rows(
                    "courses", enrollment_state=state, include=_COURSES
                ):
                    # One without a name is not open to the student.
                    if row.get("name"):
                        found[row["id"]] = row
            return [found[number] for number in sorted(found)]

        return self._part("courses", ask)

    def _announcements(self, course: int) -> None:
        now = self._now().astimezone(UTC)
        self._list(
            "announcements",
            key=f"announcements/{course}",
            context_codes=[f"course_{course}"],
            start_date=f"{now - POSTED:%Y-%m-%d}",
            end_date=f"{now + timedelta(days=1):%Y-%m-%d}",
        )

    def _list(self, path: str, *, key: str | None = None, **parameters: Any) -> None:
        """A list, kept; one that this student may not see is empty and noted."""
        from canvasapi.exceptions import Forbidden, ResourceDoesNotExist, Unauthorized

        def ask() -> list[dict]:
            try:
                return self._requester.rows(path, **parameters)
            except (Unauthorized, ResourceDoesNotExist):
                pass
            except Forbidden as error:
                if "rate limit" in str(error).casefold():
                    raise
            self.closed.append(key or path)
            return []

        self._part(key or path, ask)

    def _one(self, path: str) -> dict:
        found = self._requester.request("GET", path).json()
        if not isinstance(found, dict):
            raise ValueError(f"{path} is no object")
        return found

    def _part(self, key: str, ask: Callable[[], Any]) -> Any:
        from canvas.live.requester import told

        if key not in self._done:
            with told(key):
                self._done[key] = ask()
        return self._done[key]

    def _kept(self, key: str) -> list[dict]:
        return self._done.get(key, [])

    def _course(self, row: dict, profile: dict) -> Iterator[dict]:
        """Rows of one course: assignments, announcements, syllabus, and whom Canvas names."""
        from canvas.live import pages, records

        names = {
            "course_name": row.get("original_name") or row["name"],
            "course_code": row.get("course_code") or row["name"],
        }
        assignments = [
            _assignment(item)
            for item in self._kept(f"courses/{row['id']}/assignments")
            if item.get("published") is not False
        ]
        term = records.term(row)
        yield {"type": "course_snapshot", **names, "term": term, "assignments": assignments}
        news = [_announcement(item) for item in self._kept(f"announcements/{row['id']}")]
        if news:
            yield {"type": "announcement_snapshot", **names, "items": news}
        if body := pages.plain(row.get("syllabus_body")):
            yield {"type": "syllabus_snapshot", **names, "body": body}
        # Known names are masked wherever they stand, the student's own among them.
        people = []
        if profile.get("name"):
            email, sis_id = profile.get("primary_email"), profile.get("sis_user_id")
            people.append(
                {"name": profile["name"], "role": "student", "email": email, "sis_id": sis_id}
            )
        for teacher in row.get("teachers") or ():
            if teacher.get("display_name"):
                people.append({"name": teacher["display_name"], "role": "instructor"})
        if people:
            yield {"type": "roster_snapshot", **names, "people": people}


def contributions(rows: list[dict]) -> tuple[list[Contribution], list[Fault]]:
    """Rows that are good contributions, and a fault for each other one; none is shown in full."""
    good, faults = [], []
    for number, row in enumerate(rows, 1):
        if found := problem(row):
            field, reason = found
            remedy = "report it: Canvas gave what this version does not know"
            shown = excerpt(dumps(row).encode())
            faults.append(Fault(SOURCE, number, field or None, reason, remedy, shown))
        else:
            good.append(Contribution(SOURCE, number, row, row["contributor_id"]))
    return good, faults


def _assignment(row: dict) -> dict:
    from canvas.live.records import submission_status

    status = submission_status(row.get("submission") or {})
    return {
        "name": _title(row.get("name")),
        "type": _type(row),
        "due_at": row.get("due_at"),
        "points_possible": row.get("points_possible"),
        "submission_types": row.get("submission_types") or [],
        "submission_status": status if status in ("GRADED", "SUBMITTED") else "NOT_SUBMITTED",
    }


def _type(row: dict) -> str:
    kinds = row.get("submission_types") or []
    quiz = row.get("is_quiz_assignment") or row.get("is_quiz_lti_assignment")
    if quiz or "online_quiz" in kinds:
        return "QUIZ"
    return "DISC" if "discussion_topic" in kinds else "ASGN"


def _announcement(row: dict) -> dict:
    from canvas.live.pages import plain

    return {
        "title": _title(row.get("title")),
        "posted_at": row.get("posted_at"),
        "author": (row.get("author") or {}).get("display_name"),
        "message": plain(row.get("message")),
    }


def _todo(row: dict) -> dict:
    return {
        "type": _type(row),
        "assignment_name": _title(row.get("name")),
        "due_at": row.get("due_at"),
        "course_id": row.get("course_id"),
    }


def _title(text: str | None) -> str:
    return " ".join((text or "").split()) or "Untitled"
