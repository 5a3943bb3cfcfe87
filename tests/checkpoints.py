"""Small checkpoints of random weights in every shape of Gemma 4, wide enough for K-quants."""

SLIDING, FULL = "sliding_attention", "full_attention"
SMALL = {
    "hidden_size": 256,
    "intermediate_size": 256,
    "num_attention_heads": 4,
    "head_dim": 64,
    "global_head_dim": 128,
    "sliding_window": 64,
    "max_position_embeddings": 2048,
    "final_logit_softcapping": 30.0,
}
DENSE = {
    "num_hidden_layers": 6,
    "num_key_value_heads": 2,
    "num_global_key_value_heads": 1,
    "attention_k_eq_v": True,
    "hidden_size_per_layer_input": 0,
    "layer_types": [SLIDING] * 5 + [FULL],
}
SHAPES = {
    "E2B": {
        "num_hidden_layers": 10,
        "num_key_value_heads": 1,
        "num_kv_shared_layers": 5,
        "use_double_wide_mlp": True,
        "hidden_size_per_layer_input": 64,
        "layer_types": ([SLIDING] * 4 + [FULL]) * 2,
    },
    "31B": DENSE,
    "nano": {
        "num_hidden_layers": 4,
        "num_key_value_heads": 1,
        "num_kv_shared_layers": 2,
        "hidden_size_per_layer_input": 64,
        "layer_types": [SLIDING, FULL] * 2,
    },
    "MoE": DENSE
    | {
        "enable_moe_block": True,
        "num_experts": 8,
        "top_k_experts": 2,
        "moe_intermediate_size": 128,
    },
}


def build(folder, tokenizer_from, shape, dtype):
    """A checkpoint of random weights in `folder`; returns it as a float32 model."""
    import torch
    from transformers import AutoTokenizer, Gemma4ForCausalLM, Gemma4TextConfig

    tokenizer = AutoTokenizer.from_pretrained(tokenizer_from)
    size = {"vocab_size": len(tokenizer), "vocab_size_per_layer_input": len(tokenizer)}
    torch.manual_seed(1)
    model = Gemma4ForCausalLM(Gemma4TextConfig(**(SMALL | shape | size)))
    for name, weight in model.named_parameters():
        weight.data += 0.03 * torch.randn_like(weight)
        if "q_norm" in name:
            # Random attention is chaotic at Gemma's scale of 1: any rounding would grow.
            weight.data *= 0.125
    for name, buffer in model.named_buffers():
        if name.endswith("layer_scalar"):
            buffer.fill_(0.7)
    model.to(getattr(torch, dtype)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return model.float().eval()
