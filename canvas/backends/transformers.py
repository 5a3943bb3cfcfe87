"""A Hugging Face folder as a backend: transformers' `generate`, for models without a GGUF file."""

from collections.abc import Sequence
from pathlib import Path

from canvas import checkpoint, io, seeds
from canvas.backends.base import Backend, Reply, Request
from canvas.backends.turns import prompt_text, read_reply, too_long

ENDS = ("<eos>", "<turn|>", "<|tool_response>")


class TransformersBackend(Backend):
    """Replies of one full checkpoint, text tower and tokenizer, in its own dtype.

    `batch` prompts of like length run together, padded on the left; `context` is the most tokens of
    prompt and reply (default: what the model was made for). Raises BadInput on an adapter.
    """

    def __init__(self, folder: Path, batch: int = 16, context: int | None = None):
        import torch
        from transformers import AutoTokenizer

        if (Path(folder) / "adapter_config.json").exists():
            raise io.BadInput(folder, "an adapter, not a model", remedy="export it to GGUF")
        self.tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
        self.model = checkpoint.text_tower(str(folder)).eval()
        self.model.to("cuda" if torch.cuda.is_available() else "cpu")
        self._batch = batch
        self._context = context or self.model.config.max_position_embeddings
        self._ends = self.tokenizer.convert_tokens_to_ids(list(ENDS))

    def chat(self, messages: list[dict], tools: list[dict], **sampling) -> Reply:
        """The next model turn; sampling keys as in `chat_many`."""
        return self.chat_many([(messages, tools)], **sampling)[0]

    def chat_many(
        self,
        requests: Sequence[Request],
        *,
        temperature: float = 0.0,
        seed: int = 0,
        max_tokens: int = 256,
    ) -> list[Reply]:
        """Replies in the order of `requests`; finish `error` for a prompt that fills the context.

        Samples are drawn one request at a time, seeded by the prompt, so that they do not depend on
        the batch.
        """
        prompts = [self.prompt_ids(*request) for request in requests]
        replies = [too_long(len(prompt), self._context) for prompt in prompts]
        order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
        order = [index for index in order if len(prompts[index]) < self._context]
        size = 1 if temperature > 0 else self._batch
        for start in range(0, len(order), size):
            chosen = order[start : start + size]
            group = [prompts[index] for index in chosen]
            for index, made in zip(
                chosen, self._generate(group, temperature, seed, max_tokens), strict=True
            ):
                replies[index] = self._reply(prompts[index], made)
        return replies

    def prompt_ids(self, messages: list[dict], tools: list[dict]) -> list[int]:
        """The prompt as token ids."""
        return self.tokenizer.encode(prompt_text(messages, tools), add_special_tokens=False)

    def _generate(
        self, prompts: list[list[int]], temperature: float, seed: int, max_tokens: int
    ) -> list[list[int]]:
        """New token ids of each prompt, up to and with its end token."""
        import torch

        batch = self.tokenizer.pad({"input_ids": prompts}, return_tensors="pt")
        batch = batch.to(self.model.device)
        width = batch["input_ids"].shape[1]
        torch.manual_seed(seeds.stable_hash(seed, *prompts[0]) % 2**63)
        drawn = {"do_sample": True, "temperature": temperature, "top_k": 0, "top_p": 1.0}
        out = self.model.generate(
            **batch,
            max_new_tokens=min(max_tokens, self._context - width),
            eos_token_id=self._ends,
            pad_token_id=self.tokenizer.pad_token_id,
            **(drawn if temperature > 0 else {"do_sample": False}),
        )
        return [self._until_end(row) for row in out[:, width:].tolist()]

    def _until_end(self, made: list[int]) -> list[int]:
        stop = next((place for place, token in enumerate(made) if token in self._ends), None)
        return made if stop is None else made[: stop + 1]

    def _reply(self, prompt: list[int], made: list[int]) -> Reply:
        raw = self.tokenizer.decode(made, skip_special_tokens=False)
        finish = "stop" if made[-1] in self._ends else "length"
        return read_reply(raw, finish, len(prompt), len(made))
