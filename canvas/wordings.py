"""Wordings: how a user may put a request, as patterns with slots and small choices.

A pattern is one line: `(Show|Give) me my (grade|mark) in {course}.` Slots in braces are filled from
the world, titles with double quotes around them; `(a|b|)` is one of its parts, seeded. A frame such
as `Could you ...?` goes around a pattern that starts with a known verb.
"""

import random
import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from canvas import io

QUOTED = ("title", "other")
OPENER_SHARE, CLOSER_SHARE, FRAME_SHARE, SLOPPY_SHARE = 0.3, 0.15, 0.4, 0.12
_CHOICE = re.compile(r"\(([^()|]*(?:\|[^()|]*)+)\)")
_SLOT = re.compile(r"\{([a-z]+)\}")
_SPACES = re.compile(r"\s+([?.!,]?)")
_CAPITAL = re.compile(r"(?!I\b)[A-Z][a-z']*(?!\w)")
# A model of English articles is not needed: these are the nouns that slots bring in.
_ARTICLE = re.compile(r"\b([Aa]) (?=(?:assignment|exam)\b)")


@dataclass(frozen=True)
class Wordings:
    """Openers, closers, and the patterns of each intent, in the order of the file."""

    openers: tuple[str, ...]
    closers: tuple[str, ...]
    patterns: Mapping[str, tuple[str, ...]]
    frames: tuple[str, ...] = ()
    verbs: frozenset[str] = frozenset()

    def framed(self, text: str) -> tuple[str, ...]:
        """The text in every frame; none where it does not start with a known verb."""
        verb, *rest = text.split()
        # A text of several sentences, or one that asks already, fits no frame.
        if verb.casefold() not in self.verbs or any(word[-1] in "?.!:" for word in rest[:-1]):
            return ()
        core = _lowered(text).rstrip("?.!")
        polite = "please" in core.casefold()
        frames = [f for f in self.frames if not (polite and "please" in f.casefold())]
        return tuple(frame.replace("...", core) for frame in frames)


def read(path: Path) -> Wordings:
    """Wordings of a YAML file; see `parse`."""
    return parse(io.read_yaml(path), path)


def parse(document: dict, path: Path) -> Wordings:
    """Wordings of a document with the blocks openers, closers and intents, one wording a line.

    The blocks frames and verbs may be left out. Raises BadInput on a missing block, on an empty one
    and on a wording that occurs twice.
    """
    for key in ("openers", "closers", "intents"):
        if not isinstance(document, dict) or not document.get(key):
            raise io.BadInput(path, "missing or empty", field=key, remedy="see the file's head")
    patterns = {name: lines(block) for name, block in document["intents"].items()}
    for name, block in patterns.items():
        keys = [normalise(pattern) for pattern in block]
        twice = next((p for p, key in zip(block, keys, strict=True) if keys.count(key) > 1), None)
        if twice or not block:
            reason = f"wording twice: {twice}" if twice else "no wordings"
            raise io.BadInput(path, reason, field=f"intents.{name}", remedy="one wording a line")
    return Wordings(
        openers=lines(document["openers"]),
        closers=lines(document["closers"]),
        patterns=patterns,
        frames=lines(document.get("frames", "")),
        verbs=frozenset(document.get("verbs", "").split()),
    )


def lines(block: str) -> tuple[str, ...]:
    """The lines of a block, without empty ones."""
    return tuple(line.strip() for line in block.splitlines() if line.strip())


def slots_of(pattern: str) -> frozenset[str]:
    """Names of the slots of a pattern."""
    return frozenset(_SLOT.findall(pattern))


def choose(pattern: str, rng: random.Random) -> str:
    """The pattern with every choice made."""
    return _tidy(_CHOICE.sub(lambda match: rng.choice(match[1].split("|")), pattern))


def expansions(pattern: str) -> Iterator[str]:
    """Every way to make the choices of a pattern."""
    pieces = _CHOICE.split(pattern)
    options = [piece.split("|") if number % 2 else [piece] for number, piece in enumerate(pieces)]
    for parts in product(*options):
        yield _tidy("".join(parts))


def fill(text: str, slots: Mapping[str, object]) -> str:
    """Text with its slots filled, titles quoted. Raises KeyError on a slot without a value."""
    filled = _SLOT.sub(lambda match: _shown(match[1], slots[match[1]]), text)
    return _ARTICLE.sub(r"\1n ", filled)


def phrase(
    pattern: str,
    slots: Mapping[str, object],
    wordings: Wordings,
    rng: random.Random,
    *,
    plain: bool = False,
) -> str:
    """One message of a user: choices made, slots filled, at times with an opener or a closer.

    A `plain` message has neither.
    """
    text = choose(pattern, rng)
    if rng.random() < FRAME_SHARE:
        text = rng.choice(wordings.framed(text) or (text,))
    text = fill(text, slots)
    if rng.random() < SLOPPY_SHARE:
        text = _lowered(text).rstrip("?.!")
    if plain:
        return text
    if rng.random() < OPENER_SHARE:
        opener = rng.choice(wordings.openers)
        text = f"{opener} {text if opener[-1] in '?.!' else _lowered(text)}"
    if rng.random() < CLOSER_SHARE:
        text = f"{text}{'' if text[-1] in '?.!' else '.'} {rng.choice(wordings.closers)}"
    return text


def normalise(text: str) -> str:
    """A wording as it is compared: lower-case words and slots, no punctuation."""
    return " ".join(words(text))


def words(text: str) -> list[str]:
    """Lower-case words of a wording; a slot is one word with its braces."""
    kept = string.ascii_letters + string.digits + "{}'"
    return "".join(c if c in kept else " " for c in text).casefold().split()


def trigrams(text: str) -> frozenset[tuple[str, ...]]:
    """The sets of three words that follow each other."""
    found = words(text)
    return frozenset(zip(found, found[1:], found[2:], strict=False))


def _shown(slot: str, value: object) -> str:
    return f'"{value}"' if slot in QUOTED else str(value)


def _tidy(text: str) -> str:
    """Single spaces, and none before punctuation, where an empty choice left some."""
    return _SPACES.sub(lambda match: match[1] or " ", text).strip()


def _lowered(text: str) -> str:
    """The first letter lower-case, unless it belongs to `I` or to an id such as `E4`."""
    return text[0].lower() + text[1:] if _CAPITAL.match(text) else text
