"""Plans: how to read the calls of one skeleton, which is a call without what its strings say."""

import re
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any

from canvas.toolcall.grammar import (
    INTEGER,
    MAX_DEPTH,
    NUMBER,
    QUOTE,
    WORDS,
    to_integer,
    to_real,
)

# Plans in all, and characters of a skeleton that gets one: at most some MB.
_MOST, _LONGEST = 4096, 400

# key, word or string, integer, real, opener, closers, comma; or nothing where the text is unusual
_tokens = re.compile(
    rf'(?:([\w.$@-]++):)?+(?:(<\|"\|>|true|false|null)|({INTEGER})(?![.eE])|({NUMBER})|([{{\[]))'
    r"([}\]]*+)(,?)|[\s\S]"
).findall
_Token = tuple[str, str, str, str, str, str, str]
# name; the arguments, or None where they hold containers; keys of the strings in order; tokens
Plan = tuple[str, dict[str, Any] | None, list[str], list[_Token]]
Skeleton = tuple[str, ...]
"""What stands before, between and behind the strings; at least three parts, the last ones empty."""

PLANS: dict[Skeleton, Plan] = {}

_ANY = object()
_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_numbers = re.compile(r":(-?+([0-9]++)([^,}]*+))(?=[,}])").finditer
# By skeleton with every digit a zero: a plan, other digits (place, text), numbers (key, start, end,
# whether integer, place of a digit that must not be zero).
_Form = tuple[Plan, list[tuple[int, str]], list[tuple[str, int, int, bool, int | None]]]
_forms: dict[bytes, _Form] = {}


def make_plan(skeleton: Skeleton) -> Plan | None:
    """The plan for a skeleton that has none yet; None where it is unusual."""
    first, second, third, *_ = skeleton
    body = QUOTE.join(skeleton) if third else f"{first}{QUOTE}{second}" if second else first
    shape = body.encode("utf-8", "surrogatepass").translate(_DIGITS)
    form = _forms.get(shape)
    if form and (plan := _renumbered(body, form)):
        # Numbers that come but once must not crowd out plans that cost more.
        if len(PLANS) < _MOST:
            PLANS[skeleton] = plan
        return plan
    plan = _first_plan(body)
    if plan and len(body) <= _LONGEST:
        for plans in (PLANS, _forms):
            if len(plans) >= _MOST:
                plans.clear()
        PLANS[skeleton] = plan
        if plan[1] is not None and b"0" in shape:
            _forms[shape] = _form(body, plan)
    return plan


def _first_plan(body: str) -> Plan | None:
    head, _, _ = body.partition("{")
    name = head.removeprefix("call:")
    if name == head or not name or "}" in head or "|>" in head or name != name.strip():
        return None
    tokens = _tokens(body, len(head))
    arguments = build(tokens, repeat(_ANY))
    if arguments is None:
        return None
    keys = [key for key, value in arguments.items() if value is _ANY]
    flat = len(arguments) == len(tokens) - 1 and body.count("{") == 1 and "[" not in body
    return name, arguments if flat else None, keys, tokens


def _form(body: str, plan: Plan) -> _Form:
    keys = [token[0] for token in plan[3] if token[2] or token[3]]
    others, numbers, behind = [], [], 0
    for key, found in zip(keys, _numbers(body, body.index("{")), strict=True):
        start, end = found.span(1)
        others.append((behind, body[behind:start]))
        lead = found.start(2) if len(found[2]) > 1 else None
        numbers.append((key, start, end, not found[3], lead))
        behind = end
    others.append((behind, body[behind:]))
    return plan, [other for other in others if any(map(str.isdigit, other[1]))], numbers


def _renumbered(body: str, form: _Form) -> Plan | None:
    """The plan of a form with the numbers of `body`; None where it has no such form."""
    (name, template, keys, tokens), others, numbers = form
    for place, text in others:
        if not body.startswith(text, place):
            return None
    arguments = template.copy()
    for key, start, end, integer, lead in numbers:
        if lead and body[lead] == "0":
            return None
        value = int(body[start:end]) if integer else to_real(body[start:end])
        if value is None:
            return None
        arguments[key] = value
    return name, arguments, keys, tokens


def build(tokens: Iterable[_Token], strings: Iterator[Any]) -> dict[str, Any] | None:
    """The arguments of a call from its tokens and strings; None where they are unusual."""
    box: Any = []
    top, stack, more = box, [], True
    for key, word, integer, real, opener, closers, comma in tokens:
        if not more or (type(box) is dict) != bool(key):
            return None
        if word:
            value: Any = next(strings) if word == QUOTE else WORDS[word]
        elif integer or real:
            value = to_integer(integer) if integer else to_real(real)
            if value is None:
                return None
        elif opener:
            value = {} if opener == "{" else []
        else:
            return None
        if key:
            box[key] = value
        else:
            box.append(value)
        more = bool(comma)
        if opener:
            stack.append(box)
            box = value
            if not closers:
                if comma or len(stack) > MAX_DEPTH + 1:
                    return None
                more = True
        for closer in closers:
            if not stack or closer != ("}" if type(box) is dict else "]"):
                return None
            box = stack.pop()
    return None if stack or more else top[0]
