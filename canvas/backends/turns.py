"""What backends share: a model turn's prompt as text, and its generated text as a Reply."""

from collections.abc import Iterable, Iterator
from typing import Literal

from canvas import template
from canvas.backends.base import Reply
from canvas.toolcall import parse_reply


def prompt_text(messages: list[dict], tools: list[dict]) -> str:
    """The conversation as text, `<bos>` included, up to where the model's next turn begins."""
    return template.render(messages, tools, add_generation_prompt=True)


def read_reply(
    raw: str,
    finish: Literal["stop", "length"],
    prompt_tokens: int,
    completion_tokens: int,
    lenient: bool = False,
) -> Reply:
    """A Reply from the generated text, its end marker included."""
    parsed = parse_reply(raw, lenient=lenient)
    return Reply(
        parsed.content,
        parsed.calls,
        raw,
        finish,
        prompt_tokens,
        completion_tokens,
        parsed.thinking,
    )


def too_long(prompt_tokens: int, context: int) -> Reply:
    """The reply to a prompt that leaves no room in the context."""
    problem = f"the prompt has {prompt_tokens} tokens, the context holds {context}"
    return Reply(problem, finish="error", prompt_tokens=prompt_tokens)


def visible(pieces: Iterable[str]) -> Iterator[str]:
    """Generated text as it may be shown, given its pieces: `Reply.content`, in pieces.

    What stands before the first `<` is shown as it comes, the rest when the turn has ended.
    """
    made, waiting, shown = [], "", ""
    for piece in pieces:
        made.append(piece)
        if "<" in waiting:
            continue
        waiting = (waiting + piece) if shown or waiting else piece.lstrip()
        safe = waiting.partition("<")[0].rstrip()
        if safe:
            yield safe
            shown, waiting = shown + safe, waiting[len(safe) :]
    if rest := parse_reply("".join(made)).content.removeprefix(shown):
        yield rest
