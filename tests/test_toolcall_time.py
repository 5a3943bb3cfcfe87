"""Linear time: a text twice as long takes about twice as long, whatever it holds."""

import random
import time

import pytest

from canvas.toolcall import StreamParser, parse_calls, parse_reply

QUOTE = '<|"|>'
GOOD = '<|tool_call>call:good{day:<|"|>Mon, 9 am<|"|>,n:2}<tool_call|>'
FRAGMENTS = ["<|tool_call>", "<tool_call|>", "<|tool_response>", "<tool_response|>", "<|channel>"]
FRAGMENTS += ["<channel|>", "<|turn>", "<turn|>", QUOTE, "<|tool_call>call:f{", "}<tool_call|>"]
FRAGMENTS += [f"<|tool_call>call:f{{a:{QUOTE}", f"{QUOTE},b:", "{", "}", "[", "]", "(", ")", ":"]
FRAGMENTS += [",", "=", '"', "'", "\\", "1", "-", "null", "None", " ", "\n", "1e999", GOOD, "k:1,"]
FRAGMENTS += ["a:b,", "x,", "'y',", '"z"', f"w{QUOTE},", "<tool_call>", "```json\n{", "<", "|>"]

UNITS = ["<|tool_call>", "<|tool_call>call:f{a:", f"<|tool_call>call:f{{a:{QUOTE}", "<|channel>"]
UNITS += [f"<|tool_call>call:f{{a:{QUOTE}x{QUOTE},b:{QUOTE}", "<|tool_call>call:f{a:[[[[", "{k:"]
UNITS += [f"<|tool_call>call:f{{a:'x'{QUOTE},b:{QUOTE}", '<|tool_call>f(a="', "<|tool_call>f(", "["]
UNITS += ["<|channel><|tool_call>", "<|channel><|tool_response>", "<|tool_response>", "{", "}", "1"]
UNITS += [
    "<|channel><|tool_response><turn|>",
    "<tool_response|>",
    "<tool_call|>",
    QUOTE,
    '"',
    "\\'",
]
UNITS += ["<|tool_response>x<tool_response|>", f"<|tool_response>{QUOTE}", " ", "<", "a,", "a:b,"]
UNITS += ["a:b:", "a:b c,", "'a,", "a='b',", "x ", "\n,", "<|tool_call>```json\n{", f"a:x{QUOTE},"]
UNITS += ["a:1,", "a:[1],", "{},", f"{QUOTE}<tool_call|>", "<tool_call:", "a:x<", "9.", "\\u00"]
STARTS = ["", "<|tool_call>call:f{a:[", f"<|tool_call>call:f{{a:'x'{QUOTE},b:{QUOTE}", "<|channel>"]
STARTS += ["<|tool_call>call:f{", "<|tool_response>"]


def read_stream(text, step):
    parser = StreamParser(lenient=True)
    for start in range(0, len(text), step):
        parser.feed(text[start : start + step])
    parser.close()


READERS = {
    "strict": parse_calls,
    "lenient": lambda text: parse_calls(text, lenient=True),
    "reply": parse_reply,
    "stream": lambda text: read_stream(text, 1000),
}


def seconds(read, text):
    """Least processor time of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        read(text)
        times.append(time.process_time() - start)
    return min(times)


def is_linear(read, short, long):
    """Whether `long`, n times `short`, takes at most twice n times as long, by the best of tries.

    2 ms for what does not grow; a quadratic reader takes n times n times as long.
    """
    most = 2 * len(long) / len(short)
    return any(seconds(read, long) < most * seconds(read, short) + 2e-3 for _ in range(3))


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("start", STARTS)
def test_repeated_text_is_read_in_linear_time(reader, start):
    slow = []
    for unit in UNITS:
        short, long = (start + unit * (size // len(unit)) for size in (4_000, 32_000))
        if not is_linear(READERS[reader], short, long):
            slow.append(unit)
    assert slow == []


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("seed", range(4))
def test_a_megabyte_of_fragments_is_read_in_linear_time(reader, seed):
    draw = random.Random(seed)
    some = draw.sample(FRAGMENTS, draw.randint(4, len(FRAGMENTS)))
    text = ""
    while len(text) < 1_000_000:
        text += "".join(draw.choices(some, k=20_000))
    assert is_linear(READERS[reader], text[:250_000], text[:1_000_000])


@pytest.mark.parametrize("text", [GOOD, "a", "<", f"<|tool_call>call:f{{a:{QUOTE}", " "])
def test_single_characters_are_streamed_in_linear_time(text):
    short, long = (text + text[-1] * size for size in (20_000, 160_000))
    assert is_linear(lambda text: read_stream(text, 1), short, long)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("unit", ["[", "{k:", "[{k:", "("])
def test_no_depth_exhausts_the_stack(reader, unit):
    READERS[reader]("<|tool_call>call:f{a:" + unit * 200_000)
