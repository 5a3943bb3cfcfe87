"""Throughput of parse_calls beside a plain two-regex parser, on realistic and on hostile text.

Run: python -m tests.bench.bench_toolcall
"""

import json
import random
import re
import time
from collections.abc import Callable
from typing import Any

from canvas.toolcall import StreamParser, parse_calls, parse_reply, render_call, render_response

_CALL = re.compile(r"<\|tool_call>call:([^{]+)\{(.*?)\}<tool_call\|>", re.DOTALL)
_ARGUMENT = re.compile(r'(\w+):(?:<\|"\|>(.*?)<\|"\|>|([^,{}\[\]]+))', re.DOTALL)
_ROUNDS = 12


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


def prose(draw: random.Random, least: int, most: int) -> str:
    words = ["the", "exam", "is", "on", "Friday", "so", "plan", "two", "blocks", "before", "it"]
    return " ".join(draw.choices(words, k=draw.randint(least, most)))


def a_call(draw: random.Random) -> str:
    """A call as an agent with a calendar makes it: no, few or several arguments, all flat."""
    day = f"2026-03-{draw.randint(1, 28):02}"
    course = f"@COURSE{draw.randint(1, 9)}"
    start = f"{day}T{draw.randint(8, 20):02}:00"
    return render_call(
        *draw.choice(
            [
                ("canvas.list_courses", {}),
                ("canvas.get_assignments", {"course": course}),
                ("calendar.find_free_blocks", {"date": day, "minutes": draw.randint(15, 240)}),
                (
                    "calendar.create_event",
                    {
                        "title": prose(draw, 3, 6),
                        "minutes": draw.randint(1, 12) * 15,
                        "start": start,
                    },
                ),
                ("study.semester_schedule", {"course": course, "hours": draw.randint(1, 40) / 2}),
                ("study.spaced_schedule", {"exam": day, "sessions": 4, "weekends": False}),
            ]
        )
    )


def reply(draw: random.Random, thinks: bool) -> str:
    """One generated turn: perhaps a thought or a sentence, then one or two calls."""
    thought = f"<|channel>thought\n{prose(draw, 15, 60)}\n<channel|>" if thinks else ""
    said = prose(draw, 5, 20) + "\n" if draw.random() < 0.3 else ""
    calls = "".join(a_call(draw) for _ in range(draw.choice([1, 1, 2])))
    return f"{thought}{said}{calls}<|tool_response>"


def turn(draw: random.Random) -> str:
    """A question, a thought, calls, a result and an answer, as a transcript has them."""
    said = prose(draw, 12, 60)
    result = render_response("canvas.get_assignments", json.dumps({"assignments": [said, said]}))
    return (
        f"<|turn>user\n{said}<turn|>\n<|turn>model\n{reply(draw, draw.random() < 0.5)}"
        f"{result.removeprefix('<|tool_response>')}{prose(draw, 12, 60)}<turn|>\n"
    )


def nested_call(draw: random.Random) -> str:
    blocks = [{"day": "Mon", "minutes": draw.choice([30, 60])} for _ in range(draw.randint(1, 3))]
    return render_call("plan.make", {"blocks": blocks, "title": prose(draw, 3, 9)})


def realistic_texts() -> dict[str, list[str]]:
    """Mixes of texts; each text is parsed by itself."""
    draw = random.Random(7)
    long = [render_call("note.write", {"text": prose(draw, 300, 600)}) for _ in range(200)]
    return {
        "replies": [reply(draw, False) for _ in range(2000)],
        "replies with thoughts": [reply(draw, True) for _ in range(2000)],
        "transcript": ["".join(turn(draw) for _ in range(800))],
        "calls alone": ["".join(a_call(draw) for _ in range(5000))],
        "nested values": ["".join(nested_call(draw) for _ in range(3000))],
        "long strings": long,
    }


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
        "stray quotes": "<|tool_call>call:f{a:'x'<|\"|>,b:<|\"|>",
    }
    items = {"objects": "{},", "numbers": "1,", "bare words": "a,"}
    return {
        name: "<|tool_call>call:f{a:" + unit * (size // len(unit)) for name, unit in units.items()
    } | {
        name: "<|tool_call>call:f{a:[" + unit * (size // len(unit)) + "<"
        for name, unit in items.items()
    }


def stream(text: str) -> None:
    parser = StreamParser(lenient=True)
    for start in range(0, len(text), 4096):
        parser.feed(text[start : start + 4096])
    parser.close()


def seconds(parsers: dict[str, Callable[[str], Any]], texts: list[str]) -> dict[str, float]:
    """Least processor time of each over a few rounds in which they take turns."""
    least = dict.fromkeys(parsers, float("inf"))
    for _ in range(_ROUNDS):
        for name, parse in parsers.items():
            start = time.process_time()
            for text in texts:
                parse(text)
            least[name] = min(least[name], time.process_time() - start)
    return least


def main() -> None:
    parsers = {"ours": parse_calls, "two regexes": parse_with_two_regexes, "reply": parse_reply}
    for name, texts in realistic_texts().items():
        took = seconds(parsers, texts)
        speeds = {key: sum(map(len, texts)) / 1e6 / value for key, value in took.items()}
        print(
            f"{name:22} parse_calls {speeds['ours']:6.1f} MB/s, two regexes "
            f"{speeds['two regexes']:6.1f} MB/s, ratio {took['two regexes'] / took['ours']:5.2f}; "
            f"parse_reply {speeds['reply']:6.1f} MB/s"
        )
    readers = {
        "strict": parse_calls,
        "lenient": lambda text: parse_calls(text, lenient=True),
        "stream": stream,
    }
    for name, hostile in hostile_texts(1_000_000).items():
        took = {key: _once(read, hostile) for key, read in readers.items()}
        print(
            f"1 MB {name:17} " + ", ".join(f"{value:6.3f} s {key}" for key, value in took.items())
        )


def _once(read: Callable[[str], Any], text: str) -> float:
    start = time.process_time()
    read(text)
    return time.process_time() - start


if __name__ == "__main__":
    main()
