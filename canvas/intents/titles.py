"""Titles: names that a student may give an event, of ordinary words."""

import random

from canvas.catalogue import SUBJECTS

_TOPICS = [topic for subject in SUBJECTS for topic in subject.topics]
_VERBS = (
    "Review", "Read", "Study", "Draft", "Outline", "Practice", "Finish", "Revise", "Edit",
    "Prepare", "Rehearse", "Summarize", "Check", "Plan", "Print", "Discuss", "Start", "Rewrite",
)  # fmt: skip
_PLANS = (
    "Study Group", "Group Call", "Office Visit", "Library Hour", "Lab Prep", "Reading Time",
    "Tutoring", "Coffee Break", "Project Work", "Exam Prep", "Team Meeting", "Quiet Hour",
)  # fmt: skip


def plan_title(rng: random.Random) -> str:
    """A title that a student may give an event: ordinary words, two to five of them."""
    if rng.random() < 0.2:
        return f"{rng.choice(_PLANS)}: {rng.choice(_TOPICS)}"
    return f"{rng.choice(_VERBS)} {rng.choice(_TOPICS)}"
