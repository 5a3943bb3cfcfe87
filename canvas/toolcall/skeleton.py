"""The fast way through text in which every call is whole.

One pattern takes in what stands before a call and the call, its strings apart from its skeleton:
the text between them, short and alike from turn to turn, so that a plan for it is kept. Where
anything is unusual, nothing is read here, and the careful scanner reads the text instead.
"""

import re

from canvas.toolcall.grammar import QUOTE, STRING, ToolCall
from canvas.toolcall.plans import PLANS, build, make_plan

_OPAQUE = STRING.replace("(", "(?:", 1)
# Before a call: prose, closed thoughts, closed responses, the stop token of a call turn. The closer
# of a response without its opener is unusual (see the scanner).
_PROSE = r"(?!\|(?:tool_call|tool_response|channel)>|tool_response\|>)"
_THOUGHT = (
    r"\|channel>[^<]*+(?:<(?!\|?channel\|?>|\|tool_response>|\|?turn\|?>)[^<]*+)*+<channel\|>"
)
_RESPONSE = (
    r"\|tool_response>(?:(?=\s*+(?:\Z|<\|turn>|<turn\|>))"
    rf'|[^<]*+(?:(?:{_OPAQUE}|<(?!tool_response\|>|\|"\|>))[^<]*+)*+<tool_response\|>)'
)
_GAP = rf"[^<]*+(?:<(?:{_PROSE}|{_RESPONSE}|{_THOUGHT})[^<]*+)*+"
_CALL = (
    rf"<\|tool_call>([^<]++)(?:{STRING}([^<]++)(?:{STRING}([^<]++)((?:{_OPAQUE}[^<]++)*+))?+)?+"
    r"<tool_call\|>(?:<\|tool_response>\Z)?+"
)
# It matches wherever it is tried before the end, so that nothing is ever read twice.
_next_calls = re.compile(rf"(?=.){_GAP}(?:{_CALL}|\Z|(.)[\s\S]*+)", re.DOTALL).findall

_blank = object.__new__


def read_whole(text: str) -> list[ToolCall] | None:
    """Every call of `text`, or None where it is not all whole and usual."""
    calls: list[ToolCall] = []
    for first, one, second, two, third, others, unusual in _next_calls(text):
        if not first:
            if unusual:
                return None
            continue
        skeleton: tuple[str, ...] = (first, second, third)
        if others:
            parts = others.split(QUOTE)
            skeleton += tuple(parts[2::2])
        plan = PLANS.get(skeleton) or make_plan(skeleton)
        if plan is None:
            return None
        name, template, keys, tokens = plan
        if template is None:
            strings = (one, two, *parts[1::2]) if others else (one, two)
            arguments = build(tokens, iter(strings))
        else:
            arguments = template.copy()
            if second:
                arguments[keys[0]] = one
                if third:
                    arguments[keys[1]] = two
                    if others:
                        arguments.update(zip(keys[2:], parts[1::2], strict=True))
        # What ToolCall(name, arguments) does, in half the time.
        call = _blank(ToolCall)
        call.name = name
        call.arguments = arguments
        call.complete = True
        call.repairs = ()
        calls.append(call)
    return calls
