"""Held-out scores: the numbers that transformers gives, on exactly the tokens that models write."""

import numpy as np
import pytest

from canvas import heldout, io, template
from canvas.gguf.export import export
from canvas.llama import Model
from canvas.toolcall import render_call
from canvas.tools import DECLARATIONS

TOOLS = [{"type": "function", "function": DECLARATIONS["canvas.get_grades"]}]


def call(course):
    function = {"name": "canvas.get_grades", "arguments": {"course": course}}
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"type": "function", "function": function}],
    }


def conversation(number):
    return [
        {"role": "user", "content": f"My grade in @COURSE{number}?"},
        call(f"@COURSE{number}"),
        {"role": "tool", "name": "canvas.get_grades", "content": '{"score":91}'},
        {"role": "assistant", "content": f"It is 9{number}."},
    ]


TRAJECTORIES = [
    {"row_id": f"t{n}", "wording": "w", "messages": conversation(n), "tools": TOOLS}
    for n in range(4)
]
PREFERENCES = [
    {
        "pair_id": f"p{n}",
        "prompt": f"A: Quiz {n}\nB: Essay {n}\nWhich first?",
        "chosen": f"Do A first: it is due in {n} days.",
        "rejected": "Do B first: it is worth more points.",
    }
    for n in range(6)
]
CALLS = [
    {
        "row_id": f"k{n}",
        "tool": "canvas.get_grades" if n < 5 else "canvas.get_todo",
        "prompt": conversation(n)[:1],
        "completion": [call(f"@COURSE{n + 3 * (n % 2)}")],
        "label": n % 2 == 0,
        "tools": TOOLS,
    }
    for n in range(6)
]


@pytest.fixture(scope="module")
def path(nano_model, tmp_path_factory):
    path = tmp_path_factory.mktemp("gguf") / "f16.gguf"
    export(nano_model, nano_model, path, "test")
    return path


@pytest.fixture(scope="module")
def scorer(nano_model):
    """Log-likelihoods of the tokens behind a text's first `characters`, by transformers."""
    import torch
    from transformers import AutoTokenizer, Gemma4ForCausalLM

    tokenizer = AutoTokenizer.from_pretrained(nano_model)
    network = Gemma4ForCausalLM.from_pretrained(nano_model).eval()

    def score(text, spans):
        found = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        ids, offsets = found["input_ids"], found["offset_mapping"]
        with torch.no_grad():
            rows = torch.log_softmax(network(torch.tensor([ids])).logits[0].double(), -1)
        return np.array(
            [
                float(rows[place - 1, ids[place]])
                for place, (start, end) in enumerate(offsets)
                if any(first <= start and end <= last for first, last in spans)
            ]
        )

    return score


def write(folder, trajectories=(), preferences=(), calls=()):
    io.write_rows(folder / "trajectory_test.jsonl", trajectories)
    io.write_rows(folder / "preference_test.jsonl", preferences)
    io.write_rows(folder / "kto_test.jsonl", calls)
    return folder


def test_scores_are_those_of_transformers(path, scorer, tmp_path):
    found = heldout.evaluate(path, write(tmp_path, TRAJECTORIES, PREFERENCES, CALLS), 100)

    texts = [template.assistant_spans(row["messages"], TOOLS) for row in TRAJECTORIES]
    loss = -np.concatenate([scorer(*text) for text in texts]).mean()
    assert found["trajectory_loss"] == pytest.approx(loss, abs=1e-3)

    sums = [
        [scorer(*_answered(row, kind)).sum() for kind in ("chosen", "rejected")]
        for row in PREFERENCES
    ]
    assert found["preference_accuracy"] == np.mean([a > b for a, b in sums])
    assert min(abs(a - b) for a, b in sums) > 0.1, "no pair may hang on rounding"

    means = [scorer(*_called(row)).mean() for row in CALLS[:5]]
    order = [good > bad for good in means[::2] for bad in means[1::2]]
    assert found["kto_accuracy"] == np.mean(order)


def _answered(row, kind):
    exchange = [
        {"role": "user", "content": row["prompt"]},
        {"role": "assistant", "content": row[kind]},
    ]
    return template.assistant_spans(exchange)


def _called(row):
    text, spans = template.assistant_spans(row["prompt"] + row["completion"], row["tools"])
    return text, spans[-1:]


def test_the_marked_tokens_are_the_calls_and_answers(path):
    model = Model(path)
    tokens, marked = heldout._mark(model, conversation(7), TOOLS)
    written = model.text([t for t, mine in zip(tokens, marked, strict=True) if mine])
    expected = render_call("canvas.get_grades", {"course": "@COURSE7"})
    assert written == f"{expected}<|tool_response>It is 97.<turn|>"
    tokens, marked = heldout._mark(model, conversation(7), TOOLS, last=True)
    assert model.text([t for t, mine in zip(tokens, marked, strict=True) if mine]) == (
        "It is 97.<turn|>"
    )


def test_splits_without_rows_have_no_scores(path, tmp_path):
    assert heldout.evaluate(path, write(tmp_path), 10) == {
        "trajectory_loss": None,
        "preference_accuracy": None,
        "kto_accuracy": None,
    }


def test_calls_are_compared_within_a_tool_only():
    rows = [
        {"tool": tool, "label": label}
        for tool, label in (("a", True), ("a", False), ("a", False), ("b", True), ("c", False))
    ]
    assert heldout._within_tools(rows, [0.5, 0.1, 0.9, -9.0, 9.0]) == 0.5
    assert heldout._within_tools(rows, [0.5, 0.5, 0.5, 0.0, 0.0]) == 0.5
    assert heldout._within_tools(rows[3:], [1.0, 2.0]) is None


def test_the_limit_takes_the_same_rows_whatever_else_is_there(path, tmp_path):
    half = heldout._take(TRAJECTORIES, 2)
    assert len(half) == 2
    assert heldout._take(reversed(TRAJECTORIES), 2) == half
    limited = heldout.evaluate(path, write(tmp_path / "all", TRAJECTORIES, PREFERENCES, CALLS), 2)
    few = write(tmp_path / "few", half, heldout._take(PREFERENCES, 2 * heldout.PAIRS), CALLS)
    assert heldout.evaluate(path, few, 2) == limited
