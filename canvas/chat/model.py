"""Which model answers: a GGUF file, a folder of a checkpoint, or a server."""

from dataclasses import dataclass
from pathlib import Path

from canvas import io
from canvas.backends import Backend

NANO = (Path("models/gguf/sft/Q4_K_M.gguf"), Path("models/gguf/sft/f16.gguf"))
"""What `make repro` leaves here, the smaller first."""

SMALL = 64 * 2**20
"""Bytes of a file up to which a model is taken for a nano one."""

# Nano models learn from conversations of up to 640 tokens, and the tools alone take 500.
REMEMBERED_BY_SMALL, REMEMBERED = 1, 20


@dataclass(frozen=True)
class Model:
    """A backend, what to call it, and how many earlier exchanges it can follow."""

    backend: Backend
    name: str
    remember: int


def open_model(name: str | None, endpoint: str | None, *, context: int, threads: int) -> Model:
    """The model called `name`: one that `endpoint` serves (without a name its only one), a file, a
    folder, or the nano one.

    Raises BadInput where there is none, or the server does not answer.
    """
    if endpoint:
        from canvas.backends import OpenAIBackend

        backend = OpenAIBackend(endpoint, name, lenient=True)
        return Model(backend, f"{backend.served.model} at {endpoint}", REMEMBERED)
    path = Path(name).expanduser() if name else next(filter(Path.exists, NANO), NANO[0])
    if path.is_dir():
        from canvas.backends import TransformersBackend

        return Model(TransformersBackend(path, context=context), str(path), REMEMBERED)
    if not path.is_file():
        raise io.BadInput(
            path,
            "no such model",
            remedy="`make repro` trains the nano model; --model FILE.gguf takes another, "
            "--endpoint URL a server's",
        )
    from canvas.backends import LlamaCppBackend

    small = path.stat().st_size <= SMALL
    threads = 1 if small else threads  # a small model gives each conversation one thread anyway
    backend = LlamaCppBackend(path, threads, context, lanes=1, kept=1, lenient=True)
    return Model(backend, str(path), REMEMBERED_BY_SMALL if small else REMEMBERED)
