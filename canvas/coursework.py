"""Coursework: seeded draws of realistic courses and assignments from the catalogue."""

import random

from canvas.catalogue import SUBJECTS

# Title patterns of assignments, by style; {n} is a number from 1 to 12, {t} a topic of the course.
STYLES: dict[str, tuple[str, ...]] = {
    "lab": ("Lab Report {n}: {t}", "Lab {n}: {t}", "Pre-Lab {n}: {t}", "Field Notes: {t}"),
    "sets": ("Problem Set {n}", "Problem Set {n}: {t}", "Homework {n}: {t}", "{t} Worksheet"),
    "code": (
        "Programming Assignment {n}: {t}",
        "Lab {n}: {t}",
        "Coding Exercise: {t}",
        "Homework {n}",
    ),
    "essay": (
        "Essay {n}: {t}",
        "Reading Response: {t}",
        "{t} Essay Draft",
        "Annotated Sources: {t}",
    ),
    "case": ("Case Study: {t}", "Case {n}: {t}", "{t} Memo", "Spreadsheet Exercise {n}: {t}"),
    "studio": ("Studio Project {n}: {t}", "{t} Sketchbook", "{t} Critique", "Practice Log {n}"),
    "language": (
        "Workbook {n}: {t}",
        "Composition {n}: {t}",
        "Recording: {t}",
        "{t} Vocabulary List",
    ),
}
COMMON_ASSIGNMENTS = (
    "Homework {n}",
    "Week {n} Reflection: {t}",
    "Midterm Project",
    "Midterm Project: {t}",
    "Final Project: {t}",
    "Final Project Proposal",
    "Group Presentation: {t}",
    "Chapter {n} Summary: {t}",
    "Reading Notes {n}",
    "Extra Credit: {t}",
    "Poster: {t}",
)
QUIZZES = (
    "Quiz {n}",
    "Quiz {n}: {t}",
    "Quiz {n}: {t}",
    "{t} Quiz",
    "Reading Quiz {n}",
    "Practice Quiz: {t}",
    "Unit {n} Test: {t}",
    "Week {n} Checkpoint",
    "Midterm Exam",
    "Final Exam",
    "Exam {n}",
)
DISCUSSIONS = (
    "Discussion: {t}",
    "Discussion: {t}",
    "Discussion {n}: {t}",
    "Week {n} Discussion",
    "Week {n} Forum: {t}",
    "Peer Review: {t}",
    "Debate: {t}",
    "Introduce Yourself",
)
_STYLE_OF_TOPIC = {topic: subject.style for subject in SUBJECTS for topic in subject.topics}
_TYPE_WEIGHTS = {"ASGN": 6, "QUIZ": 3, "DISC": 2}
# First word found in a title decides its points.
_POINTS = (
    ("Exam", (100, 100, 150, 200)),
    ("Final Project", (100, 150, 200)),
    ("Midterm Project", (80, 100, 120)),
    ("Test", (50, 60, 75)),
    ("Practice", (0, 5, 10)),
    ("Extra Credit", (5, 10)),
    ("Presentation", (40, 50, 60)),
    ("Essay", (50, 60, 100)),
    ("Case", (30, 40, 50)),
    ("Studio", (50, 75, 100)),
    ("Lab Report", (30, 40, 50)),
    ("Programming", (40, 50, 80)),
)
_POINTS_OF_TYPE = {"ASGN": (10, 15, 20, 25, 30), "QUIZ": (10, 12, 15, 20, 25), "DISC": (5, 8, 10)}
_SUBMISSIONS = (
    ("online_upload",),
    ("online_upload",),
    ("online_text_entry",),
    ("online_upload", "online_url"),
    ("on_paper",),
    ("external_tool",),
)


def draw_course(rng: random.Random) -> dict:
    """One course {name, dept, number, topics}: four digits as text, six to ten topics."""
    subject = rng.choice(SUBJECTS)
    topics = rng.sample(subject.topics, rng.randint(6, 10))
    number = f"{rng.randint(1, 4)}{rng.randrange(1000):03d}"
    return {
        "name": rng.choice(subject.courses),
        "dept": subject.dept,
        "number": number,
        "topics": topics,
    }


def draw_assignment(rng: random.Random, topics: list[str], kind: str | None = None) -> dict:
    """One assignment {title, type, points, submission_types}; `kind` ASGN, QUIZ or DISC fixes it.

    Raises KeyError on any other kind. Topics outside the catalogue get the common patterns.
    """
    type_ = kind or rng.choices(list(_TYPE_WEIGHTS), list(_TYPE_WEIGHTS.values()))[0]
    topic = rng.choice(topics)
    pattern = rng.choice(_patterns(type_, topic))
    last = 4 if pattern.startswith(("Exam", "Unit", "Studio Project")) else 12
    title = pattern.format(n=rng.randint(1, last), t=topic)
    return {
        "title": title,
        "type": type_,
        "points": float(rng.choice(_points(title, type_))),
        "submission_types": _submission_types(rng, type_),
    }


def _patterns(type_: str, topic: str) -> tuple[str, ...]:
    # A course's own patterns count three times, so that labs look like labs.
    own = STYLES.get(_STYLE_OF_TOPIC.get(topic, ""), ())
    return {"ASGN": own * 3 + COMMON_ASSIGNMENTS, "QUIZ": QUIZZES, "DISC": DISCUSSIONS}[type_]


def _points(title: str, type_: str) -> tuple[int, ...]:
    if type_ == "DISC":
        return _POINTS_OF_TYPE[type_]
    return next((points for word, points in _POINTS if word in title), _POINTS_OF_TYPE[type_])


def _submission_types(rng: random.Random, type_: str) -> list[str]:
    if type_ == "QUIZ":
        return ["online_quiz"]
    if type_ == "DISC":
        return ["discussion_topic"]
    return list(rng.choice(_SUBMISSIONS))
