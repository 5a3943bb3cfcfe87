"""A Hugging Face folder as a backend: transformers' `generate`, for models without a GGUF file."""

from collections.abc import Callable, Sequence
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

    def __init__(
        self, folder: Path, batch: int = 16, context: int | None = None, lenient: bool = False
    ):
        import torch
        from transformers import AutoTokenizer

        if (Path(folder) / "adapter_config.json").exists():
            raise io.BadInput(folder, "an adapter, not a model", remedy="export it to GGUF")
        self.tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
        self.model = checkpoint.text_tower(str(folder)).eval()
        self.model.to("cuda" if torch.cuda.is_available() else "cpu")
        self._batch, self._lenient = batch, lenient
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

        Every request draws from a generator of its own, seeded by the prompt, so that a sample does
        not depend on what else is in its batch (but for rounding).
        """
        prompts = [self.prompt_ids(*request) for request in requests]
        replies = [too_long(len(prompt), self._context) for prompt in prompts]
        order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
        order = [index for index in order if len(prompts[index]) < self._context]
        for start in range(0, len(order), self._batch):
            chosen = order[start : start + self._batch]
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
        from transformers import LogitsProcessorList

        batch = self.tokenizer.pad({"input_ids": prompts}, return_tensors="pt")
        batch = batch.to(self.model.device)
        width = batch["input_ids"].shape[1]
        drawing = [_drawing(prompts, temperature, seed)] if temperature > 0 else []
        out = self.model.generate(
            **batch,
            max_new_tokens=min(max_tokens, self._context - min(map(len, prompts))),
            eos_token_id=self._ends,
            pad_token_id=self.tokenizer.pad_token_id,
            do_sample=False,
            logits_processor=LogitsProcessorList(drawing),
        )
        return [
            self._ended(row[: self._context - len(prompt)])
            for prompt, row in zip(prompts, out[:, width:].tolist(), strict=True)
        ]

    def _ended(self, made: list[int]) -> list[int]:
        stop = next((place for place, token in enumerate(made) if token in self._ends), None)
        return made if stop is None else made[: stop + 1]

    def _reply(self, prompt: list[int], made: list[int]) -> Reply:
        raw = self.tokenizer.decode(made, skip_special_tokens=False)
        finish = "stop" if made[-1] in self._ends else "length"
        return read_reply(raw, finish, len(prompt), len(made), self._lenient)


def _drawing(prompts: list[list[int]], temperature: float, seed: int) -> Callable:
    """A logits processor (rows, vocab) after which the largest value is a draw from the softmax.

    The maximum of logits and Gumbel noise is distributed as the softmax (Gumbel 1954; Maddison et
    al. 2014, arXiv:1411.0030, section 2). Each row has its own noise, from its prompt and `seed`.
    """
    import torch

    generators = [
        torch.Generator().manual_seed(seeds.stable_hash(seed, *prompt) % 2**63)
        for prompt in prompts
    ]

    def draw(_, scores):
        noise = torch.stack(
            [torch.empty(scores.shape[1]).exponential_(generator=g) for g in generators]
        )
        return scores.float() / temperature - noise.log().to(scores.device)

    return draw
