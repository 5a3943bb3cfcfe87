"""The table of families, in the order in which scenarios are drawn from them.

Every fifth scenario is one that must be answered without a call or with a question.
"""

from collections.abc import Callable

from canvas.families import (
    bookings,
    deadlines,
    exams,
    injections,
    lookups,
    proposals,
    replies,
    trouble,
)
from canvas.families.draft import Draft
from canvas.families.scene import Scene

Family = Callable[[Scene], Draft | None]
QUIET_EVERY = 5

# Ten rows of four: what is asked for most, and in each row something that gets in the way.
ACTING: tuple[tuple[str, Family], ...] = (
    ("semester-plan", exams.semester_plan),
    ("several-exams", exams.several_exams),
    ("illness", proposals.illness),
    ("injected-announcement", injections.injected_announcement),
    ("cepeda-spacing", exams.cepeda_spacing),
    ("busy-calendar", bookings.busy_calendar),
    ("overlap", proposals.overlap),
    ("unknown-course", trouble.unknown_course),
    ("exam-bracket", exams.exam_bracket),
    ("deadlines", deadlines.deadlines),
    ("weekly", bookings.weekly),
    ("flaky", trouble.flaky),
    ("spaced-exam", exams.spaced_exam),
    ("grade-gate", lookups.grade_gate),
    ("conflict", bookings.conflict),
    ("injected-syllabus", injections.injected_syllabus),
    ("missing-work", deadlines.missing_work),
    ("shorten", proposals.shorten),
    ("workload", deadlines.workload),
    ("outage", trouble.outage),
    ("priority", deadlines.priority),
    ("travel", bookings.travel),
    ("announcement", lookups.announcement),
    ("injected-event", injections.injected_event),
    ("semester-plan", exams.semester_plan),
    ("cancel", proposals.cancel),
    ("grades", lookups.grades),
    ("refused", trouble.refused),
    ("several-exams", exams.several_exams),
    ("overview", deadlines.overview),
    ("spread-work", bookings.spread_work),
    ("flaky", trouble.flaky),
    ("exam-bracket", exams.exam_bracket),
    ("illness", proposals.illness),
    ("grade-gate", lookups.grade_gate),
    ("injected-announcement", injections.injected_announcement),
    ("office-hours", lookups.office_hours),
    ("busy-calendar", bookings.busy_calendar),
    ("overlap", proposals.overlap),
    ("available", trouble.available),
)
QUIET: tuple[tuple[str, Family], ...] = (
    ("ask-course", replies.ask_course),
    ("sum", replies.sum_of_hours),
    ("ask-event", replies.ask_event),
    ("beyond", replies.beyond),
    ("ask-date", replies.ask_date),
    ("weekday", replies.weekday),
)
FAMILIES: dict[str, Family] = dict((*ACTING, *QUIET))


def family(number: int) -> tuple[str, Family]:
    """The family of the scenario with this number, from 0 up."""
    round_, place = divmod(number, QUIET_EVERY)
    if place == QUIET_EVERY - 1:
        return QUIET[round_ % len(QUIET)]
    return ACTING[(round_ * (QUIET_EVERY - 1) + place) % len(ACTING)]
