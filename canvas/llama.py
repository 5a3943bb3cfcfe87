"""llama.cpp in process: a model with its vocabulary, and contexts that run batches of sequences.

A thin layer over the C interface of `llama_cpp`; nothing here knows about chats.
"""

import ctypes
import weakref
from collections import deque
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType

import numpy as np

BATCH = 128
"""Most tokens that one call of `Context.decode` takes; more were no faster on a processor, and room
for the logits of every one is set aside, a megabyte each with a real vocabulary."""

_WARNING, _ERROR = 3, 4
_last_words: deque[str] = deque(maxlen=6)


class LlamaError(RuntimeError):
    """llama.cpp refused or failed; the text holds the last lines that it logged."""

    def __init__(self, what: str):
        super().__init__(f"{what}: {' '.join(_last_words) or 'no reason given'}")
        _last_words.clear()


class Model:
    """A loaded GGUF file. Weights are read-only: contexts of many threads may share them."""

    def __init__(self, path: Path):
        self._lib = library()
        self.path = Path(path)
        pointer = self._lib.llama_model_load_from_file(
            str(path).encode(), self._lib.llama_model_default_params()
        )
        if not pointer:
            raise LlamaError(f"{path} cannot be loaded")
        self.pointer = pointer
        self._vocab = self._lib.llama_model_get_vocab(pointer)
        self.vocab_size = self._lib.llama_vocab_n_tokens(self._vocab)
        self.window = self._lib.llama_model_n_swa(pointer)  # of sliding layers; 0: there are none
        weakref.finalize(self, self._lib.llama_model_free, pointer)

    def tokenize(self, text: str) -> list[int]:
        """Token ids of rendered text: markers are read as single tokens, nothing is added."""
        raw = text.encode("utf-8")
        ids = (ctypes.c_int32 * (len(raw) + 1))()
        count = self._lib.llama_tokenize(self._vocab, raw, len(raw), ids, len(ids), False, True)
        return ids[:count]

    def piece(self, token: int) -> bytes:
        """The bytes that a token stands for, markers spelt out."""
        return self._pieces(token)

    def text(self, tokens: Sequence[int]) -> str:
        """The tokens' text; bytes that are no UTF-8 become replacement characters."""
        return b"".join(map(self._pieces, tokens)).decode("utf-8", errors="replace")

    @cached_property
    def end_tokens(self) -> frozenset[int]:
        """Tokens that end a generated turn: end of text, `<turn|>`, `<|tool_response>`."""
        is_end = self._lib.llama_vocab_is_eog
        return frozenset(t for t in range(self.vocab_size) if is_end(self._vocab, t))

    @cached_property
    def _pieces(self):
        @cache
        def piece(token: int) -> bytes:
            buffer = ctypes.create_string_buffer(512)  # one a call: threads share the model
            size = self._lib.llama_token_to_piece(self._vocab, token, buffer, len(buffer), 0, True)
            if size < 0:
                raise LlamaError(f"token {token} of {self.path} is longer than {len(buffer)} bytes")
            return buffer.raw[:size]

        return piece


class Context:
    """Caches of keys and values for `sequences` token sequences of at most `length` tokens each.

    One thread at a time may use it. Sequences are stored apart (no unified buffer), so attention
    never looks across them, and in full length: parts can be dropped again in sliding layers too.
    """

    def __init__(self, model: Model, length: int, sequences: int = 1, threads: int = 1):
        lib = self._lib = library()
        self.model, self.length = model, length
        self._shortcut = _Shortcut(lib)
        params = lib.llama_context_default_params()
        params.n_ctx, params.n_seq_max = length * sequences, sequences
        # llama.cpp aborts where a batch could not hold one output a sequence.
        params.n_batch = params.n_ubatch = max(BATCH, sequences)
        params.n_threads = params.n_threads_batch = threads
        params.flash_attn_type = lib.LLAMA_FLASH_ATTN_TYPE_ENABLED
        params.swa_full, params.kv_unified, params.no_perf = True, False, True
        params.cb_eval = self._shortcut.callback
        self.pointer = lib.llama_init_from_model(model.pointer, params)
        if not self.pointer:
            raise LlamaError(f"no context of {sequences} x {length} tokens for {model.path}")
        weakref.finalize(self, lib.llama_free, self.pointer)
        self._memory = lib.llama_get_memory(self.pointer)
        self._batch = _Batch(lib)
        self._run([0], [0], 0, True)
        self.keep(0, 0)

    def decode(
        self,
        tokens: Sequence[int],
        positions: Sequence[int] | np.ndarray,
        sequences: int | Sequence[int] | np.ndarray,
        wanted: bool | np.ndarray,
    ) -> np.ndarray:
        """Run at most BATCH tokens; logits (wanted, vocab) in float32 of those flagged `wanted`.

        The result is a view that the next call overwrites. Raises LlamaError on a full sequence.
        """
        self._shortcut.taken = not np.any(wanted)
        count = self._run(tokens, positions, sequences, wanted)
        if not count:
            return np.empty((0, self.model.vocab_size), np.float32)
        logits = self._lib.llama_get_logits(self.pointer)
        return np.ctypeslib.as_array(logits, (count, self.model.vocab_size))

    def _run(self, tokens, positions, sequences, wanted) -> int:
        """Run tokens as in `decode`; returns how many of them have logits now."""
        count = self._batch.fill(tokens, positions, sequences, wanted)
        if self._lib.llama_decode(self.pointer, self._batch.struct):
            raise LlamaError(f"{len(tokens)} tokens could not be run")
        return count

    def fill(self, sequence: int, tokens: Sequence[int], start: int = 0) -> None:
        """Append `tokens` to a sequence from position `start` on, for their cache alone."""
        for first in range(0, len(tokens), BATCH):
            part = tokens[first : first + BATCH]
            positions = np.arange(start + first, start + first + len(part))
            self.decode(part, positions, sequence, False)

    def keep(self, sequence: int, length: int) -> None:
        """Forget all of a sequence but its first `length` tokens."""
        self._lib.llama_memory_seq_rm(self._memory, sequence, length, -1)

    def save(self, sequence: int) -> ctypes.Array:
        """The sequence's cache as bytes, for `load` here or in another context of the model.

        Of sliding layers it holds what the next token sees: one that is longer than the model's
        window cannot be cut with `keep` when it is loaded.
        """
        size = self._lib.llama_state_seq_get_size(self.pointer, sequence)
        saved = (ctypes.c_uint8 * size)()
        self._lib.llama_state_seq_get_data(self.pointer, saved, size, sequence)
        return saved

    def load(self, sequence: int, saved: ctypes.Array) -> None:
        """Put a saved cache in the place of the sequence's own."""
        size = len(saved)
        if self._lib.llama_state_seq_set_data(self.pointer, saved, size, sequence) != size:
            raise LlamaError(f"a saved cache of {size} bytes does not fit {self.model.path}")


class _Shortcut:
    """Ends a pass that wants no logits behind the last node that writes to the cache.

    llama.cpp runs all layers for all tokens. The upper layers of Gemma 4 store nothing, they read
    the keys and values of lower ones: a token that only fills the cache need not go through them.
    """

    def __init__(self, lib: ModuleType):
        """`taken` says whether the next pass may end early; None: it is run to learn the nodes."""
        text_of = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)
        self._name = text_of(("ggml_get_name", lib._lib))
        self._operation = text_of(("ggml_op_desc", lib._lib))
        self._last: bytes | None = None
        self.taken: bool | None = None
        self.callback = lib.ggml_backend_sched_eval_callback(self._asked)

    def _asked(self, node: int, before: bool, _data: int | None) -> bool:
        """Asked before a node: whether to stop and ask behind it. Asked there: whether to go on."""
        if self.taken is None and self._operation(node) == b"SET_ROWS":
            self._last = self._name(node)
        return before and self.taken is True and self._name(node) == self._last


class _Batch:
    """A `llama_batch` over NumPy arrays of BATCH entries that are filled anew for every call."""

    def __init__(self, lib: ModuleType):
        self._tokens, self._positions, self._sequences, ones = np.ones((4, BATCH), np.int32)
        self._wanted = np.zeros(BATCH, np.int8)
        step = self._sequences.itemsize
        self._addresses = self._sequences.ctypes.data + step * np.arange(BATCH, dtype=np.uintp)
        self.struct = lib.llama_batch()
        self._ones = ones
        for field, array in (
            ("token", self._tokens),
            ("pos", self._positions),
            ("n_seq_id", ones),
            ("seq_id", self._addresses),
            ("logits", self._wanted),
        ):
            kind = type(getattr(self.struct, field))
            setattr(self.struct, field, ctypes.cast(array.ctypes.data, kind))

    def fill(self, tokens, positions, sequences, wanted) -> int:
        """Enter one call's tokens; returns how many logits it asks for."""
        count = self.struct.n_tokens = len(tokens)
        self._tokens[:count], self._positions[:count] = tokens, positions
        self._sequences[:count], self._wanted[:count] = sequences, wanted
        return int(self._wanted[:count].sum())


@cache
def library() -> ModuleType:
    """The C interface, started once, its log kept for error messages instead of printed."""
    import llama_cpp.llama_cpp as lib

    lib.llama_log_set(_listen(lib), None)
    lib.llama_backend_init()
    return lib


@cache
def _listen(lib: ModuleType):
    """The log callback, cached because C keeps only a pointer to it."""

    @lib.llama_log_callback
    def listen(level: int, text: bytes, _data) -> None:
        if level in (_WARNING, _ERROR):
            _last_words.append(text.decode("utf-8", errors="replace").strip())

    return listen
