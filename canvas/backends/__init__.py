"""Backends of the agent. The ones that need a heavy library are imported on first use."""

from importlib import import_module

from canvas.backends.base import Backend, Reply

__all__ = ["Backend", "LlamaCppBackend", "OpenAIBackend", "Reply", "TransformersBackend"]

_LAZY = {
    "LlamaCppBackend": "llamacpp",
    "OpenAIBackend": "openai",
    "TransformersBackend": "transformers",
}


def __getattr__(name: str):
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
