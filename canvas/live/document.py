"""Document: iCalendar text (RFC 5545) cut into its events, so that an edit touches one of them.

What is not edited stays as it is, byte for byte: other events, alarms, unknown properties, time
zones, the folding of lines and their ends.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import icalendar

EMPTY = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//canvas-calendar-agent//EN\r\nEND:VCALENDAR\r\n"
# Not str.splitlines, which also cuts at characters that a text value may hold.
_PHYSICAL = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_FOLD = re.compile(r"(?:\r\n|\n|\r)[ \t]")
# Up to the first colon outside quotes: the name of a property with its parameters.
_HEADER = re.compile(r'((?:"[^"]*"|[^":])*):')


@dataclass(frozen=True)
class Block:
    """One VEVENT as content lines: folded, with their line ends, from its BEGIN to its END."""

    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "".join(self.lines)

    def own(self) -> Iterator[int]:
        """Places of the event's own properties; those of its alarms are none."""
        depth = 0
        for place, line in enumerate(self.lines):
            name = _name(line)
            depth += (name == "BEGIN") - (name == "END")
            if depth == 1 and name not in ("BEGIN", "END"):
                yield place

    def line(self, name: str) -> str | None:
        """The first property of this name as one unfolded line."""
        return next((_unfolded(self.lines[p]) for p in self.own() if self._is(p, name)), None)

    def header(self, name: str) -> str | None:
        """`DTSTART;TZID=Europe/Rome` of such a property: what stands before its value."""
        line = self.line(name)
        found = _HEADER.match(line) if line else None
        return found[1] if found else None

    def value(self, name: str) -> str | None:
        """The raw value of the first property of this name."""
        line, header = self.line(name), self.header(name)
        return None if line is None or header is None else line[len(header) + 1 :]

    def put(self, name: str, value: str, header: str | None = None) -> "Block":
        """With this raw value under the header given, or that it has, or else its bare name."""
        line = f"{header or self.header(name) or name}:{value}"
        places = [p for p in self.own() if self._is(p, name)]
        if not places:
            return self.append(line)
        kept = [text for p, text in enumerate(self.lines) if p not in places[1:]]
        kept[places[0]] = self._folded(line)
        return Block(tuple(kept))

    def append(self, line: str) -> "Block":
        """With one more property, given unfolded, behind the others."""
        last = max(self.own(), default=0)
        return Block((*self.lines[: last + 1], self._folded(line), *self.lines[last + 1 :]))

    def drop(self, *names: str) -> "Block":
        """Without the properties of these names."""
        gone = {p for p in self.own() if _name(self.lines[p]) in names}
        return Block(tuple(line for p, line in enumerate(self.lines) if p not in gone))

    def _is(self, place: int, name: str) -> bool:
        return _name(self.lines[place]) == name

    def _folded(self, line: str) -> str:
        """A content line folded at 75 octets, with the line ends of this block."""
        end = line_end(self.lines[0])
        text = icalendar.parser.Contentline(line).to_ical().decode()
        return text.replace("\r\n", end) + end


class Document:
    """The text of one or more VCALENDARs, as parts that join to it again, and its events."""

    def __init__(self, text: str):
        """Raises ValueError, in words, where the text is no iCalendar."""
        outline = _Outline(text)
        self.parts: list[str | Block] = outline.parts
        self.calendars = [icalendar.Calendar.from_ical("".join(c)) for c in outline.calendars]
        parsed = [event for calendar in self.calendars for event in calendar.walk("VEVENT")]
        # Blocks with what the library made of them, in the order of the text.
        self.events: list[tuple[Block, icalendar.Event]] = list(
            zip(self.blocks, parsed, strict=True)
        )
        self._by_uid: dict[str, list[tuple[Block, icalendar.Event]]] = {}
        for block, event in self.events:
            if not str(event.get("UID", "")):
                # The standard wants one; this one is known to nobody else.
                event["UID"] = icalendar.vText(f"#{_digest([block])[:16]}")
            self._by_uid.setdefault(str(event["UID"]), []).append((block, event))

    def __str__(self) -> str:
        return "".join(map(str, self.parts))

    @property
    def blocks(self) -> list[Block]:
        """The events, in order."""
        return [part for part in self.parts if isinstance(part, Block)]

    def of(self, uid: str) -> list[tuple[Block, icalendar.Event]]:
        """An event by its UID: a series and its changed occurrences share one."""
        return self._by_uid.get(uid, [])

    def version(self, uid: str) -> str:
        """A digest that changes with anything of the event; "" where there is none."""
        return _digest(block for block, _ in self.of(uid)) if self.of(uid) else ""

    def edited(self, *changes: tuple[Block, tuple[Block, ...]]) -> str:
        """The text with each of these events as the ones given for it, or none."""
        new = {id(old): "".join(map(str, blocks)) for old, blocks in changes}
        return "".join(new.get(id(part), str(part)) for part in self.parts)

    def added(self, block: Block) -> str:
        """The text with one more event, at the end of its last calendar."""
        text = str(self)
        place = text.upper().rindex("END:VCALENDAR")
        gap = "" if text[:place].endswith(("\r", "\n")) else line_end(text)
        return text[:place] + gap + str(block) + text[place:]


def _digest(blocks: Iterable[Block]) -> str:
    return hashlib.sha256("".join(map(str, blocks)).encode()).hexdigest()


def line_end(text: str) -> str:
    """How the first line of the text ends; the standard's CRLF where it does not."""
    found = re.search(r"\r\n|\n|\r", text)
    return found[0] if found else "\r\n"


class _Outline:
    """Parts of a text, and of each calendar what the library has to read: zones and events.

    Alarms, tasks and what else there is cannot make a calendar unreadable. Raises ValueError where
    components do not nest.
    """

    def __init__(self, text: str):
        self.parts: list[str | Block] = []
        self.calendars: list[list[str]] = []
        self._stack: list[str] = []
        self._lines: list[str] = []
        for line in _content_lines(text):
            self._take(line, _name(line))
        if self._stack:
            raise ValueError(f"BEGIN:{self._stack[-1]} has no END")
        if not self.calendars:
            raise ValueError("it holds no VCALENDAR")
        self._flush()

    def _take(self, line: str, name: str) -> None:
        kind = _unfolded(line).partition(":")[2].strip().upper()
        if name == "BEGIN":
            self._begin(kind)
        elif not self._stack and line.strip():
            raise ValueError("it holds text outside of a VCALENDAR")
        self._lines.append(line)
        if self._stack and self._is_needed(name):
            self.calendars[-1].append(line.removeprefix("\ufeff"))
        if name == "END":
            if self._stack[-1] != kind:
                raise ValueError(f"END:{kind} stands in {self._stack[-1]}")
            self._stack.pop()
            if kind == "VEVENT":
                self.parts.append(Block(tuple(self._lines)))
                self._lines = []

    def _begin(self, kind: str) -> None:
        if not self._stack and kind != "VCALENDAR":
            raise ValueError("it holds no VCALENDAR")
        if self._stack and (kind == "VCALENDAR" or (kind == "VEVENT" and len(self._stack) > 1)):
            raise ValueError(f"BEGIN:{kind} stands in {self._stack[-1]}")
        if kind == "VCALENDAR":
            self.calendars.append([])
        if kind == "VEVENT":
            self._flush()
        self._stack.append(kind)

    def _is_needed(self, name: str) -> bool:
        match self._stack:
            case [_]:
                return name in ("BEGIN", "END", "CALSCALE", "X-WR-TIMEZONE")
            case [_, "VEVENT"]:
                return True
            case [_, "VTIMEZONE", *_]:
                return True
        return False

    def _flush(self) -> None:
        """End what stands between events."""
        if self._lines:
            self.parts.append("".join(self._lines))
        self._lines = []


def _content_lines(text: str) -> Iterator[str]:
    line = ""
    for physical in _PHYSICAL.findall(text):
        if line and not physical.startswith((" ", "\t")):
            yield line
            line = ""
        line += physical
    if line:
        yield line


def _unfolded(line: str) -> str:
    return _FOLD.sub("", line).rstrip("\r\n")


def _name(line: str) -> str:
    return re.split("[:;]", _unfolded(line).removeprefix("\ufeff"), maxsplit=1)[0].strip().upper()
