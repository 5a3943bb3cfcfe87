"""Split one generated model turn into its thinking, its visible text and its calls."""

import re
from dataclasses import dataclass, field

from canvas.toolcall.grammar import ToolCall
from canvas.toolcall.scanner import scan

_START = re.compile(r"(?:<bos>|<pad>|<\|turn>model\n)*+")
_STOP = re.compile(r"<turn\|>|<eos>|<pad>")
_FIRST_MARKER = re.compile(r"<\|channel>|<channel\|>|<\|tool_call>|<\|tool_response>|<turn\|>")


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
    raw = raw[_START.match(raw).end() :]
    first = _FIRST_MARKER.search(raw)
    if first and first[0] == "<channel|>":
        raw = f"<|channel>{raw}"
    thoughts, texts, calls = [], [], []
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
            thoughts.append(found.removeprefix("thought\n").strip())
    else:
        texts.append(_until_stop(raw[pos:])[0])
    return ParsedReply("\n".join(filter(None, thoughts)), "".join(texts).strip(), calls)


def _until_stop(text: str) -> tuple[str, bool]:
    stop = _STOP.search(text)
    return (text[: stop.start()], True) if stop else (text, False)
