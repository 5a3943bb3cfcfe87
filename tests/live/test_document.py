"""iCalendar text: cut and joined without loss, edited in one place only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas.live.document import EMPTY, Block, Document
from tests.live.texts import CHOIR, GYM, MOVED_CHOIR, TODO, VTIMEZONE, calendar, event

FULL = (VTIMEZONE, GYM, TODO, CHOIR, MOVED_CHOIR)


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_the_parts_join_to_the_text(end):
    text = calendar(*FULL, end=end)
    document = Document(text)
    assert str(document) == text
    assert [str(e["UID"]) for _, e in document.events] == [
        "gym@example.org",
        "choir@example.org",
        "choir@example.org",
    ]


def test_several_calendars_a_mark_and_no_last_line_end():
    text = "\ufeff" + calendar(GYM) + calendar(CHOIR).rstrip()
    assert str(Document(text)) == text
    assert len(Document(text).events) == 2


def test_no_events():
    assert str(Document(EMPTY)) == EMPTY
    assert Document(EMPTY).blocks == []


LINE = st.sampled_from(
    [
        "BEGIN:VEVENT",
        "END:VEVENT",
        "BEGIN:VALARM",
        "END:VALARM",
        "SUMMARY:x",
        " y",
        "",
        "X",
        "\u2028",
    ]
)


@given(st.lists(st.tuples(LINE, st.sampled_from(["\n", "\r\n", "\r", ""])), max_size=12))
def test_any_text_joins_again_or_is_refused(lines):
    text = calendar("".join(line + end for line, end in lines))
    try:
        document = Document(text)
    except ValueError:
        return
    assert str(document) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "holds no VCALENDAR"),
        ("hello", "text outside of a VCALENDAR"),
        ("<html></html>", "text outside of a VCALENDAR"),
        ("END:VCALENDAR\n", "text outside of a VCALENDAR"),
        ("BEGIN:VEVENT\nUID:1\nEND:VEVENT\n", "holds no VCALENDAR"),
        ("BEGIN:VCALENDAR\n", "BEGIN:VCALENDAR has no END"),
        (calendar(GYM).partition("BEGIN:VALARM")[0], "BEGIN:VEVENT has no END"),
        (calendar("END:VALARM\n"), "END:VALARM stands in VCALENDAR"),
        (calendar("BEGIN:VTODO\n", GYM, "END:VTODO\n"), "BEGIN:VEVENT stands in VTODO"),
        (calendar(calendar()), "BEGIN:VCALENDAR stands in VCALENDAR"),
    ],
)
def test_what_is_no_calendar_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        Document(text)


def test_what_is_no_event_cannot_make_a_calendar_unreadable():
    odd = "BEGIN:VTODO\nPRIORITY:x\n;;:\nEND:VTODO\n"
    alarm = GYM.replace("TRIGGER:-PT15M", "TRIGGER:soon\nREPEAT:x\n:")
    document = Document(calendar("X-A;;:b\n", odd, alarm, "METHOD\n", CHOIR))
    assert [str(event["SUMMARY"]) for _, event in document.events] == ["Gym, upstairs", "Choir"]


def test_properties_of_an_event_are_its_own():
    (block,) = Document(calendar(VTIMEZONE, GYM)).blocks
    assert block.value("SUMMARY") == "Gym\\, upstairs"
    assert block.header("SUMMARY") == "SUMMARY;LANGUAGE=en"
    assert block.header("X-APPLE-STRUCTURED-LOCATION").endswith('X-TITLE="Hall: 1"')
    assert block.value("X-APPLE-STRUCTURED-LOCATION") == "geo:1.0,2.0"
    assert block.value("DESCRIPTION").endswith("has folded it\\nand it goes on")
    assert block.value("TRIGGER") is None


def test_a_property_put_replaces_one_line():
    (block,) = Document(calendar(GYM)).blocks
    new = block.put("SUMMARY", "Swim")
    gone, come = set(block.lines) - set(new.lines), set(new.lines) - set(block.lines)
    assert (gone, come) == (
        {"SUMMARY;LANGUAGE=en:Gym\\, upstairs\r\n"},
        {"SUMMARY;LANGUAGE=en:Swim\r\n"},
    )
    assert len(new.lines) == len(block.lines)
    assert new.value("SUMMARY") == "Swim"


def test_a_new_property_stands_before_the_alarm():
    (block,) = Document(calendar(GYM)).blocks
    new = block.put("LOCATION", "Hall 2")
    assert new.lines.index("LOCATION:Hall 2\r\n") < new.lines.index("BEGIN:VALARM\r\n")
    assert new.drop("LOCATION") == block


@given(st.text(st.characters(exclude_categories=["C"], exclude_characters="\u2028"), max_size=200))
def test_long_and_foreign_values_are_folded_and_read_back(value):
    block = Document(calendar(GYM, end="\n")).blocks[0].put("SUMMARY", value)
    assert block.value("SUMMARY") == value
    assert all(len(line.encode()) <= 76 for text in block.lines for line in text.split("\n"))
    assert "\r" not in str(block)


def test_the_version_is_of_the_whole_series():
    document = Document(calendar(GYM, CHOIR, MOVED_CHOIR))
    other = Document(calendar(GYM, CHOIR, MOVED_CHOIR.replace("chapel", "hall")))
    assert document.version("choir@example.org") != other.version("choir@example.org")
    assert document.version("gym@example.org") == other.version("gym@example.org")
    assert document.version("nobody") == ""


def test_an_event_without_uid_gets_one_that_is_not_written():
    text = calendar("BEGIN:VEVENT\nSUMMARY:Old\nDTSTART:20260305T100000Z\nEND:VEVENT\n")
    document = Document(text)
    ((block, parsed),) = document.events
    assert str(parsed["UID"]).startswith("#")
    assert document.of(str(parsed["UID"])) == [(block, parsed)]
    assert str(document) == text


def test_an_event_is_added_to_the_last_calendar():
    block = Block(("BEGIN:VEVENT\r\n", "UID:new\r\n", "END:VEVENT\r\n"))
    text = calendar(GYM)
    added = Document(text).added(block)
    assert added == text.replace("END:VCALENDAR", f"{block}END:VCALENDAR")


def test_edits_touch_one_of_two_equal_events():
    twice = calendar(event("SUMMARY:a"), event("SUMMARY:a"))
    document = Document(twice)
    once = document.edited((document.blocks[1], ()))
    assert once == calendar(event("SUMMARY:a"))
