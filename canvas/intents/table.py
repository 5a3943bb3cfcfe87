"""The table of intents: requests of one call or two, and those that need an answer only.

An intent says what its wordings speak of (slots, drawn from a world), which tools it needs, and
what must hold afterwards. `canvas.oracle` serves it; data/wordings and data/scenarios word it.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

from canvas.intents import bookings, draws, outcomes
from canvas.intents.demands import Outcome
from canvas.world import World

TRIES = 40


@dataclass(frozen=True)
class Intent:
    """One intent. `kind` is single, pair or none, by the calls it takes."""

    name: str
    kind: str
    slots: frozenset[str]
    tools: tuple[str, ...]
    _draw: Callable[[World, random.Random], draws.Slots | None]

    @property
    def plain(self) -> bool:
        """Whether a message has neither opener nor closer: a greeting is one itself."""
        return self.name == "greeting"

    def draw(self, world: World, rng: random.Random) -> draws.Slots | None:
        """Values for the slots, or None if tries run out: then take another world."""
        found = (self._draw(world, rng) for _ in range(TRIES))
        return next((slots for slots in found if slots is not None), None)

    def outcome(self, world: World, slots: draws.Slots) -> Outcome:
        """What must hold after the request; `world` is not changed."""
        return getattr(outcomes, self.name)(world, **slots)


def _intent(name: str, kind: str, slots: str, tools: str, draw) -> Intent:
    return Intent(name, kind, frozenset(slots.split()), tuple(tools.split()), draw)


_SINGLE = (
    ("list_courses", "", "canvas.list_courses", draws.nothing),
    ("get_course", "course", "canvas.get_course", draws.course),
    ("get_assignments", "course", "canvas.get_assignments", draws.course),
    ("due_date", "course title", "canvas.get_assignments", draws.dated_item),
    ("get_syllabus", "course", "canvas.get_syllabus", draws.course),
    ("get_todo", "days", "canvas.get_todo", draws.todo),
    ("get_grades", "course", "canvas.get_grades", draws.course),
    ("list_announcements", "course", "canvas.list_announcements", draws.course),
    ("list_planner_items", "start end", "canvas.list_planner_items", draws.due_span),
    ("list_events", "start end", "calendar.list_events", bookings.event_span),
    ("list_events_day", "date", "calendar.list_events", bookings.event_day),
    ("find_free_blocks", "date minutes", "calendar.find_free_blocks", bookings.free_time),
    ("create_event", "title date time minutes", "calendar.create_event", bookings.new_event),
    ("move_event", "event date time", "calendar.modify_event", bookings.moved_event),
    ("resize_event", "event minutes", "calendar.modify_event", bookings.resized_event),
    ("rename_event", "event title", "calendar.modify_event", bookings.renamed_event),
    ("delete_event", "event", "calendar.delete_event", bookings.event),
    ("spaced_schedule", "date sessions", "study.spaced_schedule", draws.exam),
    ("semester_schedule", "course hours", "study.semester_schedule", draws.semester),
    ("recommend_block_size", "kind points", "study.recommend_block_size", draws.block),
    ("exam_bracket", "date days", "study.exam_bracket", draws.bracket),
    ("priority_hint", "title other", "reranker.priority_hint", draws.two_items),
)
_ASSIGNMENTS, _EVENTS = "canvas.get_assignments ", "calendar.list_events "
_PAIRS = (
    (
        "book_free_block",
        "title date minutes",
        "calendar.find_free_blocks calendar.create_event",
        bookings.booking,
    ),
    ("delete_titled", "title date", _EVENTS + "calendar.delete_event", bookings.titled_event),
    ("move_titled", "title date time", _EVENTS + "calendar.modify_event", bookings.moved_titled),
    (
        "schedule_for_due",
        "course title time minutes",
        _ASSIGNMENTS + "calendar.create_event",
        bookings.due_slot,
    ),
    (
        "space_for_exam",
        "course title sessions",
        _ASSIGNMENTS + "study.spaced_schedule",
        draws.spaced_item,
    ),
    (
        "bracket_for_exam",
        "course title days",
        _ASSIGNMENTS + "study.exam_bracket",
        draws.bracketed_item,
    ),
    ("block_for_title", "course title", _ASSIGNMENTS + "study.recommend_block_size", draws.item),
    ("prioritise_todo", "days", "canvas.get_todo reranker.priority_hint", draws.several_todo),
    ("course_and_grade", "course", "canvas.get_course canvas.get_grades", draws.course),
    ("grade_and_work", "course", "canvas.get_grades canvas.get_assignments", draws.course),
)
_NONE = (
    ("greeting", "", "", draws.nothing),
    ("out_of_scope", "", "", draws.nothing),
    ("ask_course", "", "canvas.get_course canvas.get_grades", draws.nothing),
    ("ask_when", "title", "calendar.create_event", bookings.untimed_event),
)
INTENTS: dict[str, Intent] = {
    row[0]: _intent(row[0], kind, *row[1:])
    for kind, rows in (("single", _SINGLE), ("pair", _PAIRS), ("none", _NONE))
    for row in rows
}
