"""Calendar: what a live world needs of one, an iCalendar file or a CalDAV collection."""

from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Protocol

from canvas.tools.base import ToolError


class Stale(ToolError):
    """A change that is refused, because the calendar is no longer as it was when proposed."""


@dataclass(frozen=True)
class Entry:
    """One event, or one occurrence of a series, as it was read.

    `recurrence` names the occurrence by its planned start, "" where there is no series. `busy` is
    false for what does not block time. `version` changes with anything of the event or series.
    """

    uid: str
    recurrence: str
    title: str
    start: datetime
    end: datetime
    busy: bool
    version: str
    where: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What stays the same while an event changes."""
        return self.where, self.uid, self.recurrence


class Calendar(Protocol):
    """Reads and changes events; every method may raise ToolError, with the reason in words.

    Datetimes are aware. Floating times and whole days are read in the zone of the asked span.
    """

    @property
    def problems(self) -> list[str]:
        """Events that could not be read, each with its reason; they take no part in anything."""

    @property
    def zone(self) -> tzinfo | None:
        """The time zone that the calendar itself names, None where it names none."""

    def refresh(self) -> None:
        """Read anew at the next question."""

    def events_between(self, start: datetime, end: datetime) -> list[Entry]:
        """Events and occurrences that share time with [start, end), cancelled ones left out."""

    def add(self, title: str, start: datetime, minutes: int) -> Entry:
        """Write a new event."""

    def change(
        self,
        entry: Entry,
        title: str | None = None,
        start: datetime | None = None,
        minutes: int | None = None,
    ) -> Entry:
        """Write a change of one event or occurrence; Stale where it is no longer as `entry`."""

    def remove(self, entry: Entry) -> str:
        """Delete one event or occurrence; returns the new version of the series it was of, or "".

        Raises Stale where it is no longer as `entry`.
        """
