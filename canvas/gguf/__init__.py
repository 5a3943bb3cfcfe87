"""GGUF files: written from Hugging Face checkpoints, quantised, measured against the original."""
