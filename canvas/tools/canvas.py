"""Canvas tools: read courses, coursework, grades and announcements of the world."""

from datetime import timedelta

from canvas import clock
from canvas.tools.base import (
    INTEGER,
    STRING,
    ToolError,
    between,
    bounds,
    days_of,
    known_course,
    shown_due,
    tool,
)
from canvas.world import Assignment, WorldView

MAX_TODO_DAYS = 60


def list_courses(world: WorldView) -> dict:
    """Token and name of every course."""
    return {"courses": [{"course": c.course, "name": c.name} for c in world.courses]}


def get_course(world: WorldView, course: str) -> dict:
    """Name, instructor, room and term of one course."""
    found = known_course(world, course)
    return {
        "course": found.course,
        "name": found.name,
        "instructor": found.instructor,
        "room": found.room,
        "term": found.term,
    }


def get_assignments(world: WorldView, course: str) -> dict:
    """Every assignment of one course, soonest due first, undated ones last."""
    known_course(world, course)
    items = sorted(
        world.assignments_of(course),
        key=lambda i: (i.due is None, i.due.timestamp() if i.due else 0, i.title),
    )
    return {
        "assignments": [
            {
                "title": item.title,
                "type": item.type,
                "due": shown_due(item.due),
                "points": item.points,
                "status": item.status,
            }
            for item in items
        ]
    }


def get_syllabus(world: WorldView, course: str) -> dict:
    """Late policy, office hours and textbook of one course."""
    known_course(world, course)
    facts = world.syllabus(course)
    if not any(facts.values()):
        raise ToolError(f"no syllabus is posted for {course}")
    return {"course": course, **facts}


def get_todo(world: WorldView, days: int) -> dict:
    """What is not handed in and due from now to the end of the day `days` from today."""
    between("days", days, 1, MAX_TODO_DAYS)
    _, end = bounds(world, world.today, world.today + timedelta(days=days))
    return {"todo": [_dated(i) for i in world.due_between(world.now, end) if not i.done]}


def get_grades(world: WorldView, course: str) -> dict:
    """Percentage and letter of one course."""
    found = known_course(world, course)
    if found.score is None:
        raise ToolError(f"no grade is posted for {course}")
    return {"course": course, "score": found.score, "letter": found.letter}


def list_announcements(world: WorldView, course: str) -> dict:
    """Announcements of one course, newest first."""
    known_course(world, course)
    notices = sorted(
        world.announcements_of(course),
        key=lambda notice: (-notice.posted.timestamp(), notice.title),
    )
    return {
        "announcements": [
            {"title": n.title, "posted": clock.show(n.posted), "message": n.message}
            for n in notices
        ]
    }


def list_planner_items(world: WorldView, start: str, end: str) -> dict:
    """Everything due from `start` to `end`, both days included, handed in or not."""
    return {
        "items": [_dated(item) for item in world.due_between(*bounds(world, *days_of(start, end)))]
    }


def _dated(item: Assignment) -> dict:
    return {"title": item.title, "course": item.course, "due": shown_due(item.due)}


_COURSE = {"course": STRING}
TOOLS = (
    tool(list_courses, "canvas.list_courses", "List all courses of the student."),
    tool(get_course, "canvas.get_course", "Instructor, room and term of a course.", _COURSE),
    tool(
        get_assignments,
        "canvas.get_assignments",
        "Assignments of a course: due, points, status.",
        _COURSE,
    ),
    tool(
        get_syllabus,
        "canvas.get_syllabus",
        "Late policy, office hours and textbook of a course.",
        _COURSE,
    ),
    tool(
        get_todo,
        "canvas.get_todo",
        "Work not handed in, due within some days.",
        {"days": INTEGER},
    ),
    tool(get_grades, "canvas.get_grades", "Current score and letter grade of a course.", _COURSE),
    tool(list_announcements, "canvas.list_announcements", "Announcements of a course.", _COURSE),
    tool(
        list_planner_items,
        "canvas.list_planner_items",
        "Everything due between two dates, all courses.",
        {"start": STRING, "end": STRING},
    ),
)
