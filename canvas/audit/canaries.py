"""Canaries: personal data planted in the sample, which must not come out again."""

import re
from collections.abc import Iterable, Iterator

from canvas.audit.finding import Finding, hide
from canvas.audit.strings import Place, field_of

_WORD = re.compile(r"\w+")


def find(planted: Iterable[dict], texts: Iterable[tuple[str, Place]]) -> Iterator[Finding]:
    """Planted values {"kind", "value"} that stand in a text as whole words, whatever their case."""
    texts = [(text, text.casefold(), place) for text, place in texts]
    words: dict[str, list[int]] = {}
    for index, (_, folded, _) in enumerate(texts):
        for word in set(_WORD.findall(folded)):
            words.setdefault(word, []).append(index)
    for canary in planted:
        value = canary["value"].casefold()
        needed = _WORD.findall(value)
        if not needed or any(word not in words for word in needed):
            continue
        pattern = re.compile(rf"(?<![^\W_]){re.escape(value)}(?![^\W_])")
        for index in min((words[word] for word in needed), key=len):
            text, folded, place = texts[index]
            if found := pattern.search(folded):
                shown = hide(text, *found.span()) if len(text) == len(folded) else "[…]"
                yield Finding(
                    *place, field_of(place, text), f"planted {canary['kind']}", shown, "corpus"
                )
                break
