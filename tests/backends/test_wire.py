"""Chats on the wire: what is sent, and what is read from answers, whole or streamed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas.agent import call_message, result_message
from canvas.backends.assembly import Assembly
from canvas.backends.wire import Limits, messages_out, read_chat, read_text
from canvas.toolcall import ToolCall, render_call

LIMITS = Limits(100)
ARGUMENTS = {"days": 3, "name": "ü", "rate": 1e22, "none": None, "deep": {"a": [1, {"b": -0.0}]}}


def chat(content="", finish="stop", made=5, **message):
    return {
        "choices": [{"message": {"content": content, **message}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 50, "completion_tokens": made},
    }


def called(*calls):
    return [
        {"id": f"x{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for place, (name, arguments) in enumerate(calls)
    ]


class TestMessagesOut:
    def test_arguments_travel_as_json_text(self):
        call = call_message([("a.b", ARGUMENTS)], first=1)
        sent = messages_out([call])[0]["tool_calls"][0]["function"]
        assert sent["name"] == "a.b"
        assert json.loads(sent["arguments"]) == ARGUMENTS
        assert "ü" in sent["arguments"]

    def test_or_as_objects_where_a_server_wants_them(self):
        call = call_message([("a", ARGUMENTS)], first=1)
        once = messages_out(messages_out([call]), arguments_as_text=False)
        assert once == [call]

    def test_missing_ids_are_given_and_results_belong_to_calls_in_order(self):
        two = call_message([("a", {}), ("b", {})], first=7)
        for call in two["tool_calls"]:
            del call["id"]
        messages = [
            {"role": "user", "content": "Hi"},
            call_message([("z", {})]),
            result_message("z", "0"),
            two,
            result_message("a", "1"),
            result_message("b", "2"),
        ]
        sent = messages_out(messages)
        ids = [[call["id"] for call in m["tool_calls"]] for m in sent if "tool_calls" in m]
        assert ids == [["call_1"], ["call_2", "call_3"]]
        assert [m["tool_call_id"] for m in sent if m["role"] == "tool"] == [
            "call_1",
            "call_2",
            "call_3",
        ]

    def test_ids_that_are_there_stay(self):
        messages = [call_message([("a", {})], first=9), result_message("a", "1", 9)]
        assert messages_out(messages)[1]["tool_call_id"] == "call_9"
        assert messages_out(messages)[0]["tool_calls"][0]["id"] == "call_9"

    def test_the_history_itself_is_not_changed(self):
        messages = [call_message([("a", {"x": 1})]), result_message("a", "1")]
        before = json.dumps(messages)
        messages_out(messages)
        assert json.dumps(messages) == before


class TestReadChat:
    def test_text(self):
        reply = read_chat(chat(" Hello. "), LIMITS)
        assert (reply.content, reply.calls, reply.finish) == ("Hello.", [], "stop")
        assert (reply.prompt_tokens, reply.completion_tokens) == (50, 5)

    def test_calls_that_the_server_read(self):
        calls = called(("a.b", json.dumps(ARGUMENTS)), ("c", ""), ("d", {"x": 1}))
        reply = read_chat(chat(None, "tool_calls", tool_calls=calls), LIMITS)
        assert reply.calls == [ToolCall("a.b", ARGUMENTS), ToolCall("c"), ToolCall("d", {"x": 1})]
        assert (reply.content, reply.finish) == ("", "stop")
        assert json.loads(reply.raw)["tool_calls"][0]["name"] == "a.b"
        assert "x0" not in reply.raw

    def test_calls_that_it_left_in_the_text(self):
        raw = "<|channel>thought\nHm.\n<channel|>Look:" + render_call("a.b", {"x": 1})
        reply = read_chat(chat(raw), LIMITS)
        assert reply.calls == [ToolCall("a.b", {"x": 1})]
        assert (reply.content, reply.thinking, reply.raw) == ("Look:", "Hm.", raw)

    @pytest.mark.parametrize(
        "arguments", ['{"a": 1', "[1]", "null", "7", '{"a": NaN}', "{'a': 1}", "[" * 10**5]
    )
    def test_arguments_that_are_no_json_object_are_a_broken_call(self, arguments):
        reply = read_chat(chat("", "tool_calls", tool_calls=called(("a", arguments))), LIMITS)
        assert reply.calls == [ToolCall("a", {}, complete=False)]

    def test_a_call_without_a_name_is_broken(self):
        reply = read_chat(chat("", "tool_calls", tool_calls=called(("", "{}"))), LIMITS)
        assert not reply.calls[0].complete

    @pytest.mark.parametrize(
        ("finish", "made", "window"), [("length", 5, None), ("tool_calls", 100, None)]
    )
    def test_the_last_call_of_a_cut_turn_is_never_whole(self, finish, made, window):
        """vLLM 0.32 hands on `call:canvas.get_` as a whole call of that name."""
        calls = called(("canvas.get_todo", "{}"), ("canvas.get_", "{}"))
        answer = chat(None, finish, made, tool_calls=calls)
        reply = read_chat(answer, Limits(100, window))
        assert [call.complete for call in reply.calls] == [True, False]
        assert reply.finish == "length"

    def test_a_full_context_cuts_as_well(self):
        answer = chat(None, "tool_calls", 14, tool_calls=called(("canvas.get_", "{}")))
        assert not read_chat(answer, Limits(100, window=64)).calls[0].complete
        assert read_chat(answer, Limits(100, window=65)).calls[0].complete

    def test_a_broken_call_left_beside_read_ones_is_not_forgotten(self):
        answer = chat("<|tool_call>call:b{x:", "tool_calls", tool_calls=called(("a", '{"x": 1}')))
        assert [(c.name, c.complete) for c in read_chat(answer, LIMITS).calls] == [
            ("a", True),
            ("b", False),
        ]

    @pytest.mark.parametrize("key", ["reasoning", "reasoning_content"])
    def test_thoughts_that_the_server_read(self, key):
        reply = read_chat(chat("Hi", **{key: " Hm. "}), LIMITS)
        assert (reply.thinking, reply.content) == ("Hm.", "Hi")

    @pytest.mark.parametrize("finish", ["content_filter", "abort", None, "?"])
    def test_a_turn_broken_off_by_the_server_is_an_error(self, finish):
        answer = chat("Hal", finish, tool_calls=called(("a", "{}")))
        reply = read_chat(answer, LIMITS)
        assert (reply.finish, reply.calls, reply.raw) == ("error", [], "Hal")
        assert repr(finish) in reply.content

    @pytest.mark.parametrize(
        "answer",
        [
            {},
            {"choices": []},
            {"choices": {"a": 1}},
            {"choices": ["x"]},
            {"choices": "x"},
            {"choices": [{"message": {"content": [{"type": "text"}]}, "finish_reason": "stop"}]},
        ],
    )
    def test_what_is_no_answer_raises(self, answer):
        with pytest.raises(ValueError, match=r"choices|content"):
            read_chat(answer, LIMITS)

    def test_lenient_reading_names_its_repairs(self):
        raw = "<|tool_call>a(x=1)<tool_call|>"
        assert not read_chat(chat(raw), LIMITS).calls[0].complete
        mended = read_chat(chat(raw), LIMITS, lenient=True).calls[0]
        assert (mended.name, mended.arguments, mended.complete) == ("a", {"x": 1}, True)
        assert mended.repairs


def test_a_completion_is_read_like_local_text():
    raw = "Look." + render_call("a", {"x": "y"})
    answer = {"choices": [{"text": raw, "finish_reason": "length"}]}
    reply = read_text(answer)
    assert (reply.content, reply.calls, reply.finish) == (
        "Look.",
        [ToolCall("a", {"x": "y"})],
        "length",
    )
    assert (reply.raw, reply.prompt_tokens) == (raw, 0)


class TestAssembly:
    def together(self, *chunks):
        assembly = Assembly()
        return [assembly.add(chunk) for chunk in chunks], assembly

    @staticmethod
    def piece(finish=None, **delta):
        return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    def test_text_and_usage(self):
        piece, usage = self.piece, {"prompt_tokens": 9, "completion_tokens": 2}
        texts, assembly = self.together(
            piece(role="assistant", content=""),
            piece(content="Hel"),
            piece(content="lo", reasoning_content="Hm"),
            piece("stop"),
            {"choices": [], "usage": usage},
        )
        assert texts == ["", "Hel", "lo", "", ""]
        reply = read_chat(assembly.whole(), LIMITS)
        assert (reply.content, reply.thinking, reply.prompt_tokens) == ("Hello", "Hm", 9)
        assert assembly.begun
        assert assembly.ended

    def test_completions(self):
        chunks = [{"choices": [{"text": t, "finish_reason": None}]} for t in ("a", "b")]
        _, assembly = self.together(*chunks)
        assert not assembly.ended
        assembly.add({"choices": [{"text": "", "finish_reason": "length"}]})
        assert read_text(assembly.whole()).raw == "ab"

    @given(st.lists(st.integers(1, 20), min_size=1, max_size=30), st.integers(1, 3))
    def test_calls_in_any_pieces(self, sizes, count):
        text, pieces = json.dumps(ARGUMENTS), []
        for place in range(count):
            start = {"index": place, "id": f"c{place}", "function": {"name": f"t.{place}"}}
            pieces.append(self.piece(tool_calls=[start]))
            rest = text
            for size in [*sizes, len(text)]:
                part = {"index": place, "function": {"arguments": rest[:size]}}
                pieces.append(self.piece(tool_calls=[part]))
                rest = rest[size:]
        _, assembly = self.together(*pieces, self.piece("tool_calls"))
        reply = read_chat(assembly.whole(), LIMITS)
        assert reply.calls == [ToolCall(f"t.{place}", ARGUMENTS) for place in range(count)]

    def test_whole_calls_that_all_have_the_index_0(self):
        parts = [
            {"index": 0, "id": f"c{n}", "function": {"name": "t", "arguments": f'{{"n": {n}}}'}}
            for n in range(3)
        ]
        _, assembly = self.together(*(self.piece(tool_calls=[part]) for part in parts))
        assembly.add(self.piece("tool_calls"))
        found = read_chat(assembly.whole(), LIMITS).calls
        assert [call.arguments["n"] for call in found] == [0, 1, 2]

    def test_nothing_yet(self):
        assembly = Assembly()
        assert not assembly.begun
        assert not assembly.ended
