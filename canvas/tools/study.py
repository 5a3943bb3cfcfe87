"""Study tools: when and how long to study, by formulas that are deterministic and in integers.

Spacing follows Cepeda, Pashler, Vul, Wixted and Rohrer (2006), "Distributed practice in verbal
recall tasks: a review and quantitative synthesis", Psychological Bulletin 132(3), 354-380, and
Cepeda, Vul, Rohrer, Wixted and Pashler (2008), "Spacing effects in learning: a temporal ridgeline
of optimal retention", Psychological Science 19(11), 1095-1102: the best gap before one review grows
with the test delay, yet falls as a share of it, from about 20-40 % of a week to about 5-10 % of a
year. Both are about one review. That the gaps between more sessions expand is this project's
choice: the studies reviewed in 2006 do not settle it, and in Kang, Lindsey, Mozer and Pashler
(2014), Psychonomic Bulletin & Review 21, expanding gaps did as well as equal ones at the test and
better on the way to it. Block sizes, brackets and semester plans are rules of thumb, not findings.
"""

import math
from datetime import date, datetime, timedelta
from fractions import Fraction

from canvas.tools.base import (
    INTEGER,
    NUMBER,
    STRING,
    ToolError,
    between,
    days_ahead,
    known_course,
    tool,
)
from canvas.world import Assignment, WorldView
from canvas.world.facts import TYPES

# Best gap in percent at a retention interval in days: the lower ends of Cepeda et al. (2008).
SHORT_DAYS, SHORT_PERCENT, LONG_DAYS, LONG_PERCENT = 7, 20, 365, 5
MAX_SESSIONS = 10
MAX_BRACKET = 30
MAX_WEEKS = 15
MAX_HOURS = 60
MAX_POINTS = 1000
# Minutes of work for one point, by type.
MINUTES_A_POINT = {"ASGN": 4, "QUIZ": 5, "DISC": 3, "EXAM": 6}


def optimal_gap(days: int) -> int:
    """Days between the first two sessions for a test `days` away (Cepeda et al. 2008), at least 1.

    The share falls with the logarithm of the interval from 20 % at a week to 5 % at a year.
    """
    span = math.log(LONG_DAYS / SHORT_DAYS)
    place = min(1.0, max(0.0, math.log(max(days, 1) / SHORT_DAYS) / span))
    percent = SHORT_PERCENT + (LONG_PERCENT - SHORT_PERCENT) * place
    return max(1, round(days * percent / 100))


def session_offsets(days: int, sessions: int) -> list[int]:
    """Days from today of `sessions` sessions before a test in `days` days; needs sessions <= days.

    Gaps expand: g, 2g, 3g … from the optimal gap g; where that would pass the eve of the test, the
    whole pattern is squeezed to end there, with at least a day between sessions.
    """
    gap, eve = optimal_gap(days), days - 1
    wanted = [gap * k * (k + 1) // 2 for k in range(sessions)]
    if wanted[-1] > eve:
        wanted = [offset * eve // wanted[-1] for offset in wanted]
    for k in range(1, sessions):
        wanted[k] = max(wanted[k], wanted[k - 1] + 1)
    return [min(offset, eve - (sessions - 1 - k)) for k, offset in enumerate(wanted)]


def spaced_schedule(world: WorldView, exam_date: str, sessions: int) -> dict:
    """Dates of `sessions` sessions from today to the eve of the exam, at expanding gaps."""
    between("sessions", sessions, 1, MAX_SESSIONS)
    _, left = days_ahead(world, exam_date, sessions)
    offsets = session_offsets(left, sessions)
    return {"sessions": [str(world.today + timedelta(days=offset)) for offset in offsets]}


def semester_schedule(world: WorldView, course: str, hours: float) -> dict:
    """Weeks to the last due date of a course, with `hours` a week on average (a rule of thumb).

    Half of the hours are spread evenly, half by the points due in a week and the next; each week
    has a whole number of half hours and they sum to `hours` times the weeks, rounded down.
    """
    known_course(world, course)
    between("hours", hours, 1, MAX_HOURS)
    items = [i for i in world.due_between(world.now, _horizon(world)) if i.course == course]
    items = [item for item in items if not item.done]
    if not items:
        raise ToolError(f"{course} has nothing due in the next {MAX_WEEKS} weeks")
    starts = _week_starts(world.today, items[-1].due.date())
    loads = [sum(i.points for i in _due_soon(items, start)) for start in starts]
    shares = _shares(int(hours * 2 * len(starts)), loads)
    weeks = [
        {"week": number, "start": str(start), "hours": _hours(half), "focus": _focus(items, start)}
        for number, (start, half) in enumerate(zip(starts, shares, strict=True), 1)
    ]
    return {"course": course, "weeks": weeks}


def recommend_block_size(world: WorldView, type: str, points: float) -> dict:
    """Length and number of study blocks for work of this type and points (a rule of thumb).

    Work takes MINUTES_A_POINT; up to an hour is done in blocks of 25 minutes, up to five hours in
    blocks of 50, more in blocks of 90.
    """
    if type not in TYPES:
        raise ToolError(f"type must be one of {', '.join(TYPES)}")
    between("points", points, 1, MAX_POINTS)
    work = points * MINUTES_A_POINT[type]
    minutes = 25 if work <= 60 else 50 if work <= 300 else 90
    return {"minutes": minutes, "blocks": math.ceil(work / minutes)}


def exam_bracket(world: WorldView, exam_date: str, days: int) -> dict:
    """First day of study `days` before the exam, light review on its eve (a rule of thumb)."""
    between("days", days, 2, MAX_BRACKET)
    exam, _ = days_ahead(world, exam_date, days)
    return {
        "start": str(exam - timedelta(days=days)),
        "light_review": str(exam - timedelta(days=1)),
        "exam": str(exam),
    }


def _horizon(world: WorldView) -> datetime:
    return world.now + timedelta(weeks=MAX_WEEKS - 1)


def _week_starts(today: date, last: date) -> list[date]:
    """Today and every later Monday up to `last`."""
    monday = today + timedelta(days=7 - today.weekday())
    count = max(0, (last - monday).days // 7 + 1)
    return [today, *(monday + timedelta(weeks=week) for week in range(count))]


def _due_soon(items: list[Assignment], start: date) -> list[Assignment]:
    """Items due in the week of `start` or the one after, not before `start`."""
    end = start + timedelta(days=14 - start.weekday())
    return [item for item in items if start <= item.due.date() < end]


def _focus(items: list[Assignment], start: date) -> str:
    """The largest item that is due soon; without one, the next that is due."""
    soon = _due_soon(items, start)
    if soon:
        return max(soon, key=lambda item: item.points).title
    return next(item.title for item in items if item.due.date() >= start)


def _shares(total: int, loads: list[float]) -> list[int]:
    """`total` units over the weeks, half evenly, half by load; largest remainders get the rest."""
    # Fractions, so that equal remainders are equal and the earlier week gets the unit.
    half, heavy = Fraction(total, 2), Fraction(sum(loads))
    even = half / len(loads)
    exact = [even + (half * Fraction(load) / heavy if heavy else even) for load in loads]
    shares = [math.floor(value) for value in exact]
    by_remainder = sorted(range(len(loads)), key=lambda week: (shares[week] - exact[week], week))
    for week in by_remainder[: total - sum(shares)]:
        shares[week] += 1
    return shares


def _hours(halves: int) -> float:
    return halves // 2 if halves % 2 == 0 else halves / 2


_EXAM = {"exam_date": STRING}
TOOLS = (
    tool(
        spaced_schedule,
        "study.spaced_schedule",
        "Dates of spaced study sessions before an exam.",
        {**_EXAM, "sessions": INTEGER},
    ),
    tool(
        semester_schedule,
        "study.semester_schedule",
        "Weekly study plan of a course, hours a week.",
        {"course": STRING, "hours": NUMBER},
    ),
    tool(
        recommend_block_size,
        "study.recommend_block_size",
        "Study block length for an assignment type and points.",
        {"type": {"type": "string", "enum": list(TYPES)}, "points": NUMBER},
    ),
    tool(
        exam_bracket,
        "study.exam_bracket",
        "Start, light review and exam day, some days ahead.",
        {**_EXAM, "days": INTEGER},
    ),
)
