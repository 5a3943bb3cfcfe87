"""Throughput of parse_calls beside a plain two-regex parser, on realistic and on hostile text.

Run: python -m tests.bench.bench_toolcall
"""

import json
import random
import re
import time
from collections.abc import Callable
from typing import Any

from canvas.toolcall import parse_calls, render_call, render_response

_CALL = re.compile(r"<\|tool_call>call:([^{]+)\{(.*?)\}<tool_call\|>", re.DOTALL)
_ARGUMENT = re.compile(r'(\w+):(?:<\|"\|>(.*?)<\|"\|>|([^,{}\[\]]+))', re.DOTALL)
_REPEATS = 5


def parse_with_two_regexes(text: str) -> list[tuple[str, dict[str, Any]]]:
    """A lazy regex for the call and one for its arguments: wrong on nested values."""
    return [
        (
            call[1],
            {
                argument[1]: argument[2] if argument[2] is not None else json.loads(argument[3])
                for argument in _ARGUMENT.finditer(call[2])
            },
        )
        for call in _CALL.finditer(text)
    ]


def realistic_text(size: int) -> str:
    """Turns with a thought or an answer, one to three flat calls and their results."""
    draw = random.Random(7)
    words = ["the", "exam", "is", "on", "Friday", "so", "plan", "two", "blocks", "before", "it"]
    turns, length = [], 0
    while length < size:
        prose = " ".join(draw.choices(words, k=draw.randint(12, 60)))
        calls = "".join(
            render_call(name, arguments)
            for name, arguments in draw.sample(
                [
                    (
                        "calendar.create_event",
                        {"title": prose[:30], "minutes": 90, "start": "2026-03-04T14:00"},
                    ),
                    ("canvas.get_assignments", {"course": "@COURSE7"}),
                    ("calendar.find_free_blocks", {"date": "2026-03-04", "minutes": 120}),
                    ("study.semester_schedule", {"course": "@COURSE3", "hours": 4.5}),
                ],
                draw.randint(1, 3),
            )
        )
        result = render_response(
            "canvas.get_assignments", json.dumps({"assignments": [prose, prose]})
        )
        turns.append(f"{prose}\n{calls}{result}{prose}<turn|>\n")
        length += len(turns[-1])
    return "".join(turns)


def hostile_texts(size: int) -> dict[str, str]:
    """One text of about `size` characters for each way to make a parser slow."""
    units = {
        "openers": "<|tool_call>",
        "cut calls": "<|tool_call>call:f{a:",
        "open strings": '<|tool_call>call:f{a:<|"|>',
        "brackets": "<|tool_call>call:f{a:[[[[",
        "nesting": "[",
        "quotes": '<|"|>',
        "thoughts": "<|channel>",
        "JSON quotes": '<|tool_call>f("',
    }
    return {
        name: "<|tool_call>call:f{a:" + unit * (size // len(unit)) for name, unit in units.items()
    }


def seconds(parse: Callable[[str], Any], text: str) -> float:
    """Least processor time of a few runs."""
    times = []
    for _ in range(_REPEATS):
        start = time.process_time()
        parse(text)
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    text = realistic_text(2_000_000)
    ours, theirs = seconds(parse_calls, text), seconds(parse_with_two_regexes, text)
    megabytes = len(text) / 1e6
    print(f"parse_calls        {megabytes / ours:6.1f} MB/s")
    print(f"two regexes        {megabytes / theirs:6.1f} MB/s")
    print(f"ratio              {theirs / ours:6.2f}")
    for name, hostile in hostile_texts(1_000_000).items():
        strict = seconds(parse_calls, hostile)
        lenient = seconds(lambda text: parse_calls(text, lenient=True), hostile)
        print(f"1 MB {name:13} {strict:6.3f} s strict, {lenient:6.3f} s lenient")


if __name__ == "__main__":
    main()
