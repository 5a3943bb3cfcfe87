"""Server-sent events: the data of each event of a byte stream, however it is cut into chunks."""

import re
from collections.abc import Iterable, Iterator

_LINE_END = re.compile(rb"\r\n|\n|\r")


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """The data of each whole event; comments, other fields and a cut last event are left out.

    Follows the HTML standard, section 9.2.6. Bytes that are no UTF-8 become replacement characters.
    """
    data: list[bytes] = []
    for line in _lines(chunks):
        if not line:
            if data:
                yield b"\n".join(data).decode("utf-8", errors="replace")
                data = []
        elif line == b"data" or line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines without their ends: LF, CRLF or CR and nothing else, unlike str.splitlines.

    JSON text may hold U+2028 and U+0085 as they are, and those must not cut it.
    """
    held: list[bytes] = []
    after_return = False
    for chunk in chunks:
        if after_return and chunk:
            chunk = chunk.removeprefix(b"\n")
            after_return = False
        after_return = after_return or chunk.endswith(b"\r")
        first, *others = _LINE_END.split(chunk)
        held.append(first)
        for line in others:
            yield b"".join(held)
            held = [line]
