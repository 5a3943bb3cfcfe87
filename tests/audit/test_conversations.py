"""Conversations: rows that parse and rows that do not; what is alike in form is rendered once."""

from pathlib import Path

import pytest

from canvas.audit import conversations
from canvas.audit.conversations import Reader, said

CALL = {
    "type": "function",
    "function": {"name": "canvas.get_grades", "arguments": {"course": "@C1"}},
}
MESSAGES = [
    {"role": "system", "content": "Help."},
    {"role": "user", "content": "My grade?"},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "name": "canvas.get_grades", "content": '{"score":90}'},
    {"role": "assistant", "content": "It is 90."},
]
TOOL = {
    "type": "function",
    "function": {
        "name": "canvas.get_grades",
        "description": "Grade of a course.",
        "parameters": {"type": "object", "properties": {"course": {"type": "string"}}},
    },
}
GOOD = {"messages": MESSAGES, "tools": [TOOL]}
KTO = {"prompt": MESSAGES[:2], "completion": [MESSAGES[2]], "tools": [TOOL], "label": True}


def faults(name: str, *rows) -> list[tuple[int, str]]:
    path = Path(f"data/splits/{name}.jsonl")
    found = Reader().unparsed([(path, number, row) for number, row in enumerate(rows, 1)])
    return [(finding.line, finding.field) for finding in found]


def test_rows_that_parse_and_rows_that_do_not():
    text_call = [dict(MESSAGES[2], content="<|tool_call>call:x{<tool_call|>"), *MESSAGES[3:]]
    bad = [
        {"messages": [*MESSAGES[:2], *text_call], "tools": [TOOL]},
        {"messages": MESSAGES},
        {"messages": [{"role": "user"}], "tools": []},
        {"messages": [*MESSAGES[:2], MESSAGES[3]], "tools": [TOOL]},
        "no row",
    ]
    # Behind a good row of the same form, too, which the template need not render again.
    assert faults("trajectory_test", GOOD, GOOD, *bad, GOOD) == [
        (3, "messages"), (4, "tools"), (5, "messages"), (6, "messages"), (7, "line"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": "<|tool_call>call:canvas.get_grades{}<tool_call|>"},
        {"role": "user", "content": 'Say <|"|> to me'},
    ],
)
def test_markers_in_contents_are_rendered_each_time(message, monkeypatch):
    row = {"messages": [MESSAGES[0], message, *MESSAGES[2:]], "tools": [TOOL]}
    rendered = []
    render = conversations.render
    monkeypatch.setattr(conversations, "render", lambda *args: rendered.append(1) or render(*args))
    faults("trajectory_test", GOOD, GOOD, row, row)
    assert len(rendered) == 3


def test_arguments_that_the_format_cannot_carry():
    call = {"type": "function", "function": {"name": "canvas.get_grades",
                                             "arguments": {"course": 'a <|"|> b'}}}  # fmt: skip
    messages = [*MESSAGES[:2], {**MESSAGES[2], "tool_calls": [call]}, *MESSAGES[3:]]
    assert faults("trajectory_train", GOOD, {**GOOD, "messages": messages}) == [(2, "messages")]


def test_kto_and_preference_rows():
    assert faults("kto_train", KTO, {**KTO, "label": 1}, {**KTO, "completion": [{}]}) == [
        (2, "label"),
        (3, "completion"),
    ]
    items = {"item_a_id": "a", "item_b_id": "b"}
    preference = {"prompt": "A or B?", "chosen": "Do A first.", "rejected": "Do B first.", **items}
    assert faults("preference_test", preference, {**preference, "rejected": None}) == [
        (2, "rejected")
    ]


def test_what_is_said():
    assert said(GOOD) == "My grade?"
    assert said(KTO) == "My grade?"
    assert said({"prompt": "A or B?"}) == "A or B?"
    assert said({"pair_id": "x"}) == ""
