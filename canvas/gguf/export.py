"""Write a Gemma 4 text tower as one f16 GGUF file, without torch and tensor by tensor."""

from pathlib import Path

import numpy as np

from canvas import io
from canvas.gguf import adapter, architecture, vocabulary, weights

RENAMED = {
    ".layer_scalar": ".layer_scalar.weight",
    ".experts.gate_up_proj": ".experts.gate_up_proj.weight",
    ".experts.down_proj": ".experts.down_proj.weight",
}
SCALES = {"router.scale": "ffn_gate_inp.scale", "router.per_expert_scale": "ffn_down_exps.scale"}
CHUNK = 64 * 2**20
"""Elements converted at a time: the per-layer embedding table of E2B has 2.3e9."""


def export(model: Path, base: Path, out: Path, name: str) -> None:
    """Write the checkpoint in `model` to `out`; an adapter is merged into the checkpoint in `base`.

    Matrices become float16; norms, vectors and routers stay float32, as llama.cpp expects. `name`
    is what the file calls itself. Raises BadInput on weights or tokenizers it cannot carry over.
    """
    from gguf import GGUFWriter, LlamaFileType

    merging = adapter.is_adapter(model)
    config = architecture.text_config(base if merging else model)
    tensors = weights.text_tower(base if merging else model)
    if merging:
        tensors = adapter.merge(tensors, model)
    if config.get("tie_word_embeddings", True):
        tensors.pop("lm_head.weight", None)
    named = {_gguf_name(key, config): tensor for key, tensor in tensors.items()}
    factors = architecture.rope_factors(config)

    writer = GGUFWriter(out, "gemma4")
    writer.add_type("model")
    writer.add_name(name)
    writer.add_file_type(LlamaFileType.MOSTLY_F16)
    writer.add_quantization_version(2)
    architecture.describe(writer, config)
    vocabulary.write(writer, model, config["vocab_size"])
    writer.add_tensor_info("rope_freqs.weight", factors.shape, factors.dtype, factors.nbytes)
    for key, tensor in named.items():
        dtype = _dtype(key, tensor.shape)
        size = int(np.prod(tensor.shape)) * dtype.itemsize
        writer.add_tensor_info(key, tensor.shape, dtype, size)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    writer.write_tensor_data(factors)
    for key, tensor in named.items():
        writer.write_tensor_data(_convert(tensor, _dtype(key, tensor.shape)))
    writer.close()


def _gguf_name(key: str, config: dict) -> str:
    """llama.cpp's name of a text-tower tensor. Raises BadInput on one it has no place for."""
    from gguf import MODEL_ARCH, get_tensor_name_map

    for ending, scale in SCALES.items():
        if key.endswith(ending):
            return f"blk.{key.split('.')[2]}.{scale}"
    for ending, renamed in RENAMED.items():
        if key.endswith(ending):
            key = key.removesuffix(ending) + renamed
    names = get_tensor_name_map(MODEL_ARCH.GEMMA4, config["num_hidden_layers"])
    name = names.get_name(key, try_suffixes=(".weight",))
    if name is None:
        raise io.BadInput("model.safetensors", "llama.cpp's Gemma 4 has no such tensor", field=key)
    return name


def _dtype(name: str, shape: tuple[int, ...]) -> np.dtype:
    """float32 for vectors, norms and expert routers, float16 for all else."""
    keep = len(shape) <= 1 or name.endswith(("_norm.weight", "ffn_gate_inp.weight"))
    return np.dtype(np.float32 if keep else np.float16)


def _convert(tensor: weights.Tensor | adapter.Merged, dtype: np.dtype) -> np.ndarray:
    """The tensor as `dtype`, converted in chunks of rows."""
    if len(tensor.shape) < 2:
        return tensor.rows().astype(dtype)
    out = np.empty(tensor.shape, dtype)
    step = max(1, CHUNK // int(np.prod(tensor.shape[1:])))
    for start in range(0, tensor.shape[0], step):
        out[start : start + step] = tensor.rows(start, start + step)
    return out
