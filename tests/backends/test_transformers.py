"""The transformers backend: the same interface, the same prompts, the same greedy replies."""

import math

import pytest

from canvas.backends import LlamaCppBackend, TransformersBackend
from canvas.backends.transformers import _drawing
from canvas.gguf.export import export
from canvas.io import BadInput
from canvas.tools import DECLARATIONS

TOOL = {"type": "function", "function": DECLARATIONS["canvas.get_todo"]}
REQUESTS = [
    ([{"role": "user", "content": f"What is due in {n} days? " * (1 + n)}], [TOOL][: n % 2])
    for n in range(5)
]


@pytest.fixture(scope="module")
def backend(nano_model):
    return TransformersBackend(nano_model)


@pytest.fixture(scope="module")
def llama(nano_model, tmp_path_factory):
    path = tmp_path_factory.mktemp("gguf") / "f16.gguf"
    export(nano_model, nano_model, path, "test")
    return LlamaCppBackend(path, context=512)


def test_prompts_and_greedy_replies_are_those_of_llama_cpp(backend, llama):
    ours = backend.chat_many(REQUESTS, max_tokens=6)
    theirs = llama.chat_many(REQUESTS, max_tokens=6)
    for a, b in zip(ours, theirs, strict=True):
        assert a.prompt_tokens == b.prompt_tokens
    assert [reply.raw for reply in ours] == [reply.raw for reply in theirs]


def test_a_batch_answers_like_single_chats(backend):
    many = backend.chat_many(REQUESTS, max_tokens=6)
    assert [backend.chat(*request, max_tokens=6) for request in REQUESTS] == many


def test_prompt_ids_are_the_same(backend, llama):
    from canvas.backends.turns import prompt_text

    for request in REQUESTS:
        assert backend.prompt_ids(*request) == llama.model.tokenize(prompt_text(*request))


def test_samples_depend_on_the_seed_alone(backend):
    drawn = [
        [reply.raw for reply in backend.chat_many(group, temperature=1.0, seed=seed, max_tokens=4)]
        for group, seed in ((REQUESTS[:3], 1), (REQUESTS[:1], 1), (REQUESTS[:3], 2))
    ]
    assert drawn[0][:1] == drawn[1]
    assert drawn[0] != drawn[2]


def test_limits_and_prompts_that_do_not_fit(nano_model):
    tight = TransformersBackend(nano_model, context=60)
    long = ([{"role": "user", "content": "word " * 100}], [])
    good, bad = tight.chat_many([REQUESTS[0], long], max_tokens=5)
    assert (good.finish, good.completion_tokens) == ("length", 5)
    assert bad.finish == "error"
    assert "60" in bad.content
    cut = tight.chat(*REQUESTS[0], max_tokens=1000)
    assert cut.prompt_tokens + cut.completion_tokens == 60 or cut.finish == "stop"


def test_adapters_are_refused(tmp_path):
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(BadInput, match="adapter"):
        TransformersBackend(tmp_path)


def test_a_long_neighbour_takes_no_room_from_a_short_prompt(nano_model):
    tight = TransformersBackend(nano_model, context=200)
    long = ([{"role": "user", "content": "word " * 55}], [])
    alone = tight.chat(*REQUESTS[0], max_tokens=60)
    together = tight.chat_many([REQUESTS[0], long], max_tokens=60)
    assert together[0] == alone
    assert (together[1].finish, alone.completion_tokens) == ("length", 60)
    assert together[1].prompt_tokens + together[1].completion_tokens == 200


def test_draws_follow_the_softmax_at_the_temperature():
    import torch

    scores = torch.tensor([[0.0, math.log(3.0), -1e9]]).expand(4000, 3)
    draw = _drawing([[number] for number in range(4000)], temperature=0.5, seed=0)
    counts = torch.bincount(draw(None, scores).argmax(1), minlength=3)
    assert abs(counts[1] / 4000 - 9 / 10) < 0.02
    assert counts[2] == 0
