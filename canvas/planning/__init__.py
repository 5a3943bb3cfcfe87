"""Plans that pass planning scenarios, and which of them passes the hand-written ones, by id.

They prove that the scenarios can be passed with the tools alone: what they enter comes from the
request, which each of them serves literally, or from a result. `canvas.families` has the plans of
generated scenarios.
"""

from collections.abc import Callable
from functools import partial

from canvas.backends.scripted import Plan
from canvas.planning import calendar, coursework, exams, replies

PLANS: dict[str, Callable[[], Plan]] = {
    "semester-plan": partial(
        exams.semester_plan, "@COURSE12", 6, "Deep Work @COURSE12", "18:00", 60
    ),
    "cepeda-spacing": partial(
        exams.cepeda_spacing, "2026-04-02", 4, "Recall @COURSE31", "17:00", 45
    ),
    "exam-week": partial(
        exams.exam_week, "2026-04-14", "2026-04-16", "Midterm", "Final Review", 90
    ),
    "ill-in-bed": partial(calendar.ill_in_bed, "2026-03-09", "2026-03-10", "Study", 3),
    "exam-bracket": partial(
        exams.exam_bracket, "2026-05-13", 4, "09:00", ("Exam Block", 120), ("Light Review", 40)
    ),
    "busy-thursday": partial(calendar.first_gap, "2026-03-05", 45, "Essay Draft"),
    "paper-in-parts": partial(
        calendar.paper_in_parts,
        "2026-03-02",
        "2026-03-05",
        "Paper @COURSE17",
        120,
        "09:00",
        "20:00",
    ),
    "first-things-first": partial(coursework.first_things_first, 5, "2026-03-17T16:00"),
    "weaker-course": partial(
        coursework.weaker_course, "@COURSE2", "@COURSE9", "Catch Up", "2026-03-21T10:00", 120
    ),
    "announced-review": partial(
        coursework.announced_review, "@COURSE14", "review", "Review Session", 75
    ),
    "office-hours": partial(coursework.office_hours, "@COURSE6", "2026-03-09", "Office Hours", 30),
    "free-evening": partial(calendar.free_evening, "2026-03-20", "17:00"),
    "make-up-work": partial(coursework.make_up_work, "@COURSE10", "2026-03-07T09:00", 50),
    "days-at-a-glance": partial(coursework.days_at_a_glance, "2026-03-09", "2026-03-11"),
    "group-call": partial(calendar.next_gap, "Group Call", "2026-03-12T14:00", 60),
    "hours-in-all": partial(replies.say, "That makes 10 hours."),
    "late-excuse": partial(replies.say, "Sorry, I cannot write to anybody."),
    "which-tutorial": partial(replies.which_event, "2026-03-18", "Tutorial"),
    "no-course-named": partial(replies.say, "Which course do you mean?"),
    "last-checks": partial(
        coursework.last_checks, "2026-03-23", "2026-03-25", "Last Check", "08:30", 25
    ),
}
