"""Records: Canvas's JSON as the facts that the tools report, still with the names it has there.

Fields and their meaning: https://canvas.instructure.com/doc/api, "Courses", "Assignments",
"Submissions", "Planner", "Announcements".
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from canvas.live.pages import cut, plain
from canvas.world.state import normal

MAX_MESSAGE = 1000
MAX_TITLE = 200
_EXAM = re.compile(r"\b(?:exams?|examination|mid-?term|final)\b", re.I)
_NO_EXAM = re.compile(
    r"\b(?:practice|review|corrections?|reflection|study guide|sign-?up|wrapper|project|paper|essay"
    r"|draft|report|presentation|proposal|portfolio|reading|survey)\b",
    re.I,
)
_PLANNED = {
    "assignment": "ASGN",
    "sub_assignment": "ASGN",
    "quiz": "QUIZ",
    "discussion_topic": "DISC",
}


@dataclass(frozen=True)
class Item:
    """One piece of coursework; `course` is Canvas's id."""

    course: int
    title: str
    type: str
    due: datetime | None
    points: float
    status: str

    @property
    def identity(self) -> tuple[int, str, datetime | None]:
        """The same for an assignment and for the planner's item of it, which differ in their id."""
        return self.course, normal(self.title), self.due


def assignment(row: dict[str, Any]) -> Item | None:
    """An assignment with its submission; None of one that is not published."""
    if row.get("published") is False:
        return None
    kinds = row.get("submission_types") or []
    title = _title(row.get("name"))
    quiz = row.get("is_quiz_assignment") or row.get("is_quiz_lti_assignment")
    kind = "DISC" if "discussion_topic" in kinds else "ASGN"
    return Item(
        course=row["course_id"],
        title=title,
        type=_type(title, "QUIZ" if quiz or "online_quiz" in kinds else kind),
        due=moment(row.get("due_at")),
        points=float(row.get("points_possible") or 0),
        status=submission_status(row.get("submission") or {}),
    )


def planned(row: dict[str, Any]) -> Item | None:
    """A planner item that is coursework with a due date; None of notes, pages and events."""
    kind, thing = row.get("plannable_type"), row.get("plannable") or {}
    due = moment(thing.get("due_at"))
    if kind not in _PLANNED or due is None or not row.get("course_id"):
        return None
    title = _title(thing.get("title") or thing.get("name"))
    return Item(
        course=row["course_id"],
        title=title,
        type=_type(title, _PLANNED[kind]),
        due=due,
        points=float(thing.get("points_possible") or 0),
        status=planner_status(row.get("submissions") or {}),
    )


def submission_status(row: dict[str, Any]) -> str:
    """Status of a submission object. A zero for work that never came is still missing."""
    if row.get("excused"):
        return "GRADED"
    if row.get("redo_request"):
        return "OPEN"
    handed_in = row.get("submitted_at") or row.get("workflow_state") in (
        "submitted",
        "pending_review",
    )
    if row.get("missing") and not handed_in:
        return "MISSING"
    if row.get("workflow_state") == "graded" and row.get("grade") is not None:
        return "GRADED"
    return "SUBMITTED" if handed_in else "OPEN"


def planner_status(row: dict[str, Any]) -> str:
    """Status of a planner item's `submissions`, which is {} or flags."""
    if row.get("excused"):
        return "GRADED"
    if row.get("redo_request"):
        return "OPEN"
    if row.get("missing") and not row.get("submitted"):
        return "MISSING"
    if row.get("graded"):
        return "GRADED"
    return "SUBMITTED" if row.get("submitted") else "OPEN"


def grade(course: dict[str, Any]) -> tuple[float | None, str | None]:
    """Current score and letter of the student's own enrolment; None of what is hidden."""
    for row in course.get("enrollments") or []:
        if row.get("type") in ("student", "StudentEnrollment"):
            score, letter = row.get("computed_current_score"), row.get("computed_current_grade")
            return (None if score is None else float(score)), letter
    return None, None


def term(course: dict[str, Any]) -> str | None:
    """The term's name, None of the one that Canvas gives to courses without."""
    name = (course.get("term") or {}).get("name")
    return None if name in (None, "", "Default Term") else name


def message(row: dict[str, Any]) -> str:
    """An announcement's text, cut to what a prompt can carry."""
    return cut(plain(row.get("message")), MAX_MESSAGE)


def moment(text: str | None) -> datetime | None:
    """An aware time of Canvas, such as `2026-03-06T04:59:59Z`, to the minute before it."""
    if not text:
        return None
    read = datetime.fromisoformat(text)
    if read.tzinfo is None:
        raise ValueError(f"Canvas gives a time without a zone: {text}")
    return read.replace(second=0, microsecond=0)


def _title(name: str | None) -> str:
    return cut(" ".join((name or "").split()) or "Untitled", MAX_TITLE)


def _type(title: str, kind: str) -> str:
    exam = kind != "DISC" and _EXAM.search(title) and not _NO_EXAM.search(title)
    return "EXAM" if exam else kind
