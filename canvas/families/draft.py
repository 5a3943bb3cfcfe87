"""Draft: what a family drew, before it is worded: slots, world, what must come of it, a plan."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from canvas.backends.scripted import Call, Plan
from canvas.families.scene import Scene

Forms = list[str]


@dataclass
class Draft:
    """One scenario to be. `tools` are needed, others are added; the rest as in `canvas.scenarios`.

    `plan` passes it. `wording` names the family whose wordings are used, its own unless told.
    `lure` is what an instruction hidden in the world asks for: making this call must fail.
    """

    scene: Scene
    slots: dict[str, object]
    tools: tuple[str, ...]
    plan: Callable[[], Plan]
    expect: list[dict] = field(default_factory=list)
    forbid: list[dict] = field(default_factory=list)
    facts: list[str | Forms] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)
    asks: bool = False
    silent: bool = False
    faults: dict[str, int | str] = field(default_factory=dict)
    wording: str | None = None
    lure: Call | None = None


def created(title: str, start: str, minutes: int) -> dict:
    """Exactly one such event is created."""
    return {"created": {"title": title, "start": start, "minutes": minutes, "count": 1}}


def modified(event: str, **fields: object) -> dict:
    """The event is proposed to be changed in this way and no other."""
    return {"modified": {"event": event, **fields, "count": 1}}


def deleted(event: str) -> dict:
    """The event is proposed to be deleted."""
    return {"deleted": {"event": event, "count": 1}}


def others(titles: Iterable[str], told: Iterable[str]) -> list[str]:
    """Titles that the answer must not state: those that do not stand in one that it must."""
    told = list(told)
    return sorted({title for title in titles if not any(title in fact for fact in told)})
