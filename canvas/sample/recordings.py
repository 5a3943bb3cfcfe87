"""Recordings: what a contributor asked an agent about a course, with the names still in it."""

import random

from canvas import io
from canvas.agent import call_message, result_message
from canvas.answers import describe
from canvas.sample.scene import Course, Ledger, fill, spell_code
from canvas.tools import declarations

_TOOLS = ("canvas.list_courses", "canvas.get_course", "canvas.get_assignments", "canvas.get_grades")
_ASSIGNMENTS = (
    "{student} here, student number {student_id}: list what {code} wants from me.",
    "Did {instructor_given} put new homework into {code} ({section})? Show me all of it.",
    "My study group with {student_given} and {student2_given} needs the work of {code}.",
)
_COURSE = (
    "Is {code} the class that Dr. {instructor_surname} gives? Mail me at {student_email} later.",
    "I lost the room of {code}, CRN {crn}. {ta_given} did not pick up at {phone}.",
)


def draw_recordings(
    rng: random.Random, course: Course, term: str, assignments: list[dict], ledger: Ledger
) -> list[dict]:
    """Two sessions of one call each: {"messages", "tools"}."""
    code = ledger.plant("course_code", spell_code(rng, course))
    shown = [
        {
            "title": item["title"],
            "type": item["type"],
            "due": item["due"] and item["due"].strftime("%Y-%m-%dT%H:%M"),
            "points": item["points"],
            "status": "OPEN",
        }
        for item in rng.sample(assignments, 2)
    ]
    listed = {"assignments": shown}
    about = {
        "course": code,
        "name": course.name,
        "instructor": ledger.plant("person", course.people["instructor"].name),
        "room": f"Hall {rng.randint(100, 399)}",
        "term": term,
    }
    return [
        _recording(rng, fill(rng.choice(asked), rng, course, ledger, code=code), tool, code, result)
        for asked, tool, result in (
            (_ASSIGNMENTS, "canvas.get_assignments", listed),
            (_COURSE, "canvas.get_course", about),
        )
    ]


def _recording(rng: random.Random, asked: str, tool: str, code: str, result: dict) -> dict:
    arguments = {"course": code}
    return {
        "messages": [
            {"role": "user", "content": asked},
            call_message([(tool, arguments)]),
            result_message(tool, io.dumps(result)),
            {"role": "assistant", "content": describe(tool, arguments, result)},
        ],
        "tools": declarations(rng.sample(_TOOLS, len(_TOOLS))),
    }
