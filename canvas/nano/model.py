"""The nano student: Gemma 4's text tower at about 4 M parameters, with weights from nothing."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import Gemma4ForCausalLM, PreTrainedTokenizerFast


def build(tokenizer: "PreTrainedTokenizerFast", shape: dict) -> "Gemma4ForCausalLM":
    """A fresh Gemma4ForCausalLM in float32. Seed torch first.

    `shape`: hidden, intermediate, layers, heads, head_dim, global_head_dim, shared_kv_layers,
    window, ple, context. Layers alternate sliding and full attention. The query norms start at
    head_dim^-0.5, because Gemma 4 scales attention by 1 and relies on the norms: from 1 a tiny
    model learns to copy far later.
    """
    from transformers import Gemma4ForCausalLM, Gemma4TextConfig

    kinds = ("sliding_attention", "full_attention")
    config = Gemma4TextConfig(
        vocab_size=len(tokenizer),
        vocab_size_per_layer_input=len(tokenizer),
        hidden_size=shape["hidden"],
        intermediate_size=shape["intermediate"],
        num_hidden_layers=shape["layers"],
        num_attention_heads=shape["heads"],
        num_key_value_heads=1,
        head_dim=shape["head_dim"],
        global_head_dim=shape["global_head_dim"],
        num_kv_shared_layers=shape["shared_kv_layers"],
        sliding_window=shape["window"],
        hidden_size_per_layer_input=shape["ple"],
        layer_types=[kinds[layer % 2] for layer in range(shape["layers"])],
        max_position_embeddings=shape["context"],
        final_logit_softcapping=30.0,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=end_ids(tokenizer),
        dtype="float32",
    )
    model = Gemma4ForCausalLM(config)
    for layer in model.model.layers:
        attention = layer.self_attn
        attention.q_norm.weight.data.fill_(attention.head_dim**-0.5)
    model.generation_config.eos_token_id = end_ids(tokenizer)
    return model


def end_ids(tokenizer: "PreTrainedTokenizerFast") -> list[int]:
    """Ids that end a generated turn: end of text, end of turn, and the hand-over to a tool."""
    return tokenizer.convert_tokens_to_ids(["<eos>", "<turn|>", "<|tool_response>"])
