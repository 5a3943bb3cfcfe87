import pytest

from canvas.io import BadInput
from canvas.template import render
from canvas.training import kto, model, sft, tokens


@pytest.fixture(scope="module")
def tokenizer(nano_model):
    return model.load_tokenizer(nano_model)


def numbered(rows: list[dict]) -> tokens.Numbered:
    return list(enumerate(rows, 1))


def spoken(tokenizer, example: dict) -> str:
    return tokenizer.decode([label for label in example["labels"] if label != -100])


def test_labels_are_what_the_assistant_wrote(tokenizer, sessions):
    first, second = sft.examples(numbered(sessions[:2]), tokenizer, "rows")
    assert spoken(tokenizer, first) == (
        '<|tool_call>call:canvas.get_course{course:<|"|>@COURSE0<|"|>}<tool_call|>'
        "<|tool_response>It is in B0.<turn|>"
    )
    assert "call:calendar.delete_event{event:" in spoken(tokenizer, second)


def test_no_key_of_another_row_is_ever_learned(tokenizer, sessions):
    for row, example in zip(
        sessions, sft.examples(numbered(sessions), tokenizer, "rows"), strict=True
    ):
        text = tokenizer.decode(example["input_ids"])
        assert "null" not in text
        assert "None" not in text
        assert text + "\n" == render(row["messages"], row["tools"])


def test_inputs_are_the_rendered_row_as_the_tokenizer_sees_it(tokenizer, sessions):
    row = sessions[3]
    (example,) = sft.examples(numbered([row]), tokenizer, "rows")
    whole = tokenizer(render(row["messages"], row["tools"]), add_special_tokens=False)["input_ids"]
    assert whole[: len(example["input_ids"])] == example["input_ids"]
    assert example["input_ids"].count(tokenizer.bos_token_id) == 1


def test_a_pair_shares_its_prompt_and_ends_its_turns(tokenizer, preferences):
    row = preferences[0]
    (pair,) = tokens.pairs(numbered([row]), tokenizer, "rows")
    prompt = render([{"role": "user", "content": row["prompt"]}], add_generation_prompt=True)
    assert tokenizer.decode(pair["prompt_ids"]) == prompt
    assert tokenizer.decode(pair["chosen_ids"]) == row["chosen"] + "<turn|>"
    assert tokenizer.decode(pair["rejected_ids"]) == row["rejected"] + "<turn|>"


def test_a_judged_call_ends_with_its_stop_token(tokenizer, judged):
    (example,) = kto.examples(numbered(judged[1:2]), tokenizer, "rows")
    prompt = render(judged[1]["prompt"], judged[1]["tools"], add_generation_prompt=True)
    assert tokenizer.decode(example["prompt_ids"]) == prompt
    assert tokenizer.decode(example["completion_ids"]) == (
        '<|tool_call>call:calendar.delete_event{event:<|"|>E1<|"|>}<tool_call|><|tool_response>'
    )
    assert example["label"] is True


def test_errors_name_the_line(tokenizer, sessions, preferences):
    broken = [(1, preferences[0]), (7, {"prompt": "p", "chosen": "c"})]
    with pytest.raises(BadInput, match=r"rows\.jsonl:7.*rejected"):
        tokens.pairs(broken, tokenizer, "rows.jsonl")
    silent = [(9, {"messages": [{"role": "user", "content": "hi"}], "tools": []})]
    with pytest.raises(BadInput, match=r"rows\.jsonl:9.*no assistant turn"):
        sft.examples(silent, tokenizer, "rows.jsonl")


def test_a_token_across_a_border_is_refused():
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from transformers import PreTrainedTokenizerFast

    whole = Tokenizer(WordLevel({"<unk>": 0}, unk_token="<unk>"))
    coarse = PreTrainedTokenizerFast(tokenizer_object=whole, unk_token="<unk>")
    with pytest.raises(BadInput, match="crosses the border"):
        tokens.encode([(1, [{"role": "assistant", "content": "x"}], None)], coarse, "rows")
