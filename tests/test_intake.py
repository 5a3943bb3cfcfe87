"""Reading contribution files: every kind of bad input is named, good rows survive."""

import json
import tracemalloc

import pytest

from canvas import intake

GOOD = {
    "type": "todo_snapshot",
    "items": [{"type": "ASGN", "assignment_name": "Essay", "due_at": None, "course_id": 7}],
}


def lines(tmp_path, *raw: bytes):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(raw))
    return list(intake.read(path))


def good() -> bytes:
    return json.dumps(GOOD).encode() + b"\n"


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b'{"type":"todo_snapshot","items":[{"ty', "truncated line"),
        (b'{"type":"todo_snapshot",', "truncated line"),
        (b'{"type" "todo_snapshot"}', "not JSON"),
        (b'{"type":"todo_\xff"}', "invalid UTF-8 at byte 15"),
        (b'{"type":"session","type":"session"}', "duplicate key 'type'"),
        (b'{"a":{"x":NaN}}', "NaN is no JSON number"),
        (b'{"a":-Infinity}', "-Infinity is no JSON number"),
        (b"[" * 100_000, "nested too deep"),
        (b"[1]", "must be an object, is a list"),
        (b'{"a":' + b"9" * 5000 + b"}", "integer string"),
        (b'{"type":"nonsense"}', "must be one of course_snapshot"),
    ],
)
def test_bad_line_is_named_and_the_next_row_survives(tmp_path, bad, reason):
    fault, (number, row) = lines(tmp_path, bad + b"\n", good())
    assert reason in fault.reason
    assert (fault.file, fault.line) == ((tmp_path / "a.jsonl").as_posix(), 1)
    assert fault.remedy
    assert (number, row) == (2, GOOD)


def test_line_of_20_mb_is_refused_in_bounded_memory(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(good() + b'{"x":"' + b"y" * 20_000_000 + b'"}\n' + good())
    tracemalloc.start()
    rows = list(intake.read(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [row[0] for row in (rows[0], rows[2])] == [1, 3]
    assert rows[1].line == 2
    assert "20,000,009 bytes" in rows[1].reason
    assert peak < 3 * intake.LINE_LIMIT


def test_empty_file_and_file_of_blank_lines(tmp_path):
    for content in (b"", b"\n \n"):
        (fault,) = lines(tmp_path, content)
        assert fault.reason == "empty file"


def test_byte_order_mark_blank_lines_and_crlf_are_fine(tmp_path):
    found = lines(tmp_path, b"\xef\xbb\xbf" + good(), b"\r\n", good().replace(b"\n", b"\r\n"))
    assert [number for number, _ in found] == [1, 3]


def test_excerpt_shows_shape_but_no_content():
    raw = b'{"course_name":"Ana Lima 42","submission_status":"GRADED"}'
    expected = '{"course_name":"xxx xxxx 00","submission_status":"GRADED"}'
    assert intake.excerpt(raw) == expected
    assert len(intake.excerpt(b"word " * 100)) == 80
