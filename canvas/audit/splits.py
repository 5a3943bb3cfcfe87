"""Splits: train and test share nothing, preferences hold no cycle, every trajectory parses."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from jinja2 import TemplateError

from canvas.audit.finding import Finding
from canvas.io import dumps
from canvas.template import render
from canvas.toolcall import parse_calls

_KEYS = ("row_id", "pair_id", "wording")
_ITEMS = ("item_a_id", "item_b_id")
_CHOICE = re.compile(r"Do ([AB]) first\b")

# (file, line number, row)
Row = tuple[Path, int, dict]


def overlaps(rows: Iterable[Row]) -> Iterator[Finding]:
    """Ids, items and wordings that occur on both sides, over all kinds of rows together."""
    seen: dict[tuple[str, str], tuple[str, Path, int]] = {}
    for path, number, row in rows:
        side = path.stem.rsplit("_", 1)[-1]
        for field in (*_KEYS, *_ITEMS):
            if field not in row:
                continue
            kind = "item" if field in _ITEMS else field
            first = seen.setdefault((kind, row[field]), (side, path, number))
            if first[0] != side:
                excerpt = f"{row[field]} is also in {first[1].as_posix()}:{first[2]}"
                yield Finding(path.as_posix(), number, field, f"{kind} overlap", excerpt, "split")


def unparsed(rows: Iterable[Row]) -> Iterator[Finding]:
    """Trajectory rows that do not survive rendering and parsing; each declaration is tried once."""
    declared: set[str] = set()
    for path, number, row in rows:
        if not path.stem.startswith("trajectory_"):
            continue
        new = [tool for tool in row.get("tools") or [] if dumps(tool) not in declared]
        declared |= {dumps(tool) for tool in new}
        if reason := _fault(row, new):
            yield Finding(path.as_posix(), number, "messages", "does not parse", reason, "row")


def _fault(row: dict, tools: list[dict]) -> str | None:
    """Why the calls of a row, rendered once, are not read back as they are; None if they are."""
    if not isinstance(row.get("tools"), list):
        return "`tools` is no list"
    try:
        messages = row["messages"]
        calls = [call["function"] for m in messages for call in m.get("tool_calls") or []]
        text = render(messages, tools)
        read = parse_calls(text)
        lost = [m["content"] for m in messages if m["content"].strip() not in text]
    except (KeyError, TypeError, AttributeError, ValueError, TemplateError) as error:
        return f"malformed row ({type(error).__name__})"
    if not all(call.complete for call in read):
        return "a call is read as cut"
    if [(call.name, call.arguments) for call in read] != [
        (call["name"], call["arguments"]) for call in calls
    ]:
        return "the calls are read as other calls"
    return "a message is not in the rendered text" if lost else None


def cycles(rows: Iterable[Row]) -> Iterator[Finding]:
    """Preference labels that contradict each other: an item that comes before itself."""
    edges: dict[str, list[tuple[str, Path, int]]] = defaultdict(list)
    for path, number, row in rows:
        if not path.stem.startswith("preference_"):
            continue
        winner, loser = _order(row)
        if winner is None:
            reason = "`chosen` does not begin with `Do A first` or `Do B first`"
            yield Finding(
                path.as_posix(), number, "chosen", "unreadable label", reason, "preference"
            )
        else:
            edges[winner].append((loser, path, number))
    yield from _contradictions(edges)


def _order(row: dict) -> tuple[str | None, str | None]:
    choice = _CHOICE.match(row["chosen"])
    if not choice:
        return None, None
    ids = row["item_a_id"], row["item_b_id"]
    return ids if choice[1] == "A" else ids[::-1]


def _contradictions(edges: dict[str, list[tuple[str, Path, int]]]) -> Iterator[Finding]:
    """One finding for each edge that closes a cycle, by depth-first search without recursion."""
    state: dict[str, int] = {}
    for root in sorted(edges):
        if root in state:
            continue
        state[root] = 1
        stack = [(root, iter(edges[root]))]
        while stack:
            node, rest = stack[-1]
            for loser, path, number in rest:
                if state.get(loser) == 1:
                    excerpt = f"{node} before {loser}, which other labels put before it"
                    yield Finding(
                        path.as_posix(), number, "chosen", "intransitive", excerpt, "preference"
                    )
                elif loser not in state:
                    state[loser] = 1
                    stack.append((loser, iter(edges.get(loser, ()))))
                    break
            else:
                state[node] = 2
                stack.pop()
