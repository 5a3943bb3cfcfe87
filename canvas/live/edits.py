"""Edits: a new, changed or removed event as new text of a document; the rest stays byte for byte.

A change or removal of one occurrence leaves its series as it is. Times keep the form in which the
event has them: in UTC, with a TZID, floating, or whole days. New events are in UTC, which needs no
VTIMEZONE, and so is a local time that occurs twice where the second is meant, for it would stand
for the first (RFC 5545, 3.3.5).
"""

from datetime import UTC, date, datetime, timedelta

import icalendar

from canvas.live.calendar import Entry, Stale
from canvas.live.document import Block, Document, line_end
from canvas.live.occurrences import instant, is_series, later, planned
from canvas.tools.base import ToolError

_OF_SERIES = ("RRULE", "RDATE", "EXDATE", "EXRULE")
_STAMP = "%Y%m%dT%H%M%S"


def added(
    document: Document, uid: str, title: str, start: datetime, minutes: int, stamp: datetime
) -> str:
    """The document with one more event; `stamp` is the time of writing."""
    end = line_end(str(document))
    block = Block((f"BEGIN:VEVENT{end}", f"UID:{uid}{end}", f"END:VEVENT{end}"))
    block = block.put("DTSTAMP", _utc(stamp)).put("DTSTART", _utc(start))
    block = block.put("DTEND", _utc(later(start, timedelta(minutes=minutes))))
    return document.added(block.put("SUMMARY", _text(title)).put("SEQUENCE", "0"))


def changed(
    document: Document,
    entry: Entry,
    stamp: datetime,
    title: str | None = None,
    start: datetime | None = None,
    minutes: int | None = None,
) -> str:
    """The document with the title, start or length of one event or occurrence replaced.

    Raises Stale where the document has no such event, ToolError where it cannot be changed alone.
    """
    block, event = _source(document, entry)
    new = block
    if first := is_series(event):
        new = new.drop(*_OF_SERIES)
        slot = _written(event, _planned(entry))
        new = new.put("RECURRENCE-ID", slot[1], _header("RECURRENCE-ID", block, slot[0]))
    if title is not None:
        new = new.put("SUMMARY", _text(title))
    if first or start is not None or minutes is not None:
        elapsed = timedelta(seconds=entry.end.timestamp() - entry.start.timestamp())
        length = elapsed if minutes is None else timedelta(minutes=minutes)
        new = _with_times(new, event, start or entry.start, length)
    new = new.put("SEQUENCE", str(_number(block.value("SEQUENCE")) + 1))
    for name in ("DTSTAMP", "LAST-MODIFIED"):
        new = new.put(name, _utc(stamp)) if new.line(name) is not None else new
    return document.edited((block, (block, new) if first else (new,)))


def removed(document: Document, entry: Entry) -> str:
    """The document without one event or occurrence; raises as `changed` does."""
    block, _ = _source(document, entry)
    masters = [pair for pair in document.of(entry.uid) if not planned(pair[1])]
    if not entry.recurrence or not masters:
        return document.edited((block, ()))
    master, series = masters[0]
    keeps_value, value = _written(series, _planned(entry))
    excluded = master.append(f"{_header('EXDATE', master, keeps_value)}:{value}")
    if block is master:
        return document.edited((master, (excluded,)))
    return document.edited((master, (excluded,)), (block, ()))


def _source(document: Document, entry: Entry) -> tuple[Block, icalendar.Event]:
    """What gives the entry its properties: its own component, else its series."""
    pairs = document.of(entry.uid)
    if entry.uid.startswith("#"):
        raise ToolError(f"{entry.title!r} has no UID; only a calendar program can change it")
    if any("RANGE" in e["RECURRENCE-ID"].params for _, e in pairs if "RECURRENCE-ID" in e):
        raise ToolError(f"{entry.title!r} repeats in a way that only a calendar program can change")
    own = [pair for pair in pairs if planned(pair[1]) == entry.recurrence]
    series = [pair for pair in pairs if is_series(pair[1])]
    if not own and not series:
        raise Stale(f"{entry.title!r} is no longer in the calendar")
    return (own or series)[0]


def _with_times(block: Block, event: icalendar.Event, start: datetime, length: timedelta) -> Block:
    """The block with this start and an end that is `length` of elapsed time later."""
    end = later(start, length)
    days = _is_midnight(start) and _is_midnight(end) and length
    written = [_written(event, moment) for moment in (start, end)]
    keeps = all(keep for keep, _ in written)
    if not isinstance(event["DTSTART"].dt, datetime) and not days:
        keeps = False
    new = block.drop("DURATION")
    for name, moment, (_, value) in zip(("DTSTART", "DTEND"), (start, end), written, strict=True):
        new = new.put(name, value if keeps else _utc(moment), _header(name, block, keeps))
    return new


def _written(event: icalendar.Event, moment: date | datetime) -> tuple[bool, str]:
    """A time in the form of the event's start, and whether that keeps the start's parameters."""
    form = event["DTSTART"].dt
    if not isinstance(form, datetime):
        return True, f"{moment:%Y%m%d}"
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        return True, f"{moment:{_STAMP}}"
    if form.tzinfo is None:
        return True, f"{moment:{_STAMP}}"
    if event["DTSTART"].params.get("TZID") is None:
        return True, _utc(moment)
    local = moment.astimezone(form.tzinfo).replace(tzinfo=None, fold=0)
    # By timestamp: of two times of one zone, == compares clock faces.
    if instant(local, form.tzinfo).timestamp() != moment.timestamp():
        return False, _utc(moment)
    return True, f"{local:{_STAMP}}"


def _header(name: str, block: Block, keeps: bool) -> str:
    """`name` with the parameters of the block's start, unless a time in UTC takes none."""
    parameters = (block.header("DTSTART") or "").partition(";")[2] if keeps else ""
    return f"{name};{parameters}" if parameters else name


def _planned(entry: Entry) -> date | datetime:
    """An occurrence's planned start, from the spelling of `occurrences.slot`."""
    text = entry.recurrence
    return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)


def _is_midnight(moment: datetime) -> bool:
    return (moment.hour, moment.minute, moment.second) == (0, 0, 0)


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):{_STAMP}}Z"


def _text(title: str) -> str:
    return icalendar.vText(title).to_ical().decode()
