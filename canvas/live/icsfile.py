"""IcsFile: a calendar in an iCalendar file of the student's, such as an export or a synced file."""

import os
import shutil
import uuid
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from canvas import io
from canvas.live import edits
from canvas.live.calendar import Entry, Stale
from canvas.live.document import EMPTY, Document
from canvas.live.occurrences import Occurrences, later
from canvas.tools.base import ToolError

_MINUTE = timedelta(minutes=1)


class IcsFile:
    """Reads the file anew whenever it has changed, and writes it atomically.

    A file that does not exist is an empty calendar; the first event makes it.
    """

    def __init__(self, path: Path):
        self.path = Path(path)
        self._read: tuple[bytes | None, Occurrences] | None = None

    @property
    def problems(self) -> list[str]:
        """Events that could not be read so far, each with its reason."""
        return self._read[1].problems if self._read else []

    @property
    def zone(self) -> tzinfo | None:
        """The zone of the file's X-WR-TIMEZONE; raises ToolError on a name that is no zone."""
        names = [calendar.get("X-WR-TIMEZONE") for calendar in self._document().calendars]
        name = next((str(name) for name in names if name), None)
        try:
            return ZoneInfo(name) if name else None
        except (ZoneInfoNotFoundError, ValueError):
            raise ToolError(f"{self.path.name}: X-WR-TIMEZONE {name!r} is no time zone") from None

    def refresh(self) -> None:
        """Read anew at the next question."""
        self._read = None

    def events_between(self, start: datetime, end: datetime) -> list[Entry]:
        """Events and occurrences that share time with [start, end), cancelled ones left out."""
        return self._occurrences().between(start, end)

    def add(self, title: str, start: datetime, minutes: int) -> Entry:
        """Append a new event, in UTC."""
        uid = str(uuid.uuid4())
        self._write(edits.added(self._document(), uid, title, start, minutes, datetime.now(UTC)))
        return self._now(uid, start)

    def change(
        self,
        entry: Entry,
        title: str | None = None,
        start: datetime | None = None,
        minutes: int | None = None,
    ) -> Entry:
        """Change one event or occurrence; Stale where the file has it no longer as `entry`."""
        document = self._current(entry)
        stamp = datetime.now(UTC)
        self._write(edits.changed(document, entry, stamp, title, start, minutes))
        return self._now(entry.uid, start or entry.start, entry.recurrence)

    def remove(self, entry: Entry) -> str:
        """Delete one event or occurrence; returns the version of what is left of its series."""
        self._write(edits.removed(self._current(entry), entry))
        return self._document().version(entry.uid)

    def _current(self, entry: Entry) -> Document:
        document = self._document()
        if document.version(entry.uid) != entry.version:
            raise Stale(f"{entry.title!r} was changed or deleted in {self.path.name} meanwhile")
        return document

    def _now(self, uid: str, start: datetime, recurrence: str = "") -> Entry:
        """An event as it stands in the file, by where it begins."""
        found = Occurrences(self._document(), uid=uid).between(start, later(start, _MINUTE))
        return next(entry for entry in found if entry.recurrence == recurrence)

    def _document(self) -> Document:
        return self._occurrences().document

    def _occurrences(self) -> Occurrences:
        content = self._content()
        if self._read is None or self._read[0] != content:
            self._read = content, Occurrences(_parsed(self.path, content))
        return self._read[1]

    def _content(self) -> bytes | None:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ToolError(f"{self.path.name} cannot be read: {error.strerror}") from None

    def _write(self, text: str) -> None:
        """Replace the file at once, keeping its permissions; a link stays one."""
        before = self._read[0] if self._read else None
        target = self.path.resolve()
        try:
            with io.atomic_file(target) as scratch:
                with scratch.open("xb") as file:
                    file.write(text.encode())
                    file.flush()
                    os.fsync(file.fileno())
                if self._content() != before:
                    raise Stale(f"{self.path.name} was changed by another program meanwhile")
                if before is not None:
                    shutil.copymode(target, scratch)
        except OSError as error:
            raise ToolError(f"{self.path.name} cannot be written: {error.strerror}") from None


def _parsed(path: Path, content: bytes | None) -> Document:
    try:
        return Document(EMPTY if content is None else content.decode())
    except UnicodeDecodeError:
        raise ToolError(f"{path.name} is not in UTF-8; export the calendar again") from None
    except ValueError as error:
        reason = " ".join(str(error).split())
        raise ToolError(f"{path.name} is no iCalendar file: {reason}") from None
