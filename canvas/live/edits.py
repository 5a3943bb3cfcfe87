"""Edits: a new, changed or removed event as new text of a document; the rest stays byte for byte.

A change or removal of one occurrence leaves its series as it is. Times keep the form in which the
event has them: in UTC, with a TZID, floating, or whole days. New events are in UTC, which needs no
VTIMEZONE, and so is a local time that occurs twice where the second is meant, for it would stand
for the first (RFC 5545, 3.3.5). What is returned reads as the document with this one change; where
that cannot be had, nothing is.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import icalendar

from canvas.live.calendar import Entry, Stale
from canvas.live.document import Block, Document, line_end
from canvas.live.occurrences import (
    UNREADABLE,
    Occurrences,
    instant,
    is_series,
    later,
    planned,
)
from canvas.tools.base import ToolError

_OF_SERIES = ("RRULE", "RDATE", "EXDATE", "EXRULE")
_STAMP = "%Y%m%dT%H%M%S"
# How far around a change its other effects are looked for.
_AROUND = timedelta(days=40)


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
    begins, length = start or entry.start, _elapsed(entry)
    if minutes is not None:
        length = timedelta(minutes=minutes)
    wanted = replace(
        entry,
        title=" ".join((title or entry.title).split()),
        start=begins,
        end=later(begins, length),
    )
    with _by_program(entry):
        block, event = _source(document, entry)
        new, is_first = block, is_series(event)
        if is_first:
            keeps, slot = _written(event, _planned(entry))
            new = new.drop(*_OF_SERIES).put(
                "RECURRENCE-ID", slot, _header("RECURRENCE-ID", block, keeps)
            )
        if title is not None:
            new = new.put("SUMMARY", _text(title))
        if is_first or start is not None or minutes is not None:
            new = _with_times(new, event, begins, length)
        new = _stamped(new, stamp)
        text = document.edited((block, (block, new) if is_first else (new,)))
        _refuse_other_effects(document, text, entry, wanted)
    return text


def removed(document: Document, entry: Entry) -> str:
    """The document without one event or occurrence; raises as `changed` does."""
    with _by_program(entry):
        block, _ = _source(document, entry)
        changes: dict[Block, tuple[Block, ...]] = {block: ()}
        series = [pair for pair in document.of(entry.uid) if not planned(pair[1])]
        if entry.recurrence and series:
            master, event = series[0]
            keeps, slot = _written(event, _planned(entry))
            excluded = master.append(f"{_header('EXDATE', master, keeps)}:{slot}")
            changes[master] = (excluded,)
        text = document.edited(*changes.items())
        _refuse_other_effects(document, text, entry, None)
    return text


@contextmanager
def _by_program(entry: Entry) -> Iterator[None]:
    """Raises ToolError where the event breaks the standard in a way that is met only here."""
    try:
        yield
    except UNREADABLE:
        raise ToolError(f"{entry.title!r} is odd; only a calendar program can change it") from None


def _refuse_other_effects(
    document: Document, text: str, entry: Entry, wanted: Entry | None
) -> None:
    """Raises ToolError unless the text reads as the document with this one change."""
    span = entry.start - _AROUND, max(entry.end, (wanted or entry).end) + _AROUND
    if wanted:
        span = min(span[0], wanted.start - _AROUND), span[1]
    shown = [
        {e.key: (e.title, e.start.timestamp(), e.end.timestamp()) for e in found.between(*span)}
        for found in (
            Occurrences(document, entry.where, entry.uid),
            Occurrences(Document(text), entry.where, entry.uid),
        )
    ]
    before, after = shown
    before.pop(entry.key, None)
    if wanted:
        before[entry.key] = wanted.title, wanted.start.timestamp(), wanted.end.timestamp()
    if before != after:
        raise ToolError(f"{entry.title!r} is odd; only a calendar program can change it")


def _stamped(block: Block, stamp: datetime) -> Block:
    block = block.put("SEQUENCE", str(_number(block.value("SEQUENCE")) + 1))
    for name in ("DTSTAMP", "LAST-MODIFIED"):
        block = block.put(name, _utc(stamp)) if block.line(name) is not None else block
    return block


def _elapsed(entry: Entry) -> timedelta:
    return timedelta(seconds=entry.end.timestamp() - entry.start.timestamp())


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
