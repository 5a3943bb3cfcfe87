"""iCalendar texts for the calendar tests: a campus zone, single events, series, what is odd."""

from datetime import datetime
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("America/New_York")
VTIMEZONE = """\
BEGIN:VTIMEZONE
TZID:America/New_York
BEGIN:DAYLIGHT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
TZNAME:EDT
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
TZNAME:EST
END:STANDARD
END:VTIMEZONE
"""
GYM = """\
BEGIN:VEVENT
UID:gym@example.org
DTSTAMP:20260201T080000Z
DTSTART;TZID=America/New_York:20260305T100000
DTEND;TZID=America/New_York:20260305T110000
SUMMARY;LANGUAGE=en:Gym\\, upstairs
SEQUENCE:3
LAST-MODIFIED:20260201T080000Z
X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Hall: 1":geo:1.0,2.0
DESCRIPTION:A line that is so long that the program which wrote it has
  folded it\\nand it goes on
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER:-PT15M
SUMMARY:not the title
DESCRIPTION:Soon
END:VALARM
END:VEVENT
"""
CHOIR = """\
BEGIN:VEVENT
UID:choir@example.org
DTSTAMP:20260201T080000Z
DTSTART;TZID=America/New_York:20260302T190000
DURATION:PT1H30M
RRULE:FREQ=WEEKLY;COUNT=6
EXDATE;TZID=America/New_York:20260316T190000
SUMMARY:Choir
END:VEVENT
"""
MOVED_CHOIR = """\
BEGIN:VEVENT
UID:choir@example.org
RECURRENCE-ID;TZID=America/New_York:20260323T190000
DTSTAMP:20260201T080000Z
DTSTART;TZID=America/New_York:20260324T200000
DTEND;TZID=America/New_York:20260324T213000
SUMMARY:Choir in the chapel
END:VEVENT
"""
TODO = "BEGIN:VTODO\nUID:t1\nSUMMARY:Buy paper\nEND:VTODO\n"


def calendar(*components: str, head: str = "", end: str = "\r\n") -> str:
    """A VCALENDAR of these components with one kind of line end."""
    text = f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Test//EN\n{head}{''.join(components)}"
    return f"{text}END:VCALENDAR\n".replace("\n", end)


def event(*lines: str, uid: str = "one@example.org") -> str:
    """A VEVENT of these content lines."""
    body = "".join(f"{line}\n" for line in (f"UID:{uid}", "DTSTAMP:20260201T080000Z", *lines))
    return f"BEGIN:VEVENT\n{body}END:VEVENT\n"


def at(text: str) -> datetime:
    """`2026-03-05T10:00`, with an offset or local to the campus, as a campus time."""
    moment = datetime.fromisoformat(text)
    return moment.astimezone(ZONE) if moment.tzinfo else moment.replace(tzinfo=ZONE)
