"""Mutants: plans that pass a scenario, each with one mistake, and the fields that must show it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product

from canvas.backends.scripted import Call, Plan, ScriptedBackend
from canvas.evaluate import run_scenarios
from canvas.facts import contains
from canvas.scenarios import Scenario
from canvas.scoring import Result

CHANGES = ("calendar.create_event", "calendar.modify_event", "calendar.delete_event")
FAR = "2029-01-03T10:00"
Maker = Callable[[], Plan]
Edit = Callable[[int, Call], Call | None]


@dataclass(frozen=True)
class Mutant:
    """One mistake in the plan of a scenario; one of `fields` must be out of order."""

    scenario: Scenario
    kind: str
    fields: tuple[str, ...]
    plan: Maker

    def survives(self) -> bool:
        """Whether the mistake is scored as if it were none."""
        return not set(self.fields) & set(played(self.scenario, self.plan).score.failed)


def played(scenario: Scenario, plan: Maker) -> Result:
    """One run of a plan, with all tools declared, so that a mistake is not refused for that."""
    return run_scenarios(ScriptedBackend(lambda _: plan()), [scenario], tools="all")[0]


def mutants(scenario: Scenario, plan: Maker) -> Iterator[Mutant]:
    """Every mutant of one plan that passes."""
    right = played(scenario, plan)
    assert right.score.passed, (scenario.id, right.score.failed)
    for kind, fields, made in (
        *_changed_calls(scenario, plan),
        *_added_calls(scenario, plan, right),
        *_other_courses(scenario, plan),
        *_other_answers(scenario, plan, right.transcript.answer),
    ):
        yield Mutant(scenario, kind, fields, made)


def _changed_calls(scenario: Scenario, plan: Maker) -> Iterator[tuple[str, tuple[str, ...], Maker]]:
    """Dropped, on another day, an hour off, shorter, under another title: each changing call."""
    for place, (name, arguments) in enumerate(_effective(scenario, plan)):
        edits: dict[str, Callable[[dict], dict | None]] = {"dropped": lambda arguments: None}
        if "start" in arguments:
            edits["wrong day"] = lambda a: {**a, "start": _moved(a["start"], days=1)}
            edits["day before"] = lambda a: {**a, "start": _moved(a["start"], days=-1)}
            edits["hour off"] = lambda a: {**a, "start": _moved(a["start"], hours=1)}
            edits["hour early"] = lambda a: {**a, "start": _moved(a["start"], hours=-1)}
        if "minutes" in arguments:
            edits["shorter"] = lambda a: {**a, "minutes": a["minutes"] - 5}
        if name == "calendar.create_event":
            edits["other title"] = lambda a: {**a, "title": "Nap"}
        if "event" in arguments:
            others = [e.event for e in scenario.world().events if e.event != arguments["event"]]
            if others:
                edits["other event"] = lambda a, to=others[0]: {**a, "event": to}
        for kind, edit in edits.items():
            yield kind, ("state",), lambda p=place, e=edit: _edited(scenario, plan, p, e)


def _added_calls(
    scenario: Scenario, plan: Maker, right: Result
) -> Iterator[tuple[str, tuple[str, ...], Maker]]:
    """Deletions, changes and events that nobody asked for, and calls where none was needed."""
    touched = {call.arguments.get("event") for call in right.transcript.calls}
    untouched = [event for event in scenario.world().events if event.event not in touched]
    for event in untouched[:2]:
        delete = ("calendar.delete_event", {"event": event.event})
        yield "extra deletion", ("forbidden", "state"), lambda d=delete: _then(plan(), d)
        move = ("calendar.modify_event", {"event": event.event, "start": FAR})
        yield "extra move", ("forbidden", "state"), lambda m=move: _then(plan(), m)
    created = any(rule.kind == "created" for rule in scenario.expect)
    extra = ("calendar.create_event", {"title": "Gym", "start": FAR, "minutes": 30})
    yield "extra event", ("state" if created else "forbidden",), lambda: _then(plan(), extra)
    made = [c.arguments for c in right.transcript.calls if c.name == "calendar.create_event"]
    if made and created:
        again = ("calendar.create_event", {**made[-1], "start": FAR})
        yield "extra copy", ("state",), lambda: _then(plan(), again)
    if scenario.silent:
        look = ("canvas.list_courses", {})
        yield "needless call", ("forbidden",), lambda: _then(plan(), look)


def _other_courses(scenario: Scenario, plan: Maker) -> Iterator[tuple[str, tuple[str, ...], Maker]]:
    """The right calls for another course than the one that the request names."""
    tokens = [course.course for course in scenario.world().courses]
    named = [token for token in tokens if contains(scenario.prompt, token)]
    unnamed = [token for token in tokens if token not in named]
    for token, other in product(named, unnamed):
        made = lambda t=token, o=other: _about(plan(), t, o)  # noqa: E731
        if _goes(scenario, made):
            yield "wrong course", ("state", "facts"), made


def _other_answers(
    scenario: Scenario, plan: Maker, answer: str
) -> Iterator[tuple[str, tuple[str, ...], Maker]]:
    """A fact left out, nothing told, all told that must not be, no question."""
    if scenario.facts:
        yield "no fact", ("facts",), lambda: _saying(plan(), "All done for you.")
    for fact in scenario.facts:
        shorter = answer
        for form in fact:
            shorter = _without(shorter, form)
        if shorter != answer:
            yield "fact omitted", ("facts",), lambda s=shorter: _saying(plan(), s)
    for text in scenario.unsaid:
        yield "over-told", ("facts",), lambda t=text: _saying(plan(), f"{answer} Also {t}.")
    if scenario.asks:
        stated = answer.replace("?", ".")
        yield "no question", ("facts",), lambda: _saying(plan(), stated)


def _without(text: str, form: str) -> str:
    """The text with every spelling of `form` that stands in it literally taken out."""
    place = text.casefold().find(form.casefold())
    while place >= 0:
        text = f"{text[:place]}something{text[place + len(form) :]}"
        place = text.casefold().find(form.casefold(), place + 9)
    return text


def _moved(start: str, **span: int) -> str:
    return f"{datetime.fromisoformat(start) + timedelta(**span):%Y-%m-%dT%H:%M}"


def _effective(scenario: Scenario, plan: Maker) -> list[Call]:
    """The calls of a plan that change something, in order, without those that are refused."""
    calls = played(scenario, plan).transcript.calls
    return [
        (call.name, call.arguments)
        for call in calls
        if call.name in CHANGES and not call.result.startswith('{"error"')
    ]


def _edited(
    scenario: Scenario, plan: Maker, wanted: int, edit: Callable[[dict], dict | None]
) -> Plan:
    """The plan with its effective changing call `wanted` edited; a dropped one is made believe."""
    name, arguments = _effective(scenario, plan)[wanted]
    changed = edit(arguments)

    def swap(call: Call) -> Call | None:
        if call != (name, arguments):
            return call
        return changed and (name, changed)

    return _mapped(plan(), swap)


def _about(plan: Plan, token: str, other: str) -> Plan:
    """The plan with one course for another in everything that it asks for."""

    def swap(call: Call) -> Call:
        name, arguments = call
        return name, {k: _swapped(value, token, other) for k, value in arguments.items()}

    return _mapped(plan, swap)


def _swapped(value: object, token: str, other: str) -> object:
    if not isinstance(value, str) or not contains(value, token):
        return value
    return value.replace(token, other)


def _mapped(plan: Plan, edit: Callable[[Call], Call | None]) -> Plan:
    """The plan with every call edited; one that is edited to None is answered as if made."""
    answers = None
    while True:
        try:
            step = plan.send(answers)
        except StopIteration as done:
            return done.value
        calls = step if isinstance(step, list) else [step]
        made = [edit(call) for call in calls]
        kept = [call for call in made if call]
        found = iter((yield kept) if kept else [])
        results = [
            next(found) if new else {"event": "E99", "title": "", **old[1]}
            for old, new in zip(calls, made, strict=True)
        ]
        answers = results if isinstance(step, list) else results[0]


def _goes(scenario: Scenario, plan: Maker) -> bool:
    """Whether the plan can be followed to its end: other results may break it off."""
    try:
        played(scenario, plan)
    except (KeyError, ValueError, TypeError, IndexError, RuntimeError):
        return False
    return True


def _then(plan: Plan, call: Call) -> Plan:
    answer = yield from plan
    yield call
    return answer


def _saying(plan: Plan, answer: str) -> Plan:
    yield from plan
    return answer
