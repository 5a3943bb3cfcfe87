"""The exported vocabulary: the ids of transformers, or no file at all."""

import json
import shutil

import pytest

from canvas import template
from canvas.gguf.export import export
from canvas.io import BadInput
from canvas.llama import Model
from canvas.tools import DECLARATIONS

TOOLS = [
    {"type": "function", "function": DECLARATIONS[name]}
    for name in ("canvas.get_assignments", "calendar.create_event")
]
PLAIN = [
    {"role": "system", "content": "You plan study time with tools. Now: 2026-03-04T14:00 Wed."},
    {"role": "user", "content": 'When is "Problem Set 3" of @COURSE7 due?  Two  spaces,\n\n\tTab.'},
]
CALL = {
    "role": "assistant",
    "content": "",
    "tool_calls": [
        {
            "type": "function",
            "function": {"name": "canvas.get_assignments", "arguments": {"course": "@COURSE7"}},
        }
    ],
}
RESULT = {
    "role": "tool",
    "name": "canvas.get_assignments",
    "content": '{"assignments":[{"title":"Größe 北京 🎓","due":"2026-03-04T23:59","points":12.5}]}',
}
CHATS = {
    "question": (PLAIN, TOOLS, True),
    "call": ([*PLAIN, CALL], TOOLS, False),
    "result": ([*PLAIN, CALL, RESULT], TOOLS, True),
    "answer": ([*PLAIN, CALL, RESULT, {"role": "assistant", "content": "At 23:59."}], TOOLS, False),
    "no tools": (PLAIN[1:], None, True),
}


@pytest.fixture(scope="module")
def model(nano_model, tmp_path_factory):
    path = tmp_path_factory.mktemp("gguf") / "f16.gguf"
    export(nano_model, nano_model, path, "test")
    return Model(path)


@pytest.fixture
def folder(nano_model, tmp_path):
    """A copy of the checkpoint that a test may spoil."""
    return shutil.copytree(nano_model, tmp_path / "copy")


@pytest.mark.parametrize("chat", CHATS)
def test_rendered_chats_have_the_ids_of_transformers(chat, model, nano_model):
    from transformers import AutoTokenizer

    messages, tools, prompt = CHATS[chat]
    text = template.render(messages, tools, add_generation_prompt=prompt)
    expected = AutoTokenizer.from_pretrained(nano_model).encode(text, add_special_tokens=False)
    assert model.tokenize(text) == expected
    assert expected.count(expected[0]) == 1, "one <bos>, and no second one added"
    assert model.text(expected) == text


def test_turns_end_at_three_markers(model):
    ends = {model.piece(token).decode() for token in model.end_tokens}
    assert ends == {"<eos>", "<turn|>", "<|tool_response>"}


def test_servers_get_markers_to_show_and_a_template_they_can_read(model):
    import jinja2
    from gguf import GGUFReader, TokenType

    fields = GGUFReader(model.path).fields
    names = fields["tokenizer.ggml.tokens"].contents()
    kinds = dict(zip(names, fields["tokenizer.ggml.token_type"].contents(), strict=True))
    for shown in ("<|tool_call>", "<tool_call|>", '<|"|>', "<tool_response|>", "<channel|>"):
        assert kinds[shown] == TokenType.USER_DEFINED
    for hidden in ("<bos>", "<pad>", "<|turn>", "<turn|>", "<|tool>"):
        assert kinds[hidden] == TokenType.CONTROL
    assert kinds["<0x0A>"] == TokenType.BYTE
    jinja2.Environment(extensions=["jinja2.ext.loopcontrols"]).parse(
        fields["tokenizer.chat_template"].contents()
    )
    assert fields["tokenizer.ggml.eot_token_id"].contents() == names.index("<turn|>")
    assert fields["tokenizer.ggml.eom_token_id"].contents() == names.index("<|tool_response>")


def test_rows_without_a_token_are_unused(folder, tmp_path):
    path = folder / "tokenizer.json"
    tokenizer = json.loads(path.read_text())
    last = max(tokenizer["model"]["vocab"], key=tokenizer["model"]["vocab"].get)
    size = json.loads((folder / "config.json").read_text())["vocab_size"]
    if tokenizer["added_tokens"][-1]["id"] == size - 1:
        last = tokenizer["added_tokens"].pop()["content"]
    tokenizer["model"]["vocab"].pop(last, None)
    parts = [pair for pair in tokenizer["model"]["merges"] if "".join(pair) != last]
    tokenizer["model"]["merges"] = parts
    path.write_text(json.dumps(tokenizer))
    export(folder, folder, tmp_path / "f16.gguf", "test")
    assert Model(tmp_path / "f16.gguf").piece(size - 1) == b""


SPOILT = {
    "pre_tokenizer": lambda t: t.update(
        pre_tokenizer={"type": "Split", "pattern": {"Regex": r"\w+"}, "behavior": "Isolated"}
    ),
    "normalizer": lambda t: t.update(normalizer={"type": "NFKC"}),
    "model": lambda t: t["model"].update(byte_fallback=False),
    "lstrip|strips": lambda t: t["added_tokens"][0].update(lstrip=True),
    "model.vocab": lambda t: t["model"]["vocab"].update(extra=10**6),
}


@pytest.mark.parametrize("field", SPOILT)
def test_tokenizers_that_llama_cpp_would_read_otherwise_are_refused(field, folder, tmp_path):
    path = folder / "tokenizer.json"
    tokenizer = json.loads(path.read_text())
    SPOILT[field](tokenizer)
    path.write_text(json.dumps(tokenizer))
    with pytest.raises(BadInput, match=field):
        export(folder, folder, tmp_path / "f16.gguf", "test")


def test_a_missing_end_marker_is_an_error(folder, tmp_path):
    path = folder / "tokenizer.json"
    path.write_text(path.read_text().replace('"<turn|>"', '"<turn_end>"'))
    with pytest.raises(BadInput, match=r"<turn\|>"):
        export(folder, folder, tmp_path / "f16.gguf", "test")


def test_a_model_trained_with_another_template_is_refused(folder, tmp_path):
    with (folder / "chat_template.jinja").open("a") as file:
        file.write("\n{# changed #}")
    with pytest.raises(BadInput, match="template"):
        export(folder, folder, tmp_path / "f16.gguf", "test")
