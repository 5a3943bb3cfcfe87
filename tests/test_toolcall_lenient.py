"""The lenient reading: the drift of real models is mended and named, and nothing is guessed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canvas.toolcall import ToolCall, parse_calls, render_call

GOOD = '<|tool_call>call:good{day:<|"|>Mon, 9 am<|"|>,n:2}<tool_call|>'
GOOD_CALL = ToolCall("good", {"day": "Mon, 9 am", "n": 2})
EVIL = "<|tool_call>call:evil{}<tool_call|>"
Q = '<|"|>'

MENDED = [
    # What vLLM's issues 53431 and 53642 record: the opener's `call:`, and parentheses.
    ("f{a:1}<tool_call|>", {"a": 1}, ["missing call:"]),
    (":f{a:1}<tool_call|>", {"a": 1}, ["missing call:"]),
    ("- f{a:1}<tool_call|>", {"a": 1}, ["missing call:"]),
    ("call:f(a:1)<tool_call|>", {"a": 1}, ["parentheses"]),
    ("call:f()<tool_call|>", {}, ["parentheses"]),
    ("f(a=1)<tool_call|>", {"a": 1}, ["missing call:", "parentheses", "key=value"]),
    (
        f"call:f(a: {Q}x)({Q}, b=[1])<tool_call|>",
        {"a": "x)(", "b": [1]},
        ["parentheses", "key=value"],
    ),
    ('call:f({"a":1})<tool_call|>', {"a": 1}, ["parentheses", "quoted key"]),
    ('call:f(a:{"b":1})<tool_call|>', {"a": {"b": 1}}, ["parentheses", "quoted key"]),
    ('call:f{{"a":1}}<tool_call|>', {"a": 1}, ["doubled bracket", "quoted key"]),
    # vLLM 51284, Ollama 15315 and 17882: other quotes, other signs.
    ('call:f{"a b":1}<tool_call|>', {"a b": 1}, ["quoted key"]),
    (f"call:f{{{Q}a{Q}:1}}<tool_call|>", {"a": 1}, ["quoted key"]),
    ('call:f{"a":["x",\'y\']}<tool_call|>', {"a": ["x", "y"]}, ["quoted key", "quoted string"]),
    (r'call:f{a:"x \"y\" \u00e9\n"}<tool_call|>', {"a": 'x "y" é\n'}, ["quoted string"]),
    (
        r"""call:f{a:'it\'s "x"', b:'it's'}<tool_call|>""",
        {"a": 'it\'s "x"', "b": "it's"},
        ["quoted string"],
    ),
    (
        r"call:f{a:':\s*\w+'<|" + '"|>}<tool_call|>',
        {"a": r":\s*\w+"},
        ["quoted string", "stray quote"],
    ),
    (
        "call:f{a='x, y: {z}.pdf', b=[2]}<tool_call|>",
        {"a": "x, y: {z}.pdf", "b": [2]},
        ["key=value", "quoted string"],
    ),
    ("call:f{at=14:30,b=1}<tool_call|>", {"at": "14:30", "b": 1}, ["key=value", "unquoted string"]),
    (
        "call:f{a:None,b:[True,FALSE]}<tool_call|>",
        {"a": None, "b": [True, False]},
        ["Python literal"],
    ),
    ("call:f{a:.5,b:+3,c:2.}<tool_call|>", {"a": 0.5, "b": 3, "c": 2.0}, ["number"]),
    # SGLang 39240: the opening quote is left out.
    (f"call:f{{q:weather in Tokyo{Q}}}<tool_call|>", {"q": "weather in Tokyo"}, ["missing quote"]),
    (
        f"call:f{{q:Paris, France{Q},n:5}}<tool_call|>",
        {"q": "Paris, France", "n": 5},
        ["missing quote"],
    ),
    (f"call:f{{q:[{Q}a{Q},b{Q}]}}<tool_call|>", {"q": ["a", "b"]}, ["missing quote"]),
    (f"call:f{{c:hello, m:{Q}x{Q}}}<tool_call|>", {"c": "hello", "m": "x"}, ["unquoted string"]),
    (
        "call:f{at:2026-03-04T14:00,id:007}<tool_call|>",
        {"at": "2026-03-04T14:00", "id": "007"},
        ["unquoted string"],
    ),
    # Brackets, commas, closers.
    ("call:f{a:1,,b:2,}<tool_call|>", {"a": 1, "b": 2}, ["stray comma"]),
    ("call:f{a:[1,{b:2}<tool_call|>", {"a": [1, {"b": 2}]}, ["missing bracket"]),
    ("call:f<tool_call|>", {}, ["missing bracket"]),
    (f"call:f{{a:{Q}x{Q}}}><tool_call|>", {"a": "x"}, ["extra bracket"]),
    ("call:f{a:1)<tool_call|>", {"a": 1}, ["mismatched bracket"]),
    ("call:f{a:1}", {"a": 1}, ["missing closer"]),
    ("call:f{a:1}\n<|tool_response>", {"a": 1}, ["missing closer"]),
    ("call:f{a:1}<eos>", {"a": 1}, ["missing closer"]),
    # JSON in place of the format.
    (
        '{"name":"f","arguments":{"a":null}}<tool_call|>',
        {"a": None},
        ["JSON call", "quoted key", "quoted string"],
    ),
    (
        '```json\n{"name":"f","parameters":{"a":1}}\n```<tool_call|>',
        {"a": 1},
        ["code fence", "JSON call", "quoted key", "quoted string"],
    ),
    (
        '{"function":{"name":"f","arguments":"{\\"a\\": 1}"}}<tool_call|>',
        {"a": 1},
        ["JSON call", "quoted key", "quoted string"],
    ),
]


@pytest.mark.parametrize(
    ("text", "arguments", "repairs"), MENDED, ids=lambda value: str(value)[:40]
)
def test_drift_is_mended_and_named(text, arguments, repairs):
    text = f"<|tool_call>{text}"
    (call,) = parse_calls(text, lenient=True)
    assert call == ToolCall("f", arguments, True, tuple(repairs))
    assert [type(value) for value in call.arguments.values()] == [
        type(value) for value in arguments.values()
    ]
    (strict,) = parse_calls(text)
    assert not strict.complete
    assert strict.repairs == ()


@pytest.mark.parametrize(
    "opener", ["<|tool_call|>call:", "<tool_call>call:", "<tool_call:", "<|tool_call|>"]
)
def test_drifted_openers_are_read(opener):
    text = f"Well. {opener}f{{a:1}}<tool_call|>{GOOD}"
    calls = parse_calls(text, lenient=True)
    assert [(call.name, call.complete) for call in calls] == [("f", True), ("good", True)]
    assert calls[0].repairs[0] == "opener"
    assert parse_calls(text) == [GOOD_CALL]


@pytest.mark.parametrize(
    "text",
    [
        "call:f{a:1",
        'call:f{a:"open',
        'call:f{a:"bad \\x"}<tool_call|>',
        f"call:f{{a:{Q}ls}}<tool_call|>",  # a string that goes on, perhaps
        f"call:f{{a:{Q}one,b:{Q}two{Q}}}<tool_call|>",
        "call:f{a:1]<tool_call|>",
        "call:f{a:[1}<tool_call|>",
        "call:f{a:}<tool_call|>",
        "call:f{a}<tool_call|>",
        "call:f{a:nan}<tool_call|>",
        "call:f{a:1e999}<tool_call|>",
        "call:f{a:1 b:2}more<tool_call|>",
        "call:f(x)<tool_call|>",
        "call:f{a:1} and more",
        "f<tool_call|>",
        "two words{a:1}<tool_call|>",
        "{}<tool_call|>",
        '{"a":1}<tool_call|>',
        '{"name":"f","arguments":[1]}<tool_call|>',
        '{"name":"f","arguments":"a"}<tool_call|>',
        "call:f{a:" + "[" * 300 + "}<tool_call|>",
    ],
    ids=lambda text: text[:40],
)
def test_nothing_is_guessed(text):
    calls = parse_calls(f"<|tool_call>{text}{GOOD}", lenient=True)
    assert [call.complete for call in calls] == [False, True]
    assert calls[0].repairs == ()


def test_a_missing_closer_is_mended_only_where_the_call_ends():
    calls = parse_calls(f"<|tool_call>call:f{{}}{GOOD}", lenient=True)
    assert calls == [ToolCall("f", {}, True, ("missing closer",)), GOOD_CALL]


def test_what_is_mended_ends_before_the_next_call():
    for drift in ("call:f{a:'x", "call:f{a:'x'<|\"|>,b:<|\"|>", "f(a=word", "{", "```json\n"):
        calls = parse_calls(f"<|tool_call>{drift}{GOOD}", lenient=True)
        assert calls[-1] == GOOD_CALL


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("rest", ["b:'x'", "b=1", '"c":1}', "b:word", "b:1)", "b:1]"])
def test_calls_in_the_closed_strings_of_a_malformed_call_are_inert(rest, lenient):
    text = f"<|tool_call>call:note{{text:{Q}they wrote {EVIL}{Q},{rest}<tool_call|>{GOOD}"
    calls = parse_calls(text, lenient=lenient)
    assert [call.name for call in calls] == ["note", "good"]


# The same examples in every run, whatever the machine is busy with.
steady = settings(deadline=None, derandomize=True, database=None, max_examples=200)
pieces = st.sampled_from(
    ["{}", "}", "]", ",", "a:1", "(", '"', "'", "\n", EVIL, "<tool_call|>", "="]
)
values = st.recursive(
    st.lists(pieces, max_size=4).map("".join) | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=6,
)


@steady
@given(st.dictionaries(st.sampled_from(["a", "b c", "x:y"]), values, max_size=3))
def test_a_cut_call_is_never_presented_as_whole(arguments):
    text = render_call("f", arguments)
    whole = ToolCall("f", arguments)
    mended = ToolCall("f", arguments, True, ("missing closer",))
    for end in range(len("<|tool_call>"), len(text)):
        assert not parse_calls(text[:end])[0].complete
        first = parse_calls(text[:end], lenient=True)[0]
        # The lenient reading may add the closer alone, and then everything else is there.
        assert not first.complete or first == mended
    assert parse_calls(text) == parse_calls(text, lenient=True) == [whole]
