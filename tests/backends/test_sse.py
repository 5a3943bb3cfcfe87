"""Server-sent events: every way to cut and to end lines gives the same data."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas.backends.sse import events

ENDS = st.sampled_from(["\n", "\r\n", "\r"])
TEXT = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]))


def cut(raw, places):
    """The bytes in pieces."""
    edges = [0, *sorted(place % (len(raw) + 1) for place in places), len(raw)]
    return [raw[a:b] for a, b in pairwise(edges)]


@given(st.lists(TEXT, min_size=1), ENDS, st.lists(st.integers(0, 10**6)), st.booleans())
def test_any_cut_and_any_line_end(texts, end, places, comments):
    noise = f": ping{end}id: 7{end}event: x{end}" if comments else ""
    raw = "".join(f"{noise}data: {text}{end}{end}" for text in texts).encode()
    assert list(events(cut(raw, places))) == texts


@given(st.binary(), st.lists(st.integers(0, 10**6)))
def test_no_bytes_raise_and_no_cut_changes_anything(raw, places):
    whole = list(events([raw]))
    assert list(events(cut(raw, places))) == whole
    assert list(events(bytes([byte]) for byte in raw)) == whole


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"data: a\ndata: b\n\n", ["a\nb"]),
        (b"data:a\n\ndata\n\ndata:  b\n\n", ["a", "", " b"]),
        (b"data: a\n\ndata: cut", ["a"]),
        (b"data: a\r\n\r\ndata: b\r\r", ["a", "b"]),
        (b"database: a\n\n", []),
        ('data: "\u2028\u0085\x0b\x1c"\n\n'.encode(), ['"\u2028\u0085\x0b\x1c"']),
        (b"data: \xff\n\n", ["\ufffd"]),
        (b"\n\n: only a comment\n\n", []),
    ],
)
def test_what_the_standard_says(raw, found):
    assert list(events([raw])) == found


def test_a_large_event_in_small_pieces_is_read_in_linear_time():
    pieces = [b"x" * 16] * 60_000
    assert len(next(events([b"data: ", *pieces, b"\n\n"]))) == 960_000
    assert re.fullmatch("x+", next(events([b"data: ", *pieces, b"\n\n"])))
