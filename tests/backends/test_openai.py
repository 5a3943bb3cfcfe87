"""The backend of OpenAI-compatible servers, against a scripted one that shows what it was sent."""

import time

import pytest

from canvas.agent import call_message, result_message
from canvas.backends import OpenAIBackend
from canvas.backends.failure import EndpointError
from canvas.backends.turns import prompt_text
from canvas.io import BadInput
from canvas.toolcall import ToolCall, render_call
from canvas.tools import DECLARATIONS
from tests.servers import answer, events, said

TOOL = {"type": "function", "function": DECLARATIONS["canvas.get_todo"]}
HELLO = [{"role": "user", "content": "Hello"}]
HISTORY = [
    *HELLO,
    call_message([("canvas.get_todo", {"days": 3})], first=1),
    result_message("canvas.get_todo", "{}", 1),
]
FULL = {"error": {"message": "maximum context length is 9 tokens", "code": 400}}


def completion(text, prompt_tokens=2, finish="stop"):
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": 1}
    return answer({"choices": [{"text": text, "finish_reason": finish}], "usage": usage})


@pytest.fixture
def backend(server):
    with OpenAIBackend(server.url, retries=1, backoff=0.01, timeout=5) as made:
        yield made


def served_by(server, owner, **more):
    server.models = [{"id": "nano", "owned_by": owner, **more}]
    return server


class TestChat:
    def test_the_history_is_handed_over_structured(self, server, backend):
        server.play(answer(said("Nothing.")))
        reply = backend.chat(HISTORY, [TOOL], temperature=0.5, seed=3, max_tokens=9)
        assert (reply.content, reply.prompt_tokens) == ("Nothing.", 7)
        asked = server.posts[0]
        assert asked["path"] == "/v1/chat/completions"
        call = {**HISTORY[1]["tool_calls"][0]}
        call["function"] = {"name": "canvas.get_todo", "arguments": '{"days":3}'}
        assert asked["body"] == {
            "model": "nano",
            "messages": [HISTORY[0], {**HISTORY[1], "tool_calls": [call]}, HISTORY[2]],
            "tools": [TOOL],
            "temperature": 0.5,
            "seed": 3,
            "max_tokens": 9,
        }

    def test_without_tools_none_are_declared(self, server, backend):
        server.play(answer(said("Hi")))
        backend.chat(HELLO, [])
        assert "tools" not in server.posts[0]["body"]

    def test_parsed_calls_come_back(self, server, backend):
        call = {"id": "x", "function": {"name": "canvas.get_todo", "arguments": '{"days": 3}'}}
        server.play(answer(said(None, "tool_calls", tool_calls=[call])))
        assert backend.chat(HELLO, [TOOL]).calls == [ToolCall("canvas.get_todo", {"days": 3})]

    def test_vllm_is_told_to_keep_markers(self, server, backend):
        served_by(server, "vllm", max_model_len=64).play(answer(said("Hi")))
        backend.chat(HELLO, [], max_tokens=500)
        body = server.posts[0]["body"]
        assert body["skip_special_tokens"] is False
        assert body["max_tokens"] == 64
        assert body["chat_template_kwargs"]["enable_thinking"] is False

    def test_extra_goes_over_the_dialect(self, server):
        served_by(server, "llamacpp").play(answer(said("Hi")))
        OpenAIBackend(server.url, extra={"top_k": 5, "user": "me"}).chat(HELLO, [])
        body = server.posts[0]["body"]
        assert (body["top_k"], body["user"], body["repeat_penalty"]) == (5, "me", 1.0)

    def test_unknown_sampling_keys_are_refused(self, backend):
        with pytest.raises(TypeError, match="top_q"):
            backend.chat(HELLO, [], top_q=1)

    def test_an_answer_that_is_none(self, server, backend):
        server.play(answer({"choices": []}))
        with pytest.raises(EndpointError, match="without choices"):
            backend.chat(HELLO, [])

    def test_a_server_whose_chat_loses_calls_is_not_given_any(self, server):
        served_by(server, "me").play(answer(said("Hi")))
        backend = OpenAIBackend(server.url, mode="chat")
        assert backend.chat(HELLO, []).content == "Hi"
        with pytest.raises(EndpointError, match=r"llama_cpp\.server loses calls.*mode raw"):
            backend.chat(HISTORY, [TOOL])


class TestModels:
    def test_the_only_model_is_taken(self, server, backend):
        server.play(answer(said("Hi")))
        backend.chat(HELLO, [])
        backend.chat(HELLO, [])
        assert [asked["path"] for asked in server.asked if asked["method"] == "GET"] == [
            "/v1/models"
        ]

    @pytest.mark.parametrize("names", [[], ["a", "b"]])
    def test_else_it_must_be_named(self, names, server, backend):
        server.models = [{"id": name} for name in names]
        listed = ", ".join(names) or "none"
        with pytest.raises(EndpointError, match=rf"models: {listed}\. To do: name"):
            backend.chat(HELLO, [])

    def test_a_model_that_is_not_there_names_those_that_are(self, server):
        missing = {"error": {"message": "The model `x` does not exist"}}
        server.play(answer(missing, 404))
        with pytest.raises(EndpointError, match=r"`x` does not exist.*it has: nano"):
            OpenAIBackend(server.url, "x").chat(HELLO, [])

    def test_a_named_model_needs_no_list(self, server):
        server.list_models = answer({}, 404)
        server.play(answer(said("Hi")))
        assert OpenAIBackend(server.url, "x").chat(HELLO, []).content == "Hi"
        assert server.posts[0]["body"]["model"] == "x"

    def test_a_list_that_fails_otherwise_is_an_error(self, server):
        server.list_models = answer({"error": "out of order"}, 500)
        backend = OpenAIBackend(server.url, "x", retries=0)
        with pytest.raises(EndpointError, match="out of order"):
            backend.chat(HELLO, [])


class TestRaw:
    @pytest.fixture
    def raw(self, server):
        return OpenAIBackend(server.url, mode="raw")

    @pytest.mark.parametrize("tokens", [2, 3])
    def test_the_prompt_is_ours_and_begins_with_one_bos(self, tokens, server, raw):
        server.play(completion("", tokens), completion(render_call("canvas.get_todo", {"days": 3})))
        reply = raw.chat(HISTORY, [TOOL])
        assert reply.calls == [ToolCall("canvas.get_todo", {"days": 3})]
        probe, asked = server.posts
        assert probe["body"]["prompt"] == "<bos><|turn>"
        assert asked["path"] == "/v1/completions"
        prompt = prompt_text(HISTORY, [TOOL])
        assert asked["body"]["prompt"] == (prompt if tokens == 2 else prompt.removeprefix("<bos>"))
        assert "messages" not in asked["body"]

    def test_a_server_that_reads_markers_as_text_is_refused(self, server, raw):
        server.play(completion("", 9))
        with pytest.raises(EndpointError, match=r"counts 9 tokens in <bos><\|turn>.*mode chat"):
            raw.chat(HELLO, [])

    def test_a_cut_call_is_not_whole(self, server, raw):
        server.play(completion(""), completion("<|tool_call>call:a{x:", finish="length"))
        reply = raw.chat(HELLO, [TOOL])
        assert (reply.finish, reply.calls[0].complete) == ("length", False)

    def test_lenient_reading_says_what_it_mended(self, server):
        server.play(completion(""), completion("<|tool_call>a(x=1)<tool_call|>"))
        reply = OpenAIBackend(server.url, mode="raw", lenient=True).chat(HELLO, [TOOL])
        assert reply.calls[0].complete
        assert reply.calls[0].repairs

    def test_auto_is_raw_where_chat_loses_calls(self, server, backend):
        served_by(server, "me").play(completion(""), completion("Hi"))
        assert backend.mode == "raw"
        assert backend.chat(HELLO, []).content == "Hi"

    @pytest.mark.parametrize("owner", ["vllm", "llamacpp", "library", "openai"])
    def test_and_chat_elsewhere(self, owner, server, backend):
        served_by(server, owner)
        assert backend.mode == "chat"

    def test_other_modes_are_refused(self, server):
        with pytest.raises(BadInput, match="use one of: auto, chat, raw"):
            OpenAIBackend(server.url, mode="row")


class TestMany:
    def test_replies_are_in_order_and_few_at_a_time(self, server):
        def slow(handler):
            time.sleep(0.05)
            echo(handler)

        def echo(handler):
            last = handler.body["messages"][-1]["content"]
            answer(said(last))(handler)

        server.play(slow)
        requests = [([{"role": "user", "content": str(n)}], []) for n in range(12)]
        backend = OpenAIBackend(server.url, concurrency=4)
        assert [r.content for r in backend.chat_many(requests)] == [str(n) for n in range(12)]
        assert 2 <= server.most <= 4
        assert sum(asked["method"] == "GET" for asked in server.asked) == 1

    def test_a_prompt_that_does_not_fit_costs_no_other_reply(self, server, backend):
        def act(handler):
            long = len(handler.body["messages"][0]["content"]) > 100
            (answer(FULL, 400) if long else answer(said("Hi")))(handler)

        server.play(act)
        long = [{"role": "user", "content": "word " * 100}]
        good, bad, fine = backend.chat_many([(HELLO, []), (long, []), (HELLO, [])])
        assert (good.content, fine.content) == ("Hi", "Hi")
        assert (bad.finish, bad.raw, bad.calls) == ("error", "", [])
        assert "context length" in bad.content

    def test_what_no_request_can_mend_stops_them_all(self, server):
        server.play(answer({"error": "no"}, 401))
        backend = OpenAIBackend(server.url, concurrency=2)
        with pytest.raises(EndpointError, match="wants a key"):
            backend.chat_many([(HELLO, [])] * 50)
        assert len(server.posts) < 10

    def test_none(self, server, backend):
        assert backend.chat_many([]) == backend.converse([]) == []
        assert server.asked == []

    def test_an_error_is_not_kept_waiting_by_other_requests(self, server):
        def act(handler):
            last = handler.body["messages"][-1]["content"]
            time.sleep(0.3 if last == "0" else 0)
            (answer({"error": "no"}, 401) if last == "1" else answer(said("Hi")))(handler)

        server.play(act)
        requests = [([{"role": "user", "content": str(n)}], []) for n in range(40)]
        with pytest.raises(EndpointError, match="wants a key"):
            OpenAIBackend(server.url, concurrency=2).chat_many(requests)
        assert len(server.posts) < 40


def counting(limit):
    """A conversation that repeats what it is told, `limit` times, and returns all replies."""
    told = []
    while len(told) < limit:
        reply = yield [{"role": "user", "content": f"{limit}/{len(told)}"}], []
        told.append(reply.content)
    return told


class TestConversations:
    def test_each_goes_on_as_its_replies_come(self, server):
        def slow(handler):
            last = handler.body["messages"][-1]["content"]
            time.sleep(0.05 if last.startswith("3/") else 0)
            answer(said(last))(handler)

        server.play(slow)
        backend = OpenAIBackend(server.url, concurrency=4)
        limits = [3, 0, 1, 5, 2, 3]
        found = backend.converse([counting(limit) for limit in limits])
        assert found == [[f"{limit}/{n}" for n in range(limit)] for limit in limits]
        assert 2 <= server.most <= 4

    def test_an_error_ends_them_all(self, server):
        def act(handler):
            bad = handler.body["messages"][-1]["content"] == "7/3"
            time.sleep(0 if bad else 0.02)
            (answer({"error": "no"}, 401) if bad else answer(said("Hi")))(handler)

        server.play(act)
        with pytest.raises(EndpointError, match="wants a key"):
            OpenAIBackend(server.url, concurrency=2).converse([counting(500), counting(7)])
        assert len(server.posts) < 20


class TestStream:
    @staticmethod
    def piece(finish=None, **delta):
        return {"choices": [{"delta": delta, "finish_reason": finish}]}

    def test_pieces_and_then_the_reply(self, server, backend):
        piece, usage = self.piece, {"usage": {"prompt_tokens": 7, "completion_tokens": 3}}
        server.play(events(piece(content="Hel"), piece(content="lo"), piece("stop"), usage))
        *pieces, reply = backend.stream(HELLO, [TOOL])
        assert pieces == ["Hel", "lo"]
        server.play(answer(said("Hello")))
        assert reply == backend.chat(HELLO, [TOOL])
        first, second = (asked["body"] for asked in server.posts)
        assert first == {**second, "stream": True, "stream_options": {"include_usage": True}}

    def test_calls_are_not_shown(self, server, backend):
        text = "Look." + render_call("a", {"x": 1})
        server.play(events(*(self.piece(content=c) for c in text), self.piece("stop")))
        *pieces, reply = backend.stream(HELLO, [TOOL])
        assert "".join(pieces) == "Look."
        assert reply.calls == [ToolCall("a", {"x": 1})]

    def test_a_prompt_that_does_not_fit(self, server, backend):
        server.play(answer(FULL, 400))
        (reply,) = backend.stream(HELLO, [])
        assert reply.finish == "error"

    def test_a_stream_that_ends_too_early_is_an_error(self, server, backend):
        server.play(events(self.piece(content="Hel"), last=""))
        stream = backend.stream(HELLO, [])
        assert next(stream) == "Hel"
        with pytest.raises(EndpointError, match="ended before the turn"):
            next(stream)

    def test_an_empty_stream_is_asked_why(self, server, backend):
        server.play(events(last=""), answer(FULL, 400))
        (reply,) = backend.stream(HELLO, [])
        assert (reply.finish, "context length" in reply.content) == ("error", True)

    def test_backends_that_cannot_stream_give_it_all_at_once(self):
        from canvas.backends.scripted import ScriptedBackend

        def plan():
            return "Hello"
            yield

        backend = ScriptedBackend(lambda _: plan())
        assert list(backend.stream(HELLO, [])) == ["Hello", backend.chat(HELLO, [])]
