"""Contributions: the courses of the sample, and what each contributor's export shows of them."""

import random
import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from canvas import coursework, seeds
from canvas.sample import prose
from canvas.sample.people import draw_person
from canvas.sample.recordings import draw_recordings
from canvas.sample.scene import Course, Ledger, draw_course, fill, spell_code

TERMS = {
    "202601": ("2026 Spring", datetime(2026, 1, 20, tzinfo=UTC)),
    "202509": ("2025 Fall", datetime(2025, 8, 25, tzinfo=UTC)),
}
WEEKS = 15
PLANTED_TITLES = 2
_NUMBER = re.compile(r"\b(\d{1,2})\b")
_FIRST_EXPORT = datetime(2026, 2, 23, tzinfo=UTC)
_NICKNAMES = ("mossyotter", "quietheron", "paperkite", "tinylantern", "copperfinch", "slowcomet")
_NAME_SPELLINGS = (
    "{course_name}",
    "{course_name}",
    "{course_name} ({crn})",
    "{code}: {course_name}",
    "{course_name} {term_name}",
    "{code} {course_name} {section}",
)


class Shell(NamedTuple):
    """A course and what its students see: assignments by week, announcements, syllabus."""

    course: Course
    assignments: list[dict]
    announcements: list[dict]
    syllabus: str


class Sample(NamedTuple):
    """`files` by handle, `planted` [{"kind", "value"}], `kept` false friends that stay unmasked."""

    files: dict[str, list[dict]]
    planted: list[dict]
    kept: list[str]


def generate(seed: int, contributors: int = 8, courses: int = 40, assignments: int = 26) -> Sample:
    """The whole sample; `assignments` counts those of one course.

    A course depends on its own number only, so a larger sample holds the courses of a smaller one.
    """
    ledger = Ledger()
    shells = _shells(seed, courses, assignments, ledger)
    files = {}
    for index in range(contributors):
        rng = seeds.rng("sample", seed, "contributor", index)
        # The first course of the next contributor is taken by both: exports overlap.
        mine = shells[index::contributors] + shells[(index + 1) % contributors :][:1]
        handle, rows = _contribution(rng, index, mine, ledger)
        files[handle] = rows
    kept = sorted({title for titles in prose.KEPT_TITLES.values() for title in titles})
    shown = {item["title"] for shell in shells for item in shell.assignments}
    return Sample(files, ledger.rows(), [title for title in kept if title in shown])


def _shells(seed: int, courses: int, assignments: int, ledger: Ledger) -> list[Shell]:
    shells: list[Shell] = []
    taken: set[tuple[str, str]] = set()
    for index in range(courses):
        rng = seeds.rng("sample", seed, "course", index)
        course = draw_course(rng, "202509" if index % 6 == 5 else "202601")
        while (course.dept, course.number) in taken:
            course = draw_course(rng, course.term)
        taken.add((course.dept, course.number))
        shells.append(
            Shell(
                course,
                _assignments(rng, course, assignments, ledger),
                _announcements(rng, course, ledger),
                fill(rng.choice(prose.SYLLABI), rng, course, ledger),
            )
        )
    return shells


def _assignments(rng: random.Random, course: Course, count: int, ledger: Ledger) -> list[dict]:
    """Assignments of distinct titles: ordinary ones, a few with personal data, one false friend."""
    chosen: dict[str, dict] = {}
    style = next(s.style for s in coursework.SUBJECTS if s.dept == course.dept)
    templates = rng.sample(prose.TITLES, PLANTED_TITLES)
    while len(chosen) < count:
        item = coursework.draw_assignment(rng, course.topics)
        if not chosen:
            item["title"] = rng.choice(prose.KEPT_TITLES[style])
        elif len(chosen) <= PLANTED_TITLES:
            template = templates[len(chosen) - 1]
            item["title"] = fill(template, rng, course, ledger, title=item["title"])
        chosen.setdefault(item["title"].casefold(), item)
    items = list(chosen.values())
    items.sort(key=lambda item: _progress(rng, item["title"]))
    return [{**item, "due": _due(rng, course, n / count)} for n, item in enumerate(items)]


def _progress(rng: random.Random, title: str) -> float:
    """Share of the term at which such a title comes up: by its number, or by what it is."""
    for word, share in (("Introduce", 0.0), ("Midterm", 0.5), ("Final", 0.95)):
        if word in title:
            return share
    number = _NUMBER.search(title)
    return int(number[1]) / 12 if number else rng.random()


def _due(rng: random.Random, course: Course, progress: float) -> datetime | None:
    """A due time at this share of the term, mostly 23:59 in New York; 6 % have none."""
    if rng.random() < 0.06:
        return None
    start = TERMS[course.term][1]
    day = start + timedelta(days=round(progress * WEEKS * 7) + rng.randint(0, 6))
    if rng.random() < 0.15:
        return day + timedelta(hours=rng.randint(14, 22), minutes=rng.choice((0, 15, 30)))
    summer = datetime(2026, 3, 8, tzinfo=UTC) <= day or day < datetime(2025, 11, 2, tzinfo=UTC)
    return day + timedelta(days=1, hours=3 if summer else 4, minutes=59, seconds=59)


def _announcements(rng: random.Random, course: Course, ledger: Ledger) -> list[dict]:
    items = []
    for title, message in rng.sample(prose.ANNOUNCEMENTS, 3):
        author = course.people[rng.choice(("instructor", "ta"))]
        posted = TERMS[course.term][1] + timedelta(hours=rng.randint(8, 24 * 30))
        items.append(
            {
                "title": fill(title, rng, course, ledger),
                "posted_at": _iso(posted),
                "author": ledger.plant("person", author.name),
                "message": fill(message, rng, course, ledger),
            }
        )
    return sorted(items, key=lambda item: item["posted_at"])


def _contribution(
    rng: random.Random, index: int, shells: list[Shell], ledger: Ledger
) -> tuple[str, list[dict]]:
    """(handle, rows) of one contributor, who is a student of each of these courses."""
    me = draw_person(rng)
    nickname = f"{rng.choice(_NICKNAMES)}{rng.randint(10, 99)}"
    handle = ledger.plant("handle", me.login if index % 2 else nickname)
    collected = _FIRST_EXPORT + timedelta(
        hours=rng.randint(0, 24 * 42), seconds=rng.randint(0, 3599)
    )
    stamp = {"contributor_id": handle, "collected_at": _iso(collected)}
    rows, todo = [], []
    for shell in shells:
        course = shell.course
        name = {
            "course_name": fill(
                rng.choice(_NAME_SPELLINGS), rng, course, ledger, term_name=TERMS[course.term][0]
            ),
            "course_code": ledger.plant("course_code", _official_code(rng, course)),
        }
        items = [_exported(rng, item, collected) for item in shell.assignments]
        todo += _todo(items, course, collected, ledger)
        rows.append(
            {"type": "course_snapshot", **name, "term": TERMS[course.term][0], **stamp}
            | {"assignments": items}
        )
        seen = [item for item in shell.announcements if item["posted_at"] <= _iso(collected)]
        rows.append({"type": "announcement_snapshot", **name, **stamp, "items": seen})
        rows.append({"type": "syllabus_snapshot", **name, **stamp, "body": shell.syllabus})
        people = [*_roster(rng, course, ledger), _entry(me, "student", False, ledger)]
        rows.append({"type": "roster_snapshot", **name, **stamp, "people": people})
    todo.sort(key=lambda item: (item["due_at"], item["assignment_name"]))
    rows.append({"type": "todo_snapshot", **stamp, "items": todo[:12]})
    first = shells[0]
    term = TERMS[first.course.term][0]
    sessions = draw_recordings(rng, first.course, term, first.assignments, ledger)
    rows += [{"type": "session", **stamp, **session} for session in sessions]
    return handle, rows


def _official_code(rng: random.Random, course: Course) -> str:
    """As a registrar's feed writes it, more often than not."""
    if rng.random() < 0.6:
        return f"{course.dept}_{course.number}_{course.crn}_{course.term}"
    return spell_code(rng, course)


def _exported(rng: random.Random, item: dict, collected: datetime) -> dict:
    return {
        "name": item["title"],
        "type": item["type"],
        "due_at": _iso(item["due"]) if item["due"] else None,
        "points_possible": item["points"],
        "submission_types": item["submission_types"],
        "submission_status": _status(rng, item["due"], collected),
    }


def _status(rng: random.Random, due: datetime | None, collected: datetime) -> str:
    """Mostly graded once due, mostly open before; a fifth of the past work was never handed in."""
    weights = (66, 14, 20) if due and due <= collected else (2, 8, 90)
    return rng.choices(("GRADED", "SUBMITTED", "NOT_SUBMITTED"), weights)[0]


def _todo(items: list[dict], course: Course, collected: datetime, ledger: Ledger) -> list[dict]:
    """Entries of the to-do list: open and due within two weeks of the export."""
    end = _iso(collected + timedelta(days=14))
    return [
        {
            "type": item["type"],
            "assignment_name": item["name"],
            "due_at": item["due_at"],
            "course_id": ledger.plant("canvas_id", course.canvas_id),
        }
        for item in items
        if item["submission_status"] == "NOT_SUBMITTED"
        and item["due_at"]
        and _iso(collected) < item["due_at"] <= end
    ]


def _roster(rng: random.Random, course: Course, ledger: Ledger) -> list[dict]:
    """The people of a course; some exports write `Surname, Given`."""
    sortable = rng.random() < 0.25
    roles = [(course.people[role], role) for role in ("instructor", "ta", "ta2")]
    roles += [(person, "student") for person in course.students]
    return [_entry(person, role.rstrip("2"), sortable, ledger) for person, role in roles]


def _entry(person, role: str, sortable: bool, ledger: Ledger) -> dict:
    name = f"{person.surname}, {person.given}" if sortable else person.name
    return {
        "name": ledger.plant("person", name),
        "role": role,
        "email": ledger.plant("email", person.email),
        "sis_id": ledger.plant("sis_id", person.sis_id),
    }


def _iso(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")
