"""What llama.cpp must know of a Gemma 4 text tower: the metadata that its `gemma4` graph reads."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from canvas import io

if TYPE_CHECKING:
    from gguf import GGUFWriter


def text_config(folder: Path) -> dict:
    """The text model's part of config.json, with the width of full-attention layers made explicit.

    transformers 5.23 writes `per_layer_config` where earlier ones wrote `global_head_dim` and
    `num_global_key_value_heads`; both are read. Raises BadInput on anything but Gemma 4.
    """
    path = folder / "config.json"
    config = io.read_json(path)
    config = config.get("text_config", config)
    if config.get("model_type") != "gemma4_text":
        raise io.BadInput(path, "not a Gemma 4 text model", field="model_type")
    full = config["layer_types"].index("full_attention")
    layer = (config.get("per_layer_config") or {}).get(str(full), {})
    for key, name in (
        ("global_head_dim", "head_dim"),
        ("num_global_key_value_heads", "num_key_value_heads"),
    ):
        if config.get(key) is None:
            config[key] = layer.get(name)
    if config["global_head_dim"] is None:
        raise io.BadInput(path, "missing", field="global_head_dim")
    if config["rope_parameters"]["full_attention"]["rope_type"] != "proportional":
        raise io.BadInput(path, "must be proportional", field="rope_parameters.full_attention")
    return config


def describe(writer: "GGUFWriter", config: dict) -> None:
    """Write the text model's shape as GGUF metadata."""
    sliding = [kind == "sliding_attention" for kind in config["layer_types"]]
    rope = config["rope_parameters"]
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(_feed_forward(config))
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(_kv_heads(config, sliding))
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_key_length(config["global_head_dim"])
    writer.add_value_length(config["global_head_dim"])
    writer.add_key_length_swa(config["head_dim"])
    writer.add_value_length_swa(config["head_dim"])
    writer.add_rope_freq_base(rope["full_attention"]["rope_theta"])
    writer.add_rope_freq_base_swa(rope["sliding_attention"]["rope_theta"])
    writer.add_rope_dimension_count(config["global_head_dim"])
    writer.add_rope_dimension_count_swa(config["head_dim"])
    writer.add_sliding_window(config["sliding_window"])
    writer.add_sliding_window_pattern(sliding)
    writer.add_shared_kv_layers(config["num_kv_shared_layers"])
    writer.add_embedding_length_per_layer_input(config.get("hidden_size_per_layer_input") or 0)
    if config.get("final_logit_softcapping"):
        writer.add_final_logit_softcapping(config["final_logit_softcapping"])
    if config.get("num_experts"):
        writer.add_expert_count(config["num_experts"])
        writer.add_expert_used_count(config["top_k_experts"])
        writer.add_expert_feed_forward_length(config["moe_intermediate_size"])


def rope_factors(config: dict) -> np.ndarray:
    """Frequency divisors of full-attention layers, shape (global_head_dim / 2,), float32.

    Gemma 4 rotates only the first part of each half head ("proportional" RoPE); llama.cpp gets the
    same by dividing the other frequencies by 1e30.
    """
    half = config["global_head_dim"] // 2
    share = config["rope_parameters"]["full_attention"]["partial_rotary_factor"]
    rotated = int(config["global_head_dim"] * share / 2)
    return np.array([1.0] * rotated + [1e30] * (half - rotated), dtype=np.float32)


def _feed_forward(config: dict) -> int | list[int]:
    """Width of the feed-forward layers; those that share keys and values may be twice as wide."""
    width = config["intermediate_size"]
    if not config.get("use_double_wide_mlp"):
        return width
    own = config["num_hidden_layers"] - config["num_kv_shared_layers"]
    return [width if layer < own else 2 * width for layer in range(config["num_hidden_layers"])]


def _kv_heads(config: dict, sliding: list[bool]) -> int | list[int]:
    """Key-value heads, per layer where full-attention layers have a number of their own."""
    heads, full = config["num_key_value_heads"], config["num_global_key_value_heads"]
    return heads if full is None else [heads if slides else full for slides in sliding]
