"""Wordings: what evaluation scenarios say must stand in no text that a model learns from."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from canvas import io, scenarios
from canvas.audit.finding import Finding
from canvas.wordings import expansions

# Below this many words of its own a wording must be a whole clause to count as the same.
SHORT = 4
_SLOTS = re.compile(
    r"\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d|\{[a-z_]+\}|@[A-Z]+\d+|\bE\d+\b"
    r"|\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?\b|\b\d{1,2}:\d\d\b|\b\d+(?:\.\d+)?\b"
)
_CLAUSE = re.compile(r"[.,!?:;()\n]+")
_BARS = re.compile(r" ?(?:\| ?)+")
_OTHER = re.compile(r"[^a-z0-9'\u00a7|]+")


def clauses(text: str) -> str:
    """Lower-case words, slots as one sign, clauses between bars: `| hey | what is due in § |`."""
    plain = _SLOTS.sub(" \u00a7 ", text).lower().replace("\u2019", "'").replace("|", " ")
    divided = _OTHER.sub(" ", _CLAUSE.sub("|", plain))
    return _BARS.sub(" | ", f"|{divided}|").strip()


def of_scenarios(folder: Path) -> dict[str, str]:
    """Normalised wording to where it is from: patterns of the files and prompts made of them."""
    found: dict[str, str] = {}
    for path in sorted(Path(folder).glob("*.yaml")):
        # Reading YAML is slow, and only files of intents have patterns.
        if "intents:" not in path.read_text(encoding="utf-8"):
            continue
        for where, pattern in _patterns(io.read_yaml(path)):
            for text in expansions(pattern):
                found.setdefault(clauses(text), f"{path.as_posix()} {where}")
    for scenario in scenarios.load(folder):
        found.setdefault(clauses(scenario.prompt), f"scenario {scenario.id}")
    return found


def _patterns(document: Any) -> Iterator[tuple[str, str]]:
    for intent, block in (document.get("intents") or {}).items():
        for line in block.splitlines():
            if line.strip():
                yield intent, line.strip()


def find(
    held_out: dict[str, str], texts: Iterable[tuple[str, Path, int, str]]
) -> Iterator[Finding]:
    """Scenario wordings in (text, file, line, field) of what is learned from."""
    first: dict[str, tuple[Path, int, str]] = {}
    for text, path, number, field in texts:
        first.setdefault(text, (path, number, field))
    learned: dict[str, tuple[Path, int, str]] = {}
    for text, place in first.items():
        learned.setdefault(clauses(text), place)
    joined = {form: "\n".join(map(form, learned)) for form in (_whole, _bounded, _loose)}
    for wording, source in held_out.items():
        form = _form(wording)
        needle = form(wording)
        if needle not in joined[form]:
            continue
        path, number, field = next(at for text, at in learned.items() if needle in form(text))
        excerpt = f"{wording.strip('| ')!r} is the wording of {source}"
        yield Finding(Path(path).as_posix(), number, field, "scenario wording", excerpt, "wording")


def _form(wording: str) -> Callable[[str], str]:
    """How a wording is compared: a lone word only as a whole text, a few as a whole clause."""
    words = [word for word in wording.split() if word != "|"]
    own = sum(word != "\u00a7" for word in words)
    return _whole if len(words) < 2 else _bounded if own < SHORT else _loose


def _whole(text: str) -> str:
    return f"\x02{text}\x03"


def _bounded(text: str) -> str:
    return text


def _loose(text: str) -> str:
    return f" {' '.join(text.replace('|', ' ').split())} "
