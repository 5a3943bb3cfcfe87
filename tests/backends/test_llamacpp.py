"""The llama.cpp backend: one conversation or many, the same replies."""

import numpy as np
import pytest

from canvas.backends import Backend, LlamaCppBackend
from canvas.backends.turns import prompt_text
from canvas.gguf.export import export
from canvas.gguf.quantize import quantize
from canvas.llama import BATCH, Context
from canvas.tools import DECLARATIONS
from tests.checkpoints import SHAPES, build

TOOL = {"type": "function", "function": DECLARATIONS["canvas.get_todo"]}
REQUESTS = [
    ([{"role": "user", "content": f"What is due in {n} days? " * (1 + n % 4)}], [TOOL][: n % 2])
    for n in range(12)
]


@pytest.fixture(scope="module")
def files(nano_model, tmp_path_factory):
    folder = tmp_path_factory.mktemp("gguf")
    for name, window in (("f16", 512), ("narrow", 64)):
        shape = SHAPES["nano"] | {"sliding_window": window}
        build(folder / name, nano_model, shape, "float32")
        export(folder / name, folder / name, folder / f"{name}.gguf", "test")
    quantize(folder / "f16.gguf", folder / "Q4_K_M.gguf", "Q4_K_M")
    return folder


@pytest.fixture
def backend(files):
    return LlamaCppBackend(files / "f16.gguf", context=512)


def continued(requests, replies):
    """The requests of the next turn, after the user said something more."""
    return [
        (
            [
                *messages,
                {"role": "assistant", "content": reply.raw},
                {"role": "user", "content": "And?"},
            ],
            tools,
        )
        for (messages, tools), reply in zip(requests, replies, strict=True)
    ]


def two_turns(path, size, **options):
    """Raw replies of two turns of each conversation, asked in groups of `size`."""
    backend, found = LlamaCppBackend(path, context=512, **options), []
    for start in range(0, len(REQUESTS), size):
        group = REQUESTS[start : start + size]
        first = backend.chat_many(group, max_tokens=12)
        second = backend.chat_many(continued(group, first), max_tokens=12)
        found += [(a.raw, b.raw) for a, b in zip(first, second, strict=True)]
    return found


@pytest.mark.parametrize("kind", ["f16", "Q4_K_M"])
def test_replies_do_not_depend_on_the_batch(kind, files):
    together = two_turns(files / f"{kind}.gguf", len(REQUESTS))
    assert two_turns(files / f"{kind}.gguf", 1) == together
    assert two_turns(files / f"{kind}.gguf", 5, threads=1) == together
    assert len(set(together)) > 1


def test_chat_is_chat_many_of_one(backend):
    many = backend.chat_many(REQUESTS[:3], max_tokens=8)
    assert backend.chat(*REQUESTS[1], max_tokens=8) == many[1]


def talk(request, turns):
    """A conversation of so many turns; returns what was said."""
    said = []
    for _ in range(turns):
        reply = yield request
        said.append(reply.raw)
        (request,) = continued([request], [reply])
    return said


def talks():
    return [talk(request, n % 4) for n, request in enumerate(REQUESTS)]


@pytest.mark.parametrize("kind", ["f16", "Q4_K_M", "narrow"])
def test_conversations_do_not_depend_on_each_other(kind, files):
    together = LlamaCppBackend(files / f"{kind}.gguf", context=512).converse(talks(), max_tokens=12)
    assert [len(said) for said in together] == [n % 4 for n in range(len(REQUESTS))]
    alone = LlamaCppBackend(files / f"{kind}.gguf", context=512, threads=1)
    assert [alone.converse([one], max_tokens=12)[0] for one in talks()] == together


@pytest.mark.parametrize("kind", ["f16", "Q4_K_M"])
def test_conversations_go_the_same_way_in_lockstep(kind, files):
    backend = LlamaCppBackend(files / f"{kind}.gguf", context=512)
    together = backend.converse(talks(), max_tokens=12)
    assert Backend.converse(backend, talks(), max_tokens=12) == together


@pytest.fixture
def filled(monkeypatch):
    """How many tokens each later call of `Context.fill` is given."""
    counts, fill = [], Context.fill

    def counting(self, sequence, tokens, start=0):
        counts.append(len(tokens))
        fill(self, sequence, tokens, start)

    monkeypatch.setattr(Context, "fill", counting)
    return counts


def test_the_next_turn_runs_only_what_is_new(backend, filled):
    first = backend.chat_many(REQUESTS, max_tokens=8)
    filled.clear()
    second = backend.chat_many(continued(REQUESTS, first), max_tokens=8)
    for before, after in zip(first, second, strict=True):
        assert after.prompt_tokens > before.prompt_tokens
    new = sum(r.prompt_tokens for r in second) - sum(r.prompt_tokens for r in first)
    assert sum(filled) <= new


def test_a_prompt_that_is_asked_again_is_not_run_again_and_draws_the_same(backend, filled):
    first = backend.chat_many(REQUESTS, temperature=1.0, seed=1, max_tokens=8)
    other = backend.chat_many(continued(REQUESTS, first), max_tokens=8)
    filled.clear()
    assert backend.chat_many(REQUESTS, temperature=1.0, seed=1, max_tokens=8) == first
    assert sum(filled) == 0
    assert backend.chat_many(continued(REQUESTS, first), max_tokens=8) == other


def test_what_slid_out_of_the_window_is_run_again(files, filled):
    backend = LlamaCppBackend(files / "narrow.gguf", context=512)
    first = backend.chat_many(REQUESTS, max_tokens=8)
    filled.clear()
    assert backend.chat_many(REQUESTS, max_tokens=8) == first
    long = [reply.prompt_tokens - 1 for reply in first if reply.prompt_tokens > 64]
    assert sum(filled) == sum(long) > 0


def test_more_conversations_than_shelves_still_get_replies(files):
    few = LlamaCppBackend(files / "f16.gguf", context=512, kept=4)
    replies = few.chat_many(REQUESTS, max_tokens=8)
    again = few.chat_many(continued(REQUESTS, replies), max_tokens=8)
    expected = [first for first, _ in two_turns(files / "f16.gguf", len(REQUESTS))]
    assert all(raw.startswith(r.raw) for raw, r in zip(expected, replies, strict=True))
    assert {reply.finish for reply in again} <= {"stop", "length"}


def test_as_many_lanes_as_a_batch_has_tokens(files):
    wide = LlamaCppBackend(files / "f16.gguf", threads=1, context=256, lanes=BATCH)
    replies = wide.chat_many((REQUESTS * BATCH)[: BATCH + 1], max_tokens=2)
    assert {reply.finish for reply in replies} <= {"stop", "length"}
    assert replies[-1] == replies[BATCH % len(REQUESTS)]


def test_prompts_are_the_rendered_chat(backend, nano_model):
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(nano_model)
    for request, reply in zip(REQUESTS, backend.chat_many(REQUESTS, max_tokens=1), strict=True):
        ids = tokenizer.encode(prompt_text(*request), add_special_tokens=False)
        assert reply.prompt_tokens == len(ids)
        assert backend.model.tokenize(prompt_text(*request)) == ids


def test_a_turn_is_cut_at_its_limit(backend):
    reply = backend.chat(*REQUESTS[0], max_tokens=5)
    assert (reply.finish, reply.completion_tokens) == ("length", 5)


def test_turns_stop_at_end_markers(backend):
    replies = backend.chat_many(REQUESTS, temperature=9.0, max_tokens=250)
    assert {reply.finish for reply in replies} == {"stop", "length"}
    markers = ("<eos>", "<turn|>", "<|tool_response>")
    for reply in replies:
        body = reply.raw.removesuffix(next((m for m in markers if reply.raw.endswith(m)), ""))
        assert (body != reply.raw) is (reply.finish == "stop")
        assert not any(marker in body for marker in markers)


def test_samples_depend_on_the_seed_alone(backend):
    drawn = [
        [reply.raw for reply in backend.chat_many(group, temperature=1.0, seed=seed, max_tokens=6)]
        for group, seed in ((REQUESTS, 1), (REQUESTS[:2], 1), (REQUESTS, 2))
    ]
    assert drawn[0][:2] == drawn[1]
    assert drawn[0] != drawn[2]


def test_a_prompt_that_does_not_fit_is_an_error_reply_beside_good_ones(backend):
    long = ([{"role": "user", "content": "word " * 600}], [])
    good, bad, fine = backend.chat_many([REQUESTS[0], long, REQUESTS[2]], max_tokens=4)
    assert (bad.finish, bad.raw, bad.calls) == ("error", "", [])
    assert "512" in bad.content
    assert (good.finish, fine.finish) == ("length", "length")


def test_a_conversation_that_fills_the_context_is_cut(files):
    tight = LlamaCppBackend(files / "f16.gguf", context=256)
    size = tight.chat(*REQUESTS[0], max_tokens=1).prompt_tokens
    reply = tight.chat(*REQUESTS[0], max_tokens=1000)
    assert reply.finish == "length"
    assert size + reply.completion_tokens == 256


def test_no_requests_give_no_replies(backend):
    assert backend.chat_many([]) == []


def test_calls_are_read_from_the_text(backend, monkeypatch):
    call = "<|tool_call>call:canvas.get_todo{days:3}<tool_call|><|tool_response>"
    script = iter(backend.model.tokenize(call))
    monkeypatch.setattr("canvas.backends.lanes.Turn.draw", lambda turn, logits: next(script))
    reply = backend.chat(*REQUESTS[1])
    assert [(c.name, c.arguments, c.complete) for c in reply.calls] == [
        ("canvas.get_todo", {"days": 3}, True)
    ]
    assert (reply.raw, reply.finish, reply.content) == (call, "stop", "")


def test_lanes_change_no_reply_but_by_rounding(files):
    narrow, wide = (two_turns(files / "f16.gguf", 12, lanes=lanes) for lanes in (1, 8))
    same = np.mean([a == b for a, b in zip(narrow, wide, strict=True)])
    assert same > 0.5


def test_a_run_that_breaks_off_leaves_nothing_behind(backend, monkeypatch):
    expected = backend.chat_many(REQUESTS[:3], max_tokens=6)
    with monkeypatch.context() as broken:
        broken.setattr("canvas.backends.lanes.Turn.draw", lambda turn, logits: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            backend.chat_many(REQUESTS, max_tokens=6)
    assert backend.chat_many(REQUESTS[:3], max_tokens=6) == expected


def test_a_conversation_that_raises_ends_the_run(backend):
    def broken():
        yield REQUESTS[0]
        raise ValueError("the tool broke")

    def fine():
        for request in REQUESTS[:2]:
            assert (yield request).raw

    expected = backend.chat_many(REQUESTS[:3], max_tokens=6)
    with pytest.raises(ValueError, match="the tool broke"):
        backend.converse([fine(), broken(), fine()], max_tokens=6)
    assert backend.chat_many(REQUESTS[:3], max_tokens=6) == expected
