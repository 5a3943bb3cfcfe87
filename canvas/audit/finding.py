"""Findings of the audit, and how they are shown without repeating what leaked."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

REMEDIES = {
    "contribution": "mask the raw export with `canvas mask`, and commit what that writes",
    "stray": "delete it, or mask it with `canvas mask`, which writes HANDLE.jsonl here",
    "corpus": "extend the rule in canvas/anonymize that should have masked it, and run again",
    "split": "give the rows wordings and items of one side, and run `dvc repro split` again",
    "near": "keep one of the two: leave the other session out, or move both to one side",
    "preference": "drop the labels of one of these pairs",
    "row": "correct the session, or let the stage quarantine it",
    "model": "do not release it; find the rows that hold this, mask them, and train again",
    "wording": "reword the training text; the scenario must stay unseen",
}


class Finding(NamedTuple):
    """One thing that must not be: where, of what kind, a masked excerpt, and what to do."""

    file: str
    line: int
    field: str
    kind: str
    excerpt: str
    remedy: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: {self.field}: {self.kind}"
        return f"{printable(where)}: {printable(self.excerpt)}. To do: {REMEDIES[self.remedy]}."


def printable(text: str) -> str:
    """The text on one line, without what a terminal, a log of CI or UTF-8 would stumble over."""
    return "".join(character if character.isprintable() else " " for character in text)


def digest(findings: Sequence[Finding], most: int = 8) -> list[str]:
    """Lines to print: the first findings of each kind, then how many of each there are."""
    kinds: Counter[str] = Counter()
    lines = []
    for finding in findings:
        kinds[finding.kind] += 1
        if kinds[finding.kind] <= most:
            lines.append(str(finding))
    return [*lines, *(f"audit: {kind}: {count}" for kind, count in sorted(kinds.items()))]


def hide(text: str, start: int, end: int, around: int = 24) -> str:
    """A leak in its context: of each word of the leak only the first character is shown."""
    leak = "".join(
        character if not index or not text[start + index - 1].isalnum() else "*"
        for index, character in enumerate(text[start:end])
    )
    before, after = text[max(0, start - around) : start], text[end : end + around]
    return " ".join(f"{_quiet(before)}[{leak[:40]}]{_quiet(after)}".split())


def _quiet(context: str) -> str:
    """Context of a leak, digits and capitalised words hidden: they may belong to it."""
    words = context.split(" ")
    return " ".join(
        "*" * len(w) if w[:1].isupper() or any(map(str.isdigit, w)) else w for w in words
    )
