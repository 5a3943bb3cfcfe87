"""A small Gemma-style BPE tokenizer that Hugging Face and llama.cpp read to the same token ids.

Gemma merges over whole lines (spaces are `▁`, no word splitting), and so does this one. Its
merges are learnt inside the pieces below, whose borders keep facts whole: a number, a date, a
`@COURSE7` or a capitalised title is the same tokens wherever it stands, so that it can be copied.
"""

import json
import re
import string
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from canvas.template import TEMPLATE_PATH

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

CONTROL = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"]
MARKERS = [
    "<|turn>",
    "<turn|>",
    "<|tool>",
    "<tool|>",
    "<|tool_call>",
    "<tool_call|>",
    "<|tool_response>",
    "<tool_response|>",
    '<|"|>',
    "<|think|>",
    "<|channel>",
    "<channel|>",
]
# What the template writes around every declaration and result, as one token each: half of a prompt.
# None of it is ever generated, and no two of them overlap in a rendered chat.
SKELETON = [
    "<|tool>declaration:",
    '{description:<|"|>',
    '<|"|>,parameters:{properties:{',
    '<|"|>,parameters:{type:<|"|>OBJECT<|"|>}}<tool|>',
    ':{type:<|"|>STRING<|"|>}',
    ':{type:<|"|>INTEGER<|"|>}',
    ':{type:<|"|>NUMBER<|"|>}',
    ':{enum:[<|"|>',
    '<|"|>],type:<|"|>STRING<|"|>}',
    '},required:[<|"|>',
    '<|"|>],type:<|"|>OBJECT<|"|>}}<tool|>',
    '{value:<|"|>',
    '<|"|>}<tool_response|>',
]
PIECES = "|".join(
    [
        r'[\]}"]*[,{\[]*"\p{Ll}+":["\[{]*',  # a JSON key with what stands around it
        r"\p{Ll}+[._](?=\p{Ll})",  # the parts of a tool's name
        r"▁?\p{Ll}+",
        r"\p{Lu}+\p{Ll}*",
        r"20\d\d(?=-)|\d{1,2}",  # the year of a date; other numbers in pairs
        r"@|\n|▁",
        r"[^\p{Ll}\p{Lu}\d@\n▁]+",
    ]
)


def train(texts: Iterable[str], vocab_size: int) -> "PreTrainedTokenizerFast":
    """Learn merges from rendered chats; add Gemma's normaliser and decoder, and our template."""
    from tokenizers import (
        AddedToken,
        Regex,
        Tokenizer,
        decoders,
        models,
        normalizers,
        pre_tokenizers,
        trainers,
    )
    from transformers import PreTrainedTokenizerFast

    special = CONTROL + MARKERS
    bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(PIECES), "isolated")
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size - len(SKELETON),
        special_tokens=[AddedToken(t, normalized=False, special=True) for t in special] + bytes_,
        initial_alphabet=[char for char in string.printable if char.isprintable()],
        show_progress=False,
    )
    tokenizer.train_from_iterator(_without_markers(texts, SKELETON + special), trainer)
    tokenizer = _with_plain_bytes(tokenizer, special)
    tokenizer.add_tokens([AddedToken(text, normalized=False) for text in SKELETON])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<bos>",
        eos_token="<eos>",
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token="<mask>",
        padding_side="left",
        clean_up_tokenization_spaces=False,
    )
    wrapped.chat_template = Path(TEMPLATE_PATH).read_text(encoding="utf-8")
    return wrapped


def _without_markers(texts: Iterable[str], special: list[str]) -> Iterable[str]:
    """The stretches between special tokens: merges are learnt from plain text alone."""
    border = re.compile("|".join(map(re.escape, special)))
    for text in texts:
        yield from (part for part in border.split(text) if part)


def _with_plain_bytes(tokenizer, special: list[str]):
    """Byte tokens belong to the vocabulary, not to the added tokens: rebuild without them."""
    from tokenizers import Tokenizer

    state = json.loads(tokenizer.to_str())
    state["added_tokens"] = [t for t in state["added_tokens"] if t["content"] in special]
    return Tokenizer.from_str(json.dumps(state))
