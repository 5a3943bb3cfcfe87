"""A Hugging Face tokenizer folder as llama.cpp's `gemma4` vocabulary: same text, same token ids."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from canvas import io, template

if TYPE_CHECKING:
    from gguf import GGUFWriter

VISIBLE = (
    "<|channel>",
    "<channel|>",
    "<|tool_call>",
    "<tool_call|>",
    "<|tool_response>",
    "<tool_response|>",
    '<|"|>',
)
"""Markers that servers must show in the generated text, or nobody can parse the calls."""

TURN_END, CALL_END = "<turn|>", "<|tool_response>"
SPACE = "▁"


def write(writer: "GGUFWriter", folder: Path, size: int) -> None:
    """Write tokens, merges, special ids and the chat template; `size` is the embedding's row count.

    Rows beyond the tokenizer get unused tokens. Raises BadInput on a tokenizer that llama.cpp would
    read differently, because then prompts would silently become other ids.
    """
    path = folder / "tokenizer.json"
    tokenizer = io.read_json(path)
    _check(path, tokenizer)
    tokens = tokenizer["model"]["vocab"] | {
        t["content"]: t["id"] for t in tokenizer["added_tokens"]
    }
    if max(tokens.values()) >= size or len(set(tokens.values())) != len(tokens):
        raise io.BadInput(path, f"token ids do not fit {size} embedding rows", field="model.vocab")
    kinds = _kinds(tokenizer)
    by_id = {number: text for text, number in tokens.items()}
    names = [by_id.get(number, f"[PAD{number}]") for number in range(size)]
    writer.add_tokenizer_model("gemma4")
    writer.add_token_list(names)
    writer.add_token_scores([-1000.0] * size)
    writer.add_token_types([kinds(name, number in by_id) for number, name in enumerate(names)])
    writer.add_token_merges([_merge(pair) for pair in tokenizer["model"]["merges"]])
    for role, number in _special_ids(folder, tokens).items():
        getattr(writer, f"add_{role}_token_id")(number)
    writer.add_chat_template(_chat_template(folder))
    writer.add_add_space_prefix(False)
    writer.add_add_bos_token(True)


def _chat_template(folder: Path) -> str:
    """Our template as servers read it. Raises BadInput where the model was trained with another."""
    path = folder / "chat_template.jinja"
    if path.read_text(encoding="utf-8") != template.TEMPLATE_PATH.read_text(encoding="utf-8"):
        raise io.BadInput(path, "not the template of this checkout", remedy="train the model again")
    return template.serving_template()


def _check(path: Path, tokenizer: dict) -> None:
    """Refuse what llama.cpp's `gemma4` vocabulary does not do: it merges whole lines of text."""
    model, split = tokenizer["model"], tokenizer.get("pre_tokenizer")
    spaces = {"type": "Replace", "pattern": {"String": " "}, "content": SPACE}
    if model["type"] != "BPE" or not model.get("byte_fallback") or model.get("ignore_merges"):
        raise io.BadInput(path, "not a BPE with byte fallback", field="model")
    if tokenizer.get("normalizer") != spaces:
        raise io.BadInput(
            path, f"must replace a space by {SPACE} and nothing else", field="normalizer"
        )
    if split is not None and (split["type"], split.get("pattern")) != ("Split", {"String": " "}):
        raise io.BadInput(path, "must not split words", field="pre_tokenizer")
    for token in tokenizer["added_tokens"]:
        if token.get("lstrip") or token.get("rstrip") or token.get("single_word"):
            raise io.BadInput(path, "strips white space", field=f"added_tokens {token['content']}")


def _kinds(tokenizer: dict):
    """How llama.cpp should treat a token: as a byte, a marker (shown or hidden), or plain text."""
    from gguf import TokenType

    special = {token["content"]: token["special"] for token in tokenizer["added_tokens"]}

    def kind(text: str, used: bool) -> TokenType:
        if not used:
            return TokenType.UNUSED
        if re.fullmatch(r"<0x[0-9A-F]{2}>", text):
            return TokenType.BYTE
        if text in VISIBLE:
            return TokenType.USER_DEFINED
        if text in special:
            return TokenType.CONTROL if special[text] else TokenType.USER_DEFINED
        return TokenType.NORMAL

    return kind


def _merge(pair: str | list[str]) -> str:
    """One merge as llama.cpp stores it: its parts hold no space, so a space can divide them."""
    return pair if isinstance(pair, str) else " ".join(pair)


def _special_ids(folder: Path, tokens: dict[str, int]) -> dict[str, int]:
    """Ids by role; turns end with `<turn|>`, call turns with `<|tool_response>`: both must stop."""
    config = io.read_json(folder / "tokenizer_config.json")
    named = {role: config.get(f"{role}_token") for role in ("bos", "eos", "unk", "pad", "mask")}
    named |= {"eot": TURN_END, "eom": CALL_END}
    ids = {}
    for role, token in named.items():
        text = token["content"] if isinstance(token, dict) else token
        if text is None and role in ("unk", "pad", "mask"):
            continue
        if text not in tokens:
            raise io.BadInput(folder / "tokenizer.json", f"no token {text!r} for {role}")
        ids[role] = tokens[text]
    return ids
