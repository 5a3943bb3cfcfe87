"""Split one generated model turn into its thinking, its visible text and its calls."""

import re
from dataclasses import dataclass, field

from canvas.toolcall.grammar import CHANNEL_CLOSE, CHANNEL_OPEN, STRING, ToolCall
from canvas.toolcall.scanner import scan
from canvas.toolcall.skeleton import read_whole

# What generated text may begin with. What stands behind a stop is not the model's word.
STARTS = ("<bos>", "<pad>", "<|turn>model\n")
STOPS = ("<turn|>", "<|turn>", "<eos>", "<pad>")
# Mean nothing where they stand in visible text.
STRAYS = ("<bos>", "<tool_call|>", "<channel|>", "<tool_response|>", "<|tool>", "<tool|>")
STRAYS += ("<|think|>", '<|"|>')
LABEL = "thought\n"


def _any_of(markers: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, markers))


_start = re.compile(rf"(?:{_any_of(STARTS)})*+").match
# The usual reply: perhaps a thought, perhaps text, perhaps calls that the fast way can read.
_usual = re.compile(
    rf"(?:{_any_of(STARTS)})*+(?:<\|channel>([^<]*+)<channel\|>)?+([^<]*+)"
    rf"((?:<\|tool_call>(?:[^<]++|{STRING.replace('(', '(?:', 1)})*+<tool_call\|>)*+)"
    rf"(?:(?:<\|tool_response>|{_any_of(STOPS)})[\s\S]*+)?+\Z"
).match
_stop = re.compile(_any_of(STOPS)).search
_stray = re.compile(_any_of(STRAYS))
_first_marker = re.compile(
    rf"<\|channel>|<channel\|>|<\|tool_call>|<\|tool_response>|{_any_of(STOPS)}"
).search


@dataclass(slots=True)
class ParsedReply:
    """One model turn: `thinking` and `content`, stripped and without markers, and `calls`."""

    thinking: str = ""
    content: str = ""
    calls: list[ToolCall] = field(default_factory=list)


def parse_reply(raw: str, *, lenient: bool = False) -> ParsedReply:
    """Read generated text decoded with skip_special_tokens=False; never raises.

    The turn ends at its stop token (`<turn|>`, `<|tool_response>` or `<eos>`); what follows is not
    the model's word. A prompt that already opened the thought may be continued: `...<channel|>`.
    """
    usual = _usual(raw)
    if usual:
        thought, text, block = usual.groups()
        calls = read_whole(block)
        if calls is not None:
            return ParsedReply(_thought(thought or ""), text.strip(), calls)
    raw = raw[_start(raw).end() :]
    first = _first_marker(raw)
    if first and first[0] == CHANNEL_CLOSE:
        raw = f"{CHANNEL_OPEN}{raw}"
    thoughts: list[str] = []
    texts: list[str] = []
    calls = []
    pos = 0
    for start, end, found in scan(raw, lenient=lenient):
        gap, stopped = _until_stop(raw[pos:start])
        texts.append(gap)
        pos = end
        if stopped or found is None:
            break
        if isinstance(found, ToolCall):
            calls.append(found)
        else:
            thoughts.append(_thought(found))
    else:
        texts.append(_until_stop(raw[pos:])[0])
    return ParsedReply("\n".join(filter(None, thoughts)), "".join(texts).strip(), calls)


def _thought(text: str) -> str:
    return "" if text == LABEL.strip() else text.removeprefix(LABEL).strip()


def _until_stop(text: str) -> tuple[str, bool]:
    stop = _stop(text)
    return _stray.sub("", text[: stop.start()] if stop else text), bool(stop)
