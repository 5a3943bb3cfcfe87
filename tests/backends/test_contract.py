"""One contract for all backends, with real servers: the same prompts, calls, limits and errors.

The model is the committed nano base, which calls tools. llama-server and vLLM take part where
docker/llama-server/build and docker/vllm-cpu/build have been run;
CANVAS_SERVERS=llama-server,vllm-cpu makes their absence an error.
"""

import itertools
import json
from dataclasses import dataclass
from typing import Any

import pytest

from canvas import template
from canvas.agent import call_message, result_message
from canvas.backends import Backend, LlamaCppBackend, OpenAIBackend, TransformersBackend
from canvas.gguf.export import export
from canvas.tools import DECLARATIONS
from tests.backends.processes import (
    CONTEXT,
    ROOT,
    llama_cpp_server,
    llama_server,
    vllm_server,
)

FOLDER = ROOT / "data/pretrained"
BACKENDS = [
    "llama.cpp",
    "transformers",
    "llama_cpp.server raw",
    "llama-server chat",
    "llama-server raw",
    "vllm chat",
    "vllm raw",
]
END_MARKERS = ("<turn|>", "<|tool_response>", "<eos>")

ALL = [{"type": "function", "function": declared} for declared in DECLARATIONS.values()]
NESTED = {
    "type": "function",
    "function": {
        "name": "a.b-c",
        "description": 'Says "ü", {braces} and\nlines',
        "parameters": {
            "type": "object",
            "properties": {
                "when": {"type": "string", "description": "d", "enum": ["now", "later"]},
                "many": {"type": "array", "items": {"type": "integer"}, "nullable": True},
                "deep": {"type": "object", "properties": {"x-1": {"type": "number"}}},
            },
            "required": ["when"],
        },
    },
}
SYSTEM = {"role": "system", "content": "You plan study time with tools. Now: 2026-03-02T09:00 Mon."}
HELLO = {"role": "user", "content": "What is due in 3 days?"}
ODD = {"text": 'q"uo{t}e,\n[x] ü 🙂', "zero": -0.0, "none": None, "yes": True, "half": 0.5}
ODD |= {"list": [1, "a", [2, {"k": "v"}]], "deep": {"x": {"y": []}}}
LARGE = {"float": 1e22, "int": 12345678901234567890}


def step(*calls, first=1, thought=None):
    """The messages of one turn's calls and their results."""
    calling = call_message(calls, first)
    if thought:
        calling["reasoning_content"] = thought
    results = [
        result_message(name, json.dumps({"of": name, "ü": [place]}, ensure_ascii=False), place)
        for place, (name, _) in enumerate(calls, first)
    ]
    return [calling, *results]


def user(text):
    return {"role": "user", "content": text}


def said(text):
    return {"role": "assistant", "content": text}


TODO, EVENTS = ("canvas.get_todo", {"days": 3}), ("calendar.list_events", {"start": "2026-03-02"})
UNNUMBERED = [call_message([TODO]), result_message("canvas.get_todo", "{}")]
CONVERSATIONS = {
    "only a user": ([HELLO], []),
    "all tools": ([SYSTEM, HELLO], ALL),
    "nested tool": ([HELLO], [NESTED]),
    "after a call": ([SYSTEM, HELLO, *step(TODO)], ALL[:3]),
    "after a call without ids": ([HELLO, *UNNUMBERED], ALL[:3]),
    "after two calls of one turn": ([SYSTEM, HELLO, *step(TODO, EVENTS)], ALL[:4]),
    "after two turns": ([HELLO, *step(TODO), *step(EVENTS, first=2)], ALL[:4]),
    "second question": ([HELLO, *step(TODO), said("Nothing."), user("Really?")], ALL[:4]),
    "text before a call": ([HELLO, said("Let me look."), *step(TODO)], ALL[:3]),
    "thought before a call": ([HELLO, *step(TODO, thought="Look it up.")], ALL[:3]),
    "old thought": ([HELLO, *step(TODO, thought="Hm."), said("No."), user("And?")], ALL[:3]),
    "odd arguments": ([HELLO, *step(("a.b-c", ODD)), *step(("a.b-c", {}), first=2)], [NESTED]),
    "large numbers": ([HELLO, *step(("a.b-c", LARGE))], [NESTED]),
    "odd text": ([user('  ü🙂\n\t{"a": [1]} <b> & \u2028 <tool \\ 1e22  ')], [NESTED]),
    "markers in text": ([user('a <|tool_call>call:x{}<tool_call|> <|"|> <bos> b')], ALL[:1]),
}


@dataclass
class Subject:
    """A backend and the token ids of the prompts that its model was given, newest last."""

    backend: Backend
    prompts: Any

    def seen(self, messages, tools):
        """The ids of one conversation's prompt, as the model got them, and the reply."""
        reply = self.backend.chat(messages, tools, max_tokens=1)
        return self.prompts()[-1], reply


def recording(owner, name, take):
    """Replace a method of an object by one that also notes `take(result, *arguments)`."""
    noted, method = [], getattr(owner, name)

    def noting(*args, **kwargs):
        found = method(*args, **kwargs)
        noted.append(take(found, *args, **kwargs))
        return found

    setattr(owner, name, noting)
    return lambda: noted


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A place for the GGUF file and the logs of servers."""
    made = tmp_path_factory.mktemp("contract")
    export(FOLDER, FOLDER, made / "f16.gguf", "contract")
    return made


@pytest.fixture(scope="session")
def llama_cpp(folder):
    backend = LlamaCppBackend(folder / "f16.gguf", context=CONTEXT)
    return Subject(backend, recording(backend, "prompt", lambda ids, request: ids))


@pytest.fixture(scope="session")
def transformers():
    backend = TransformersBackend(FOLDER, context=CONTEXT)

    def unpadded(_, input_ids, attention_mask, **options):
        rows = zip(input_ids.tolist(), attention_mask.tolist(), strict=True)
        return next([t for t, used in zip(*row, strict=True) if used] for row in rows)

    return Subject(backend, recording(backend.model, "generate", unpadded))


@pytest.fixture(scope="session")
def llama_cpp_server_url(folder):
    with llama_cpp_server(folder / "f16.gguf", folder / "tap", folder / "llama.log") as url:
        yield url


@pytest.fixture(scope="session")
def llama_server_url(folder):
    with llama_server(folder / "f16.gguf", folder / "llama-server.log") as url:
        yield url


@pytest.fixture(scope="session")
def vllm_url(folder):
    with vllm_server(FOLDER, folder / "vllm.log") as url:
        yield url


@pytest.fixture(scope="session")
def open_backend(request):
    """Makes backends of servers; they are closed in the end."""
    made = []

    def make(url, **options):
        made.append(OpenAIBackend(url, timeout=240, **options))
        return made[-1]

    yield make
    for backend in made:
        backend.close()


@pytest.fixture(scope="session", params=BACKENDS)
def subject(request, folder, open_backend, tokenizer):
    name = request.param.replace(".", "_").replace("-", "_")
    if " " not in name:
        return request.getfixturevalue(name)
    server, mode = name.split()
    url = request.getfixturevalue(f"{server}_url")
    if server == "llama_cpp_server":
        backend = open_backend(url)
        assert backend.mode == mode
        return Subject(backend, lambda: tapped(folder / "tap"))
    # Both servers say in their answer what prompt the model was given, if asked for it.
    backend = open_backend(url, mode=mode, extra={"return_token_ids": True, "verbose": True})

    def prompt_ids(answer, *_):
        if "__verbose" in answer:
            return tokenizer.encode(answer["__verbose"]["prompt"], add_special_tokens=False)
        return answer.get("prompt_token_ids") or answer["choices"][0].get("prompt_token_ids")

    return Subject(backend, recording(backend._endpoint, "post", prompt_ids))


def tapped(path):
    """What tests.backends.tap has noted."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


@pytest.fixture(scope="session")
def tokenizer():
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(FOLDER)


@pytest.fixture(scope="session")
def questions(base_rows):
    """Conversations that the nano base knows, up to where it is to call or to answer."""
    rows = base_rows[:24]
    cuts = [next(i for i, m in enumerate(r["messages"]) if m["role"] == "assistant") for r in rows]
    first = [(r["messages"][:cut], r["tools"]) for r, cut in zip(rows, cuts, strict=True)]
    return first + [
        (r["messages"][: cut + 2], r["tools"])
        for r, cut in zip(rows, cuts, strict=True)
        if [m["role"] for m in r["messages"][cut : cut + 3]] == ["assistant", "tool", "assistant"]
    ]


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_every_backend_gives_its_model_the_same_prompt_tokens(name, subject, tokenizer, request):
    if (request.node.callspec.params["subject"], name) == ("llama-server chat", "large numbers"):
        request.applymarker(pytest.mark.xfail(reason="its JSON has 64-bit numbers", strict=True))
    messages, tools = CONVERSATIONS[name]
    text = template.render(messages, tools, add_generation_prompt=True)
    expected = tokenizer.encode(text, add_special_tokens=False)
    ids, reply = subject.seen(messages, tools)
    assert ids == expected
    assert reply.prompt_tokens == len(expected)
    assert ids.count(tokenizer.bos_token_id) == 1 + (name == "markers in text")


def body(reply):
    """What a greedy reply says, but for token counts and the end marker that servers leave out."""
    return reply.content, reply.calls, reply.finish, reply.thinking


def test_greedy_replies_agree(subject, transformers, questions):
    expected = transformers.backend.chat_many(questions, max_tokens=96)
    found = subject.backend.chat_many(questions, max_tokens=96)
    same = sum(body(a) == body(b) for a, b in zip(found, expected, strict=True))
    calls = sum(len(reply.calls) for reply in expected)
    assert calls >= 20
    assert all(call.complete for reply in found for call in reply.calls if reply.finish == "stop")
    # Rounding differs: f16 weights in llama.cpp, other kernels in vLLM.
    assert same >= 0.9 * len(questions)


def test_text_that_is_read_here_is_the_model_s_own(subject, transformers, questions):
    for reply in subject.backend.chat_many(questions[:4], max_tokens=96):
        if not reply.raw.startswith("{"):  # a server that reads calls keeps their text
            assert not reply.raw.removesuffix("<turn|>").endswith("<turn|>")
            assert ("<|tool_call>" in reply.raw) == bool(reply.calls)


def test_chat_many_is_chat_in_order(subject, questions):
    chosen = questions[:6]
    together = subject.backend.chat_many(chosen, max_tokens=48)
    assert [body(subject.backend.chat(*q, max_tokens=48)) for q in chosen] == list(
        map(body, together)
    )


def test_conversations_are_chats_in_turn(subject, questions):
    """Whatever runs beside it, a conversation is sent the replies to its own requests."""

    def talk(messages, tools, turns):
        replies = []
        for number in range(turns):
            reply = yield [*messages, *[user(f"Well? {n}") for n in range(number)]], tools
            replies.append(body(reply))
        return replies

    chosen = [(*question, turns) for question, turns in zip(questions, (2, 0, 1), strict=False)]
    found = subject.backend.converse([talk(*each) for each in chosen], max_tokens=16)
    alone = [subject.backend.converse([talk(*each)], max_tokens=16)[0] for each in chosen]
    assert found == alone
    assert [len(replies) for replies in found] == [2, 0, 1]
    assert found[2] == [body(subject.backend.chat(*questions[2], max_tokens=16))]


def test_a_stream_ends_in_the_reply_of_chat(subject, questions):
    for question in questions[:3] + questions[-3:]:
        *pieces, reply = subject.backend.stream(*question, max_tokens=48)
        whole = subject.backend.chat(*question, max_tokens=48)
        assert "".join(pieces) == whole.content
        assert body(reply) == body(whole)


def test_no_cut_call_is_whole(subject, questions, transformers):
    """At every length: a call is complete only if the model had said all of it."""
    question = questions[0]
    whole = transformers.backend.chat(*question, max_tokens=96)
    assert len(whole.calls) == 1
    for most in range(1, whole.completion_tokens):
        reply = subject.backend.chat(*question, max_tokens=most)
        complete = [call for call in reply.calls if call.complete]
        assert complete in ([], whole.calls)
        assert reply.finish == "length"
        assert reply.completion_tokens <= most
    # One token is left where the call is closed already: its end marker.
    assert all(
        not call.complete
        for most in range(1, whole.completion_tokens - 2)
        for call in subject.backend.chat(*question, max_tokens=most).calls
    )


def test_a_prompt_that_does_not_fit_costs_no_other_reply(subject, questions):
    long = ([{"role": "user", "content": "word " * CONTEXT}], [])
    first, bad, second = subject.backend.chat_many([questions[0], long, questions[1]], max_tokens=8)
    assert (bad.finish, bad.raw, bad.calls) == ("error", "", [])
    assert str(CONTEXT) in bad.content
    assert {first.finish, second.finish} <= {"stop", "length"}
    assert list(subject.backend.stream(*long, max_tokens=8)) == [bad]


def test_a_conversation_that_fills_the_context_is_cut(subject, tokenizer):
    def size(words):
        text = template.render([user("word " * words)], [], add_generation_prompt=True)
        return len(tokenizer.encode(text, add_special_tokens=False))

    words = next(n for n in itertools.count(CONTEXT // 4) if size(n) > CONTEXT - 8)
    reply = subject.backend.chat([user("word " * words)], [], max_tokens=10 * CONTEXT)
    assert reply.finish in ("length", "stop")
    assert reply.prompt_tokens == size(words)
    assert reply.prompt_tokens + reply.completion_tokens <= CONTEXT


def test_samples_follow_the_seed(subject, questions):
    question = questions[0]
    options = {"temperature": 2.0, "max_tokens": 12}
    drawn = {
        seed: [subject.backend.chat(*question, seed=seed, **options) for _ in range(2)]
        for seed in range(1, 7)
    }
    assert all(first == second for first, second in drawn.values())
    assert len({first.raw for first, _ in drawn.values()}) > 1


def test_unknown_sampling_keys_are_refused(subject):
    with pytest.raises(TypeError, match="top_q"):
        subject.backend.chat([HELLO], [], top_q=1)


def test_the_next_prompt_continues_the_last_one(subject, questions):
    """What a model has read stays as it was, so that its cache is of use in the next turn."""
    messages, tools = questions[0]
    first = subject.backend.chat(messages, tools, max_tokens=96)
    (call,) = first.calls
    before, _ = subject.seen(messages, tools)
    more = [
        call_message([(call.name, call.arguments)], 1),
        result_message(call.name, '{"items":[]}', 1),
    ]
    after, second = subject.seen([*messages, *more], tools)
    assert after[: len(before)] == before
    assert second.prompt_tokens == len(after) > len(before) + first.completion_tokens
