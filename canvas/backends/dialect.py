"""What single servers need beyond OpenAI's specification, by the `owned_by` of their models."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Dialect:
    """One kind of server.

    `raw`: its chat endpoint cannot carry calls of the history, so prompts are rendered here.
    `arguments_as_text`: calls of the history carry their arguments as JSON text, as OpenAI's
    specification has it, else as an object. `extra` goes into every request.
    """

    name: str
    raw: bool = False
    arguments_as_text: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)


_LLAMA = {"top_k": 0, "top_p": 1.0, "min_p": 0.0, "repeat_penalty": 1.0}
_NO_THINKING = {"chat_template_kwargs": {"enable_thinking": False}}

OPENAI = Dialect("OpenAI-compatible")
# Unless special tokens are kept, the markers of calls vanish from the text. The other keys undo
# defaults of server and checkpoint that bend the distribution which tokens are drawn from.
VLLM = Dialect(
    "vLLM",
    extra={
        "skip_special_tokens": False,
        "top_k": 0,
        "top_p": 1.0,
        "min_p": 0.0,
        "repetition_penalty": 1.0,
        **_NO_THINKING,
    },
)
LLAMA_SERVER = Dialect("llama-server", extra={**_LLAMA, **_NO_THINKING})
# llama_cpp.server 0.3.36 refuses arguments that are no text, and has no way to read the text.
LLAMA_CPP_PYTHON = Dialect("llama_cpp.server", raw=True, extra=_LLAMA)

_BY_OWNER = {"vllm": VLLM, "llamacpp": LLAMA_SERVER, "me": LLAMA_CPP_PYTHON}


def dialect_of(models: list[dict]) -> Dialect:
    """The dialect of the server that lists these models; the plain one for any unknown server."""
    owners = {str(model.get("owned_by")) for model in models}
    return next((_BY_OWNER[owner] for owner in owners if owner in _BY_OWNER), OPENAI)
