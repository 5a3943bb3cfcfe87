"""The training template: identical to the canonical one, prefix-preserving, masked exactly."""

import random
import re
from itertools import pairwise

import jinja2
import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment

from canvas.template import (
    TEMPLATE_PATH,
    assistant_spans,
    render,
    serving_template,
    validate_messages,
)
from canvas.toolcall import parse_calls, parse_reply, render_call, render_response

CONVERSATIONS = 320
SPECIAL_TOKENS = ["<bos>", "<eos>", "<pad>", "<unk>", "<|turn>", "<turn|>", "<|think|>", '<|"|>']
SPECIAL_TOKENS += ["<|tool>", "<tool|>", "<|tool_call>", "<tool_call|>"]
SPECIAL_TOKENS += ["<|tool_response>", "<tool_response|>", "<|channel>", "<channel|>"]

WORDS = [
    "plan",
    "Prüfung",
    "予定",
    "week",
    "@COURSE7",
    "{x}",
    "[ASGN]",
    "a:b,c",
    '"q"',
    "it's",
    "🙂",
    "\n",
]
NAMES = ["canvas.get_todo", "calendar.create_event", "study-plan", "ツール.list", "a b"]
KEYS = ["title", "k-1", "a.b", "Start", "größe", "two words", "_x"]


# ---- Seeded conversations ----


def text(draw: random.Random, most: int = 6) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randint(1, most)))


def value(draw: random.Random, depth: int = 0):
    kinds = ["text", "int", "float", "word"] + (["list", "object"] if depth < 3 else [])
    kind = draw.choice(kinds)
    if kind == "text":
        return text(draw)
    if kind == "int":
        return draw.randint(-5, 2000)
    if kind == "float":
        return draw.choice([1e22, -0.0, 0.5, 1e-7, -3.25])
    if kind == "word":
        return draw.choice([True, False, None])
    if kind == "list":
        return [value(draw, depth + 1) for _ in range(draw.randint(0, 3))]
    return {key: value(draw, depth + 1) for key in draw.sample(KEYS, draw.randint(0, 3))}


def schema(draw: random.Random, depth: int = 0) -> dict:
    kinds = ["string", "integer", "number", "boolean"] + (["array", "object"] if depth < 2 else [])
    made: dict = {"type": draw.choice(kinds)}
    if draw.random() < 0.7:
        made["description"] = text(draw)
    if draw.random() < 0.2:
        made["nullable"] = True
    if draw.random() < 0.2:
        made["default"] = 1
    if made["type"] == "string" and draw.random() < 0.4:
        made["enum"] = ["ASGN", "QUIZ"]
    if made["type"] == "array" and draw.random() < 0.8:
        made["items"] = schema(draw, depth + 1)
        if draw.random() < 0.3:
            made["items"] |= {"minItems": 1, "extra": {"deep": [True, None]}}
    if made["type"] == "object":
        made["properties"] = properties(draw, depth + 1)
        if draw.random() < 0.5:
            made["required"] = sorted(made["properties"])[:1]
    return made


def properties(draw: random.Random, depth: int = 0) -> dict:
    return {key: schema(draw, depth) for key in draw.sample(KEYS, draw.randint(1, 4))}


def tool(draw: random.Random, name: str) -> dict:
    parameters: dict = {"type": "object", "properties": properties(draw)}
    if draw.random() < 0.3:
        parameters["properties"] = {}
    elif draw.random() < 0.7:
        parameters["required"] = sorted(parameters["properties"])[:2]
    function = {"name": name, "description": text(draw), "parameters": parameters}
    return {"type": "function", "function": function}


def call(name: str, arguments, **more) -> dict:
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


def call_turn(draw: random.Random, number: int, thought: bool) -> list[dict]:
    """An assistant message with one to three calls and their results."""
    names = draw.choices(NAMES, k=draw.randint(1, 3))
    calls = [
        call(name, {key: value(draw) for key in draw.sample(KEYS, draw.randint(0, 4))})
        for name in names
    ]
    results = [{"role": "tool", "name": name, "content": text(draw, 12)} for name in names]
    if len(names) > 1 or draw.random() < 0.5:
        for index, (made, result) in enumerate(zip(calls, results, strict=True)):
            made["id"] = result["tool_call_id"] = f"call-{number}-{index}"
    message = {"role": "assistant", "content": draw.choice(["", None]), "tool_calls": calls}
    if thought:
        message["reasoning_content"] = text(draw)
    return [message, *results]


def conversation(seed: int, thoughts: float = 0.0) -> tuple[list[dict], list[dict] | None]:
    """Messages and tools; `thoughts` is how often a message behind the last user turn thinks."""
    draw = random.Random(f"conversation {seed}")
    messages = []
    if draw.random() < 0.6:
        messages.append({"role": "system", "content": f" {text(draw)}\n"})
    turns = draw.randint(1, 3)
    for turn in range(turns):
        thinking = thoughts if turn == turns - 1 else 0
        messages.append({"role": "user", "content": f"{text(draw)} "})
        if draw.random() < 0.2:
            messages.append({"role": "assistant", "content": text(draw)})
        for number in range(draw.randint(0, 3)):
            messages += call_turn(draw, 10 * turn + number, draw.random() < thinking)
        messages.append({"role": "assistant", "content": f" {text(draw, 12)}"})
        if draw.random() < thinking:
            messages[-1]["reasoning_content"] = text(draw)
    tools = None
    if draw.random() < 0.7:
        tools = [tool(draw, name) for name in draw.sample(NAMES, draw.randint(1, 4))]
    return messages, tools


def cuts(messages: list[dict]) -> list[list[dict]]:
    """The beginnings of a conversation in which every call has all of its results or none."""
    ends = [
        end
        for end in range(1, len(messages) + 1)
        if end == len(messages)
        or messages[end]["role"] != "tool"
        or messages[end - 1]["role"] != "tool"
    ]
    return [messages[:end] for end in ends]


# ---- The three renderers ----


@pytest.fixture(scope="module")
def canonical() -> str:
    from trl.chat_template_utils import gemma4_v5_chat_template

    return gemma4_v5_chat_template


@pytest.fixture(scope="module")
def tokenizer():
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE(unk_token="<unk>"))
    core.pre_tokenizer = pre_tokenizers.Split("\n", "isolated")
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=SPECIAL_TOKENS, show_progress=False
    )
    core.train_from_iterator((render(*conversation(seed)) for seed in range(40)), trainer)
    made = PreTrainedTokenizerFast(
        tokenizer_object=core, bos_token="<bos>", eos_token="<eos>", pad_token="<pad>"
    )
    made.chat_template = TEMPLATE_PATH.read_text(encoding="utf-8")
    return made


def test_renders_as_the_canonical_template_and_as_transformers_does(tokenizer, canonical):
    for seed in range(CONVERSATIONS):
        messages, tools = conversation(seed, thoughts=0.5)
        draw = random.Random(seed)
        cases = [(messages, prompt, draw.random() < 0.5) for prompt in (False, True)]
        cases.append((draw.choice(cuts(messages)), draw.random() < 0.5, draw.random() < 0.5))
        for part, prompt, thinking in cases:
            options = {"add_generation_prompt": prompt, "enable_thinking": thinking}
            options |= {"tokenize": False, "tools": tools}
            expected = tokenizer.apply_chat_template(part, chat_template=canonical, **options)
            assert tokenizer.apply_chat_template(part, **options) == expected
            assert render(part, tools, add_generation_prompt=prompt, thinking=thinking) == expected


def said(role: str, content=None, **more) -> dict:
    return {"role": role, "content": content, **more}


def parts(*texts: str) -> list[dict]:
    return [{"type": "text", "text": text} for text in texts]


F, G = call("f", {}), call("g", {})


@pytest.mark.parametrize(
    "messages",
    [
        [said("system", parts(" a ", "b"))],
        [said("developer", "a"), said("user", "b")],
        [said("user", parts(" a ", "b"))],
        [said("user", "a"), said("model", "b"), said("user", "c")],
        [said("assistant", "<|channel>thought\nx\n<channel|> y <|channel>z")],
        [said("assistant", "a"), said("assistant", "b")],
        [said("assistant", "", thinking="hm", tool_calls=[call("f", None)])],
        [said("assistant", "", reasoning="hm"), said("user", "a")],
        [said("tool", "stray"), said("user", "a"), said("tool", "b")],
        [said("assistant", "", tool_calls=[F]), said("user", "a")],
        [said("assistant", "text", tool_calls=[F])],
        [said("assistant", "text", tool_calls=[F]), said("tool", "1")],
        [said("assistant", tool_calls=[F]), said("tool", "1"), said("user", "a")],
        [said("assistant", tool_calls=[F, G]), said("tool", parts("1", "2"), name="f")],
        [said("assistant", tool_calls=[F]), said("tool", 5, name="f")],
    ],
)
def test_renders_unusual_conversations_as_the_canonical_template_does(
    messages, tokenizer, canonical
):
    for prompt in (False, True):
        for thinking in (False, True):
            options = {"add_generation_prompt": prompt, "enable_thinking": thinking}
            options |= {"tokenize": False, "chat_template": canonical}
            expected = tokenizer.apply_chat_template(messages, **options)
            assert render(messages, add_generation_prompt=prompt, thinking=thinking) == expected


ITEMS = {"type": ["string", "null"], "properties": 1, "required": ["x"], "default": None}


@pytest.mark.parametrize(
    "parameters",
    [
        None,
        {},
        {"type": "object", "properties": {}},
        {"properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": {}}},
        {"type": "object", "properties": {"a": {"type": "object", "other": False}}},
        {"type": "object", "properties": {"a": {"type": "array", "items": ITEMS}}},
        {"type": "object", "properties": {"a": {"type": "integer", "enum": [1], "items": ITEMS}}},
    ],
)
def test_renders_unusual_declarations_as_the_canonical_template_does(
    parameters, tokenizer, canonical
):
    function = {"name": "f", "description": "d", "parameters": parameters}
    for more in ({}, {"response": {"type": "object", "description": "r"}}, {"response": {}}):
        tools = [{"type": "function", "function": function | more}]
        options = {"tools": tools, "tokenize": False, "chat_template": canonical}
        expected = tokenizer.apply_chat_template([{"role": "user", "content": "a"}], **options)
        assert render([{"role": "user", "content": "a"}], tools) == expected


def test_the_serving_template_renders_without_the_generation_tag():
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    with pytest.raises(jinja2.TemplateSyntaxError, match="generation"):
        environment.from_string(TEMPLATE_PATH.read_text(encoding="utf-8"))
    template = environment.from_string(serving_template())
    for seed in range(40):
        messages, tools = conversation(seed, thoughts=0.5)
        variables = {"messages": messages, "tools": tools, "bos_token": "<bos>"}
        assert template.render(variables) == render(messages, tools)


def test_calls_and_responses_are_written_as_the_codec_writes_them():
    arguments = {"b": [1, {"z": None, "A": "x"}], "A": 1e22, "k-1": {"größe": True}}
    messages = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": "", "tool_calls": [call("canvas.f", arguments)]},
        {"role": "tool", "name": "canvas.f", "content": '{"ok": true}'},
    ]
    expected = render_call("canvas.f", arguments) + render_response("canvas.f", '{"ok": true}')
    assert render(messages) == f"<bos><|turn>user\nGo.<turn|>\n<|turn>model\n{expected}"


# ---- Prefixes ----


def generation_points(messages: list[dict]) -> list[int]:
    """Indices of the assistant messages that the model starts from a prompt of its own."""
    return [
        index
        for index, message in enumerate(messages)
        if message["role"] == "assistant" and messages[index - 1]["role"] in ("user", "tool")
    ]


def test_every_prompt_is_a_prefix_of_the_whole():
    checked = 0
    for seed in range(CONVERSATIONS // 2):
        messages, tools = conversation(seed, thoughts=0.5)
        whole = render(messages, tools)
        for point in generation_points(messages):
            prompt = render(messages[:point], tools, add_generation_prompt=True)
            assert whole.startswith(prompt)
            checked += 1
    assert checked > CONVERSATIONS / 2


def test_every_prompt_is_a_prefix_with_thinking_on_while_every_message_thinks():
    checked = 0
    for seed in range(CONVERSATIONS):
        messages, tools = conversation(seed, thoughts=1.0)
        if sum(message["role"] == "user" for message in messages) > 1:
            continue
        whole = render(messages, tools, thinking=True)
        for point in generation_points(messages):
            prompt = render(messages[:point], tools, add_generation_prompt=True, thinking=True)
            assert whole.startswith(prompt)
            checked += 1
    assert checked > CONVERSATIONS / 4


def test_thoughts_of_earlier_turns_are_dropped():
    thinking = {"role": "assistant", "content": "b", "reasoning_content": "hm"}
    messages = [{"role": "user", "content": "a"}, thinking]
    assert "hm" in render(messages)
    assert "hm" not in render([*messages, {"role": "user", "content": "c"}])


def test_trl_takes_the_template_as_a_training_template(tokenizer):
    from trl.chat_template_utils import (
        get_training_chat_template,
        is_chat_template_prefix_preserving,
    )

    assert is_chat_template_prefix_preserving(tokenizer)
    assert get_training_chat_template(tokenizer) is None


# ---- The mask ----


def model_text(messages: list[dict]) -> str:
    """What the model writes in a conversation, put together without the template."""
    last_user = max(i for i, message in enumerate(messages) if message["role"] == "user")
    written = []
    for index, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        if index > last_user and "reasoning_content" in message:
            written.append(f"<|channel>thought\n{message['reasoning_content']}\n<channel|>")
        calls = message.get("tool_calls", [])
        for made in calls:
            written.append(render_call(made["function"]["name"], made["function"]["arguments"]))
        if calls:
            written.append("<|tool_response>")
            continue
        written.append(message["content"].strip())
        if index + 1 == len(messages) or messages[index + 1]["role"] != "assistant":
            written.append("<turn|>")
    return "".join(written)


def test_spans_cover_what_the_model_writes_and_nothing_else():
    for seed in range(CONVERSATIONS):
        messages, tools = conversation(seed, thoughts=0.5)
        text, spans = assistant_spans(messages, tools)
        assert text == render(messages, tools)
        assert all(start < end for start, end in spans)
        assert all(a[1] < b[0] for a, b in pairwise(spans))
        assert "".join(text[start:end] for start, end in spans) == model_text(messages)


def test_spans_of_one_conversation():
    messages = [
        {"role": "system", "content": "S"},
        {"role": "user", "content": "Go."},
        {
            "role": "assistant",
            "content": "",
            "reasoning_content": "hm",
            "tool_calls": [call("f", {"a": 1}, id="1"), call("g", {}, id="2")],
        },
        {"role": "tool", "tool_call_id": "1", "content": "one"},
        {"role": "tool", "tool_call_id": "2", "content": "two"},
        {"role": "assistant", "content": "", "tool_calls": [call("h", {})]},
        {"role": "tool", "name": "h", "content": "three"},
        {"role": "assistant", "content": "Done."},
    ]
    text, spans = assistant_spans(messages)
    assert [text[start:end] for start, end in spans] == [
        "<|channel>thought\nhm\n<channel|><|tool_call>call:f{a:1}<tool_call|>"
        "<|tool_call>call:g{}<tool_call|><|tool_response>",
        "<|tool_call>call:h{}<tool_call|><|tool_response>",
        "Done.<turn|>",
    ]
    cut, spans = assistant_spans(messages[:6])
    assert cut.endswith("<|tool_call>call:h{}<tool_call|><|tool_response>")
    assert spans[-1][1] == len(cut)


def test_an_empty_end_behind_results_is_not_learned():
    messages = [
        {"role": "assistant", "content": "", "tool_calls": [call("f", {})]},
        {"role": "tool", "name": "f", "content": "1"},
        {"role": "user", "content": "And?"},
    ]
    text, spans = assistant_spans(messages)
    assert "<tool_response|><turn|>\n" in text
    assert [text[start:end] for start, end in spans] == [
        "<|tool_call>call:f{}<tool_call|><|tool_response>"
    ]


def test_the_mask_of_transformers_equals_the_spans(tokenizer):
    learned = 0
    for seed in range(CONVERSATIONS):
        messages, tools = conversation(seed, thoughts=0.5)
        masked = tokenizer.apply_chat_template(
            messages, tools=tools, return_dict=True, return_assistant_tokens_mask=True
        )
        text, spans = assistant_spans(messages, tools)
        plain = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        assert masked["input_ids"] == plain["input_ids"]
        expected = [
            int(any(start <= first and last <= end for start, end in spans))
            for first, last in plain["offset_mapping"]
        ]
        assert masked["assistant_masks"] == expected
        learned += sum(expected)
    assert learned > 10 * CONVERSATIONS


def test_the_learned_text_parses_back_to_the_calls_and_answers():
    for seed in range(CONVERSATIONS):
        messages, tools = conversation(seed, thoughts=0.5)
        text, spans = assistant_spans(messages, tools)
        made = [
            (made["function"]["name"], made["function"]["arguments"])
            for message in messages
            for made in message.get("tool_calls", [])
        ]
        read = parse_calls(text)
        assert all(found.complete for found in read)
        assert [(found.name, found.arguments) for found in read] == made
        last = parse_reply(text[slice(*spans[-1])])
        assert last.content.endswith(messages[-1]["content"].strip())


# ---- What the template cannot carry ----

USER = {"role": "user", "content": "Go."}
CALLS = {"role": "assistant", "content": "", "tool_calls": [call("f", {})]}
TWO_CALLS = {"role": "assistant", "content": "", "tool_calls": [call("f", {}), call("g", {})]}
ANSWER = {"role": "assistant", "content": "Done."}


def result(name: str = "f", content="1") -> dict:
    return {"role": "tool", "name": name, "content": content}


def test_generated_conversations_are_valid():
    for seed in range(CONVERSATIONS):
        messages, tools = conversation(seed, thoughts=0.5)
        for part in cuts(messages):
            if part[-1]["role"] != "assistant" or part[-1] is messages[-1]:
                validate_messages(part, tools)
        validate_messages([USER, CALLS])


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ([USER, CALLS, result(content={"x": 1})], "text, not dict"),
        ([USER, CALLS, result(content=None)], "text, not NoneType"),
        ([USER, CALLS, result(content='a<|"|>b')], "cannot carry a string"),
        ([USER, result()], "without an assistant message with tool_calls"),
        ([USER, said("assistant", "<|tool_call>call:f{}<tool_call|>"), result()], "tool_calls"),
        ([USER, {**CALLS, "content": "I look."}, result()], "content and tool_calls"),
        ([USER, {**CALLS, "tool_calls": [call("f", '{"a": 1}')]}, result()], "mapping, not str"),
        ([USER, {**CALLS, "tool_calls": [call("f", None)]}, result()], "mapping, not NoneType"),
        ([USER, {**CALLS, "tool_calls": [call("f", {"a": '<|"|>'})]}, result()], "cannot carry"),
        ([USER, {**CALLS, "tool_calls": [call("f", {"a:1": 1})]}, result()], "key"),
        ([USER, {**CALLS, "tool_calls": {"f": {}}}, result()], "must be a list"),
        ([USER, {**CALLS, "tool_calls": ["f"]}, result()], "a call must be a mapping"),
        ([USER, {**CALLS, "tool_calls": [{"name": "f"}]}, result()], "function of a call"),
        ([USER, TWO_CALLS, result("f"), result("g")], "under the name 'g'"),
        ([USER, CALLS, result("other")], "under the name 'f'"),
        ([USER, TWO_CALLS, result("g"), ANSWER], "2 calls before it have 1 results"),
        ([USER, CALLS, ANSWER], "1 calls before it have 0 results"),
        ([USER, CALLS, result(), result()], "more tool results than calls"),
        ([USER, {"role": "system", "content": "S"}], "first message"),
        ([{"role": "robot", "content": "x"}], "unknown role"),
        ([{"role": "user", "content": None}], "text, not NoneType"),
        ([{"role": "user", "content": "a<turn|>"}], "marker"),
        ([USER, {"role": "assistant", "content": {"a": 1}}], "text, not dict"),
        ([USER, {**ANSWER, "reasoning_content": "a<channel|>"}], "marker"),
        ([{**USER, "tool_calls": [call("f", {})]}], "not rendered"),
        (["Go."], "a message must be a mapping"),
    ],
)  # fmt: skip
def test_messages_are_refused_with_the_reason(messages, reason):
    with pytest.raises(ValueError, match=reason) as caught:
        validate_messages(messages)
    assert re.match(r"messages\[\d\]: ", str(caught.value))


def test_several_calls_are_valid_with_ids():
    calls = [call("f", {}, id="1"), call("g", {}, id="2")]
    results = [result("f") | {"tool_call_id": "1"}, result("g") | {"tool_call_id": "2"}]
    validate_messages([USER, {**TWO_CALLS, "tool_calls": calls}, *results, ANSWER])
    with pytest.raises(ValueError, match="2 calls before it have 1 results"):
        validate_messages([USER, {**TWO_CALLS, "tool_calls": calls}, *results[:1]])


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ({"name": "f", "description": "d", "parameters": {"properties": {}}}, "bracket open"),
        ({"name": "f{", "description": "d"}, "name"),
        ({"name": "f", "description": None}, "text"),
        ({"name": "f", "description": '<|"|>'}, "cannot carry"),
        ({"a": {"type": ["string", "null"]}}, "nullable"),
        ({"a": {"description": "no type"}}, "type must be one name"),
        ({"a": {"type": "string", "description": '<|"|>'}}, "cannot carry"),
        ({"a": {"type": "object", "additionalProperties": False}}, "additionalProperties"),
        ({"a": {"type": "object", "properties": {"b": {}}}}, "property 'b'"),
        ({"a": {"type": "array", "items": {"properties": {"b": {}}}}}, "property 'b'"),
        ({"a": "string"}, "must be a mapping"),
    ],
)
def test_declarations_are_refused_with_the_reason(function, reason):
    if "name" not in function:
        parameters = {"type": "object", "properties": function}
        function = {"name": "f", "description": "d", "parameters": parameters}
    with pytest.raises(ValueError, match=reason) as caught:
        validate_messages([USER], [{"type": "function", "function": function}])
    assert str(caught.value).startswith("tools[0]: ")


@pytest.mark.parametrize(
    "messages",
    [
        [USER, CALLS, result(content={"x": 1})],
        [USER, {**CALLS, "tool_calls": [call("f", '{"a": 1}')]}],
        [{"role": "user", "content": {"x": 1}}],
        [{"role": "user", "content": [{"type": "image"}]}],
        [USER, {"role": "assistant", "content": "", "tool_responses": [{"name": "f"}]}],
    ],
)
def test_rendering_what_crashes_the_template_is_a_value_error(messages):
    with pytest.raises(ValueError, match="chat template"):
        render(messages)
