"""Streaming: in any chunks what parse_reply reads, and text as soon as it is safe to show."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canvas.toolcall import Event, StreamParser, ToolCall, parse_reply, render_response

GOOD = '<|tool_call>call:good{day:<|"|>Mon, 9 am<|"|>,n:2}<tool_call|>'
GOOD_CALL = ToolCall("good", {"day": "Mon, 9 am", "n": 2})
QUOTE = '<|"|>'
PIECES = ["<|tool_call>", "<tool_call|>", "<|tool_response>", "<tool_response|>", "<|channel>"]
PIECES += ["<channel|>", "<|turn>", "<turn|>", QUOTE, QUOTE, "<eos>", "<pad>", "<bos>", GOOD, GOOD]
PIECES += [
    "<|tool_call>call:f{",
    "<|tool_call>call:f{a:<|",
    "}<tool_call|>",
    "thought\n",
    "model\n",
]
PIECES += ["a:1", ",", "}", "'y'", "b=2", "call:", "text ", "\n", "<", "<|", "|>", "thought", " "]
PIECES += ["<|tool_call|>", "<tool_call>", "<tool_call:", "```json\n", '{"name":"f"}', "<|think|>"]
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=20).map("".join)


def stream(chunks, **options):
    parser = StreamParser(**options)
    events = [event for chunk in chunks for event in parser.feed(chunk)]
    return parser, events + parser.close()


def joined(events, kind):
    return "".join(event.text for event in events if event.kind == kind)


def opens_in_thought(raw):
    """Whether parse_reply takes the beginning for a thought that the prompt has opened."""
    ends = (
        "<|channel>",
        "<|tool_call>",
        "<|tool_response>",
        "<|turn>",
        "<turn|>",
        "<eos>",
        "<pad>",
    )
    closer = raw.find("<channel|>")
    return closer >= 0 and not any(0 <= raw.find(marker) < closer for marker in ends)


@settings(deadline=None, derandomize=True, database=None, max_examples=400)
@given(texts, st.lists(st.integers(0, 200)), st.booleans())
def test_any_chunks_give_what_the_whole_text_gives(text, cuts, lenient):
    text = text.removeprefix("<bos>").removeprefix("<|turn>model\n").removeprefix("<pad>")
    in_thought = opens_in_thought(text)
    ends = sorted(min(cut, len(text)) for cut in cuts)
    spans = zip([0, *ends], [*ends, len(text)], strict=True)
    expected = parse_reply(text, lenient=lenient)
    for chunks in ([text[start:end] for start, end in spans], text):
        parser, events = stream(chunks, lenient=lenient, in_thought=in_thought)
        assert parser.reply() == expected
        assert joined(events, "content") == expected.content
        assert joined(events, "thinking") == expected.thinking
        assert [event.call for event in events if event.kind == "call"] == expected.calls


@pytest.mark.parametrize(
    "raw",
    [
        "<bos><|turn>model\nHello.<turn|>",
        "<|turn>model\n<pad>Hello.",
        "<|turn>mod",
        "<|turn>user\nHello.",
        f"<|turn>model\n{GOOD}",
    ],
)
def test_the_opening_of_a_turn_is_no_text(raw):
    for chunks in ([raw], raw):
        assert stream(chunks)[0].reply() == parse_reply(raw)


def test_text_is_shown_at_once_and_markers_never():
    parser = StreamParser()
    assert parser.feed("Let me ") == [Event("content", "Let me")]
    assert parser.feed("look.<") == [Event("content", " look.")]
    assert parser.feed("|tool_") == []
    assert parser.feed(GOOD[len("<|tool_") : -1]) == []
    assert parser.feed(">") == [Event("call", call=GOOD_CALL)]
    assert parser.feed(" 1 <2, <b>") == [Event("content", " 1 <2, <b>")]
    assert parser.feed("<") == []
    assert parser.close() == [Event("content", "<")]
    assert parser.reply().content == "Let me look. 1 <2, <b><"


def test_thinking_comes_apart_from_text():
    parser = StreamParser()
    assert parser.feed("<|channel>thou") == []
    assert parser.feed("ght\nHm. ") == [Event("thinking", "Hm.")]
    assert parser.feed("So\n<channel|>Yes") == [Event("thinking", " So"), Event("content", "Yes")]


def test_a_call_in_an_open_thought_waits_until_the_thought_ends():
    parser = StreamParser()
    assert parser.feed(f"<|channel>thought\nI could {GOOD} or") == [Event("thinking", "I could")]
    assert parser.feed(" not.\n<channel|>") == [Event("thinking", f" {GOOD} or not.")]
    parser = StreamParser()
    assert parser.feed(f"<|channel>thought\nI should\n{GOOD}") == [Event("thinking", "I should")]
    assert parser.close() == [Event("call", call=GOOD_CALL)]


def test_a_thought_that_the_prompt_opened_is_not_shown():
    parser, events = stream(["Hm.", "\n<channel|>", "Done."], in_thought=True)
    assert (joined(events, "thinking"), joined(events, "content")) == ("Hm.", "Done.")
    assert parser.reply() == parse_reply("Hm.\n<channel|>Done.")


def test_nothing_behind_the_end_of_the_turn_counts():
    for end in ("<turn|>", "<|tool_response>", "<eos>", render_response("good", "1")):
        parser, events = stream([GOOD, end, GOOD, "more"])
        assert parser.reply().calls == [GOOD_CALL]
        assert joined(events, "content") == ""


def test_a_cut_call_comes_when_the_text_ends():
    parser = StreamParser()
    assert parser.feed("<|tool_call>call:good{n:2,day:") == []
    assert parser.close() == [Event("call", call=ToolCall("good", {"n": 2}, complete=False))]


def test_repairs_are_told_in_a_stream_too():
    _, events = stream("<|tool_call>good(n=2)<tool_call|>", lenient=True)
    repairs = ("missing call:", "parentheses", "key=value")
    assert events == [Event("call", call=ToolCall("good", {"n": 2}, True, repairs))]
