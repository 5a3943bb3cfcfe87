"""Speed of export, quantisation and chats, on a nano-shaped model of random weights.

Run: python -m tests.bench.bench_backend [MODEL_FOLDER]
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from canvas import io, template
from canvas.agent import CanvasAgent
from canvas.backends import LlamaCppBackend
from canvas.backends.base import Reply, Request
from canvas.gguf.divergence import mean_kl, sample
from canvas.gguf.export import export
from canvas.gguf.quantize import TYPES, quantize
from canvas.llama import Model
from canvas.scenarios import load
from canvas.tools import Toolbox

CONVERSATIONS, TURNS, NEW_TOKENS, KL_TOKENS = 100, 3, 50, 1500
FOLLOW_UP = {"role": "user", "content": "And which of these is the most urgent, and why?"}


@dataclass
class Seconds:
    """What a block took."""

    wall: float = 0.0
    cpu: float = 0.0


@contextmanager
def measured(what: str) -> Iterator[Seconds]:
    """Print the wall and processor seconds of a block; they can be read when it has ended."""
    wall, cpu, took = time.perf_counter(), time.process_time(), Seconds()
    yield took
    took.wall, took.cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{what:36} {took.wall:7.2f} s wall {took.cpu:7.2f} s processor", flush=True)


def opening_requests() -> list[Request]:
    """The first model turn of CONVERSATIONS scenarios, repeated if there are fewer."""
    requests = []
    for case in load(Path("data/scenarios")):
        agent = CanvasAgent(None, Toolbox(case.world(), case.tools))
        requests.append(next(agent.conversation(case.prompt)))
    return (requests * (CONVERSATIONS // len(requests) + 1))[:CONVERSATIONS]


def random_model(requests: list[Request], folder: Path) -> Path:
    """A model of the nano shape with a tokenizer for these requests."""
    import torch

    from canvas.nano import model, tokenizer

    params = io.params("base.shape", "base.vocab_size")
    torch.manual_seed(0)
    tokens = tokenizer.train([template.render(*r) for r in requests], params["vocab_size"])
    model.build(tokens, params["shape"]).save_pretrained(folder)
    tokens.save_pretrained(folder)
    return folder


def next_requests(requests: list[Request], replies: list[Reply]) -> list[Request]:
    return [
        ([*messages, {"role": "assistant", "content": reply.raw}, FOLLOW_UP], tools)
        for (messages, tools), reply in zip(requests, replies, strict=True)
    ]


def bench_chats(path: Path, requests: list[Request], threads: int, lanes: int) -> None:
    """TURNS rounds of all conversations through one backend."""
    prompt = made = new = 0
    with measured(f"chats {path.stem}, threads {threads}, lanes {lanes}"):
        backend = LlamaCppBackend(path, threads=threads, lanes=lanes, context=1536)
        for _ in range(TURNS):
            replies = backend.chat_many(requests, max_tokens=NEW_TOKENS)
            new += sum(reply.prompt_tokens for reply in replies) - prompt - made
            prompt = sum(reply.prompt_tokens for reply in replies)
            made = sum(reply.completion_tokens for reply in replies)
            requests = next_requests(requests, replies)
    print(f"  {len(requests)} x {TURNS} turns, {new} prompt tokens run, about {TURNS * made} made")


def main() -> None:
    requests = opening_requests()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        source = Path(sys.argv[1]) if sys.argv[1:] else random_model(requests, folder / "model")
        files = {kind: folder / f"{kind}.gguf" for kind in ("f16", *TYPES)}
        with measured("export"):
            export(source, source, files["f16"], "bench")
        with measured("quantize, six types"):
            for kind in TYPES:
                quantize(files["f16"], files[kind], kind)
        rows = [{"messages": messages, "tools": tools} for messages, tools in requests]
        copies = {kind: files[kind] for kind in TYPES}
        with measured(f"KL of six types, {KL_TOKENS} tokens"):
            mean_kl(files["f16"], copies, sample(Model(files["f16"]), rows, KL_TOKENS))
        for kind in ("f16", "Q4_K_M"):
            for threads, lanes in ((2, 8), (2, 1), (1, 8)):
                bench_chats(files[kind], requests, threads, lanes)


if __name__ == "__main__":
    main()
