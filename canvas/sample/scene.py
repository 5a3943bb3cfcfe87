"""A scene: the people and identifiers of one course, and the ledger of what was planted."""

import random
import re
from typing import NamedTuple

from canvas import coursework
from canvas.sample import identifiers
from canvas.sample.people import Person, draw_person

_SLOT = re.compile(r"\{(\w+)\}")
_ROLES = ("instructor", "ta", "ta2", "student", "student2", "student3", "outsider")
_PERSON_PARTS = {
    "": ("person", lambda person: person.name),
    "_given": ("given_name", lambda person: person.given),
    "_surname": ("surname", lambda person: person.surname),
    "_email": ("email", lambda person: person.email),
    "_handle": ("handle", lambda person: person.login),
}


class Ledger:
    """What was planted, each (kind, value) once, so that tests can look for every value."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, str]] = set()

    def plant(self, kind: str, value: str) -> str:
        """Note the value and return it, to be used where it is written."""
        self._seen.add((kind, value))
        return value

    def rows(self) -> list[dict]:
        """[{"kind", "value"}] sorted by kind, then value."""
        return [{"kind": kind, "value": value} for kind, value in sorted(self._seen)]


class Course(NamedTuple):
    """One course of the sample; `people` by role, `students` the whole class."""

    name: str
    dept: str
    number: str
    topics: list[str]
    crn: str
    section: int
    canvas_id: str
    term: str
    people: dict[str, Person]
    students: list[Person]


def draw_course(rng: random.Random, term: str) -> Course:
    """One course with an instructor, two assistants, a class of eight to twelve, and its ids."""
    drawn = coursework.draw_course(rng)
    students = [draw_person(rng) for _ in range(rng.randint(8, 12))]
    staff = [draw_person(rng) for _ in range(3)]
    people = dict(zip(_ROLES, [*staff, *students[:3], draw_person(rng)], strict=True))
    return Course(
        **drawn,
        crn=str(rng.randrange(10_000, 99_999)),
        section=rng.randint(1, 40),
        canvas_id=identifiers.canvas_id(rng),
        term=term,
        people=people,
        students=students,
    )


def spell_code(rng: random.Random, course: Course) -> str:
    """The course's code in one of its spellings."""
    return identifiers.course_code(rng, course.dept, course.number, course.crn, course.term)


def fill(template: str, rng: random.Random, course: Course, ledger: Ledger, **plain: str) -> str:
    """The template with each `{slot}` drawn for this course and noted in the ledger.

    `plain` gives slots that are no personal data. Raises KeyError on a slot that does not exist.
    """

    def draw(match: re.Match) -> str:
        slot = match[1]
        if slot in plain:
            return plain[slot]
        kind, value = _draw_slot(slot, rng, course)
        return value if kind is None else ledger.plant(kind, value)

    return _SLOT.sub(draw, template)


def _draw_slot(slot: str, rng: random.Random, course: Course) -> tuple[str | None, str]:
    """(kind, value) of a slot; kind None where the value is no personal data."""
    role, _, part = slot.partition("_")
    if role in _ROLES and (part == "" or f"_{part}" in _PERSON_PARTS):
        # student_id and the like are not parts of a person's name and fall through.
        kind, read = _PERSON_PARTS[f"_{part}" if part else ""]
        return kind, read(course.people[role])
    plain = {
        "topic": lambda: rng.choice(course.topics),
        "topics": lambda: ", ".join(course.topics),
        "course_name": lambda: course.name,
    }
    if slot in plain:
        return None, plain[slot]()
    instructor, student = course.people["instructor"], rng.choice(course.students)
    kind_draw = {
        "email": lambda: instructor.email,
        "phone": lambda: identifiers.phone(rng),
        "address": lambda: identifiers.address(rng),
        "student_id": lambda: student.student_id,
        "sis_id": lambda: student.sis_id,
        "ssn": lambda: identifiers.ssn(rng),
        "iban": lambda: identifiers.iban(rng),
        "card": lambda: identifiers.card(rng),
        "ip": lambda: identifiers.ip(rng),
        "url": lambda: identifiers.url(rng, course.canvas_id, instructor.login),
        "crn": lambda: course.crn,
        "section": lambda: identifiers.section(rng, course.section),
        "code": lambda: spell_code(rng, course),
        "canvas_id": lambda: course.canvas_id,
    }
    return ("course_code" if slot == "code" else slot), kind_draw[slot]()
