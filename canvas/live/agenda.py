"""Agenda: a calendar as the tools see it, with ids for events and proposals in place of changes.

What the model wants to add, change or delete stands in `proposals` until the student decides:
`apply` does one, `discard` forgets it. A proposal is about the event as it was when proposed.
"""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from canvas import clock, io
from canvas.live.calendar import Calendar, Entry, Stale
from canvas.live.names import Names
from canvas.tools.base import ToolError
from canvas.world import Event

Proposal = dict[str, Any]


class Agenda(ABC):
    """One calendar at a time.

    `now` is a clock, or an aware time that stands still; its tzinfo is the student's zone, in which
    everything is shown. Reading may raise ToolError where the calendar cannot be read.
    """

    def __init__(self, calendar: Calendar, now: datetime | Callable[[], datetime]):
        self.calendar = calendar
        self._clock = now if callable(now) else lambda: now
        self.proposals: list[Proposal] = []
        self._ids: dict[tuple[str, str, str], str] = {}
        self._entries: dict[str, Entry] = {}
        self._pending: dict[str, Event] = {}
        self._based_on: dict[str, Entry] = {}
        self._titles: dict[str, str] = {}
        self._count = 0

    @property
    def now(self) -> datetime:
        """The student's time, whole minutes."""
        return self._clock().replace(second=0, microsecond=0)

    @property
    def today(self) -> date:
        """The student's date."""
        return self.now.date()

    @property
    def problems(self) -> list[str]:
        """What of the calendar could not be read and is therefore left out, with the reasons."""
        return list(self.calendar.problems)

    @property
    @abstractmethod
    def _names(self) -> Names:
        """The table of tokens; titles are masked by it."""

    @property
    def names(self) -> dict[str, str]:
        """Human name of every token that was given so far."""
        return self._names.shown

    def mask(self, text: str) -> str:
        """The student's words for the model: courses and people as tokens."""
        return self._names.mask(text)

    def unmask(self, text: str) -> str:
        """The model's words for the student: tokens as names."""
        return self._names.unmask(text)

    @property
    def events(self) -> list[Event]:
        """Events that have an id by now, those that are only proposed included."""
        ids = sorted({*self._entries, *self._pending}, key=lambda id_: int(id_[1:]))
        return [event for id_ in ids if (event := self.event(id_))]

    def event(self, token: str) -> Event | None:
        """The event with this id, as it was last seen."""
        if token in self._pending:
            return self._pending[token]
        entry = self._entries.get(token)
        return entry and self._event(token, entry)

    def events_between(self, start: datetime, end: datetime) -> list[Event]:
        """Events that share time with [start, end), soonest first; proposed ones included."""
        return self._sorted(self._seen(start, end), start, end)

    def busy_between(self, start: datetime, end: datetime) -> list[Event]:
        """Those of `events_between` that keep the student busy."""
        return self._sorted([e for e in self._seen(start, end) if e.busy], start, end)

    def add_event(self, title: str, start: datetime, minutes: int) -> Event:
        """Propose a new event, which counts as there until it is decided."""
        event = Event(self._next_id(), title, start, minutes)
        self._pending[event.event] = event
        self.proposals.append({"action": "create", **event.to_dict()})
        return event

    def propose(self, proposal: Proposal) -> None:
        """Append a change or deletion of an event as it is now."""
        if entry := self._entries.get(proposal["event"]):
            self._based_on[io.dumps(proposal)] = entry
        self.proposals.append(proposal)

    def apply(self, proposal: Proposal) -> Event | None:
        """Do what was proposed; the event as it is now, None of a deleted one.

        Raises ToolError with the reason, and Stale, which also discards the proposal, where the
        event was changed or the time was taken since it was proposed.
        """
        if proposal not in self.proposals:
            raise ToolError("this is not proposed, or was decided before")
        act = {"create": self._create, "modify": self._modify, "delete": self._delete}
        try:
            event = act[proposal["action"]](proposal)
        except Stale:
            self.discard(proposal)
            self.calendar.refresh()
            raise
        self._forget(proposal)
        return event

    def discard(self, proposal: Proposal) -> None:
        """Forget a proposal; one that was decided already is none."""
        self._forget(proposal)

    def _create(self, proposal: Proposal) -> Event:
        id_, start = proposal["event"], self._read(proposal["start"])
        self._refuse_taken(start, proposal["minutes"])
        entry = self.calendar.add(self._written(proposal["title"]), start, proposal["minutes"])
        self._entries[id_], self._ids[entry.key] = entry, id_
        self._pending.pop(id_, None)
        return self._event(id_, entry)

    def _modify(self, proposal: Proposal) -> Event:
        old = self._proposed_entry(proposal)
        was = self._event(proposal["event"], old)
        title, minutes = proposal.get("title"), proposal.get("minutes")
        start = self._read(proposal["start"]) if "start" in proposal else None
        # What stays as it was is not written: the masked title is not the one that stands there.
        title = None if title == was.title else title
        minutes = None if minutes == was.minutes else minutes
        start = None if start and start.timestamp() == was.start.timestamp() else start
        if start or minutes:
            self._refuse_taken(start or was.start, minutes or was.minutes, old)
        entry = self.calendar.change(old, title and self._written(title), start, minutes)
        self._rebase(old, entry.version, entry)
        self._entries[proposal["event"]] = entry
        return self._event(proposal["event"], entry)

    def _delete(self, proposal: Proposal) -> None:
        old = self._proposed_entry(proposal)
        self._rebase(old, self.calendar.remove(old))
        self._entries.pop(proposal["event"], None)

    def _proposed_entry(self, proposal: Proposal) -> Entry:
        """The event as it was when the change was proposed."""
        id_ = proposal["event"]
        if id_ in self._pending:
            raise ToolError(f"{id_} is not in the calendar yet; decide on adding it first")
        entry = self._based_on.get(io.dumps(proposal)) or self._entries.get(id_)
        if entry is None:
            raise Stale(f"{id_} is no longer in the calendar")
        return entry

    def _refuse_taken(self, start: datetime, minutes: int, ignore: Entry | None = None) -> None:
        """Raises Stale where the calendar, read anew, has something else at the time."""
        self.calendar.refresh()
        for entry in self.calendar.events_between(start, clock.plus(start, minutes)):
            if entry.busy and not (ignore and entry.key == ignore.key):
                raise Stale(f"the time is taken by {entry.title!r}, {clock.show(entry.start)}")

    def _rebase(self, old: Entry, version: str, new: Entry | None = None) -> None:
        """Our own change of an event or its series is no reason to refuse the next proposal."""
        for table in (self._based_on, self._entries):
            for key, entry in table.items():
                if (entry.where, entry.uid, entry.version) == (old.where, old.uid, old.version):
                    same = entry.key == old.key and new is not None
                    table[key] = new if same else dataclasses.replace(entry, version=version)

    def _forget(self, proposal: Proposal) -> None:
        if proposal in self.proposals:
            self.proposals.remove(proposal)
        self._based_on.pop(io.dumps(proposal), None)
        if proposal["action"] == "create":
            self._pending.pop(proposal["event"], None)

    def _seen(self, start: datetime, end: datetime) -> list[Entry]:
        """What the calendar has in the span, each known by its id from now on."""
        try:
            found = self.calendar.events_between(start, end)
        except ToolError as error:
            # The model reads it: a server's name tells where the student studies.
            raise ToolError(self.mask(str(error))) from None
        for entry in found:
            if entry.key not in self._ids:
                self._ids[entry.key] = self._next_id()
            self._entries[self._ids[entry.key]] = entry
        return found

    def _sorted(self, entries: list[Entry], start: datetime, end: datetime) -> list[Event]:
        events = [self._event(self._ids[entry.key], entry) for entry in entries]
        events += [event for event in self._pending.values() if event.overlaps(start, end)]
        return sorted(events, key=lambda event: (event.start.timestamp(), int(event.event[1:])))

    def _event(self, id_: str, entry: Entry) -> Event:
        title = self._names.mask(entry.title, "title")
        self._titles[title] = entry.title
        start = entry.start.astimezone(self.now.tzinfo)
        return Event(id_, title, start, clock.minutes_between(entry.start, entry.end))

    def _written(self, title: str) -> str:
        """A title as it goes into the calendar: as it stood there, else with names for tokens."""
        return self._titles.get(title) or self.unmask(title)

    def _next_id(self) -> str:
        self._count += 1
        return f"E{self._count}"

    def _read(self, text: str) -> datetime:
        return clock.parse_time(text, self.now.tzinfo)
