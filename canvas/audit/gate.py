"""The gate: everything the audit looks at, and what it found."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from canvas.audit import canaries, contributions, conversations, splits, wordings
from canvas.audit.finding import Finding
from canvas.audit.recognisers import EVERYTHING, SESSION
from canvas.audit.strings import Texts, rows

_BESIDE = (".gitignore", ".gitkeep")


class Data(NamedTuple):
    """Where things are; `planted` are the canaries {"kind", "value"} of the sample.

    `corpus` are files and folders whose texts hold no token but ours, `sessions` those about the
    simulated world, which has short ones.
    """

    collab: Path
    splits: Path
    corpus: tuple[Path, ...]
    sessions: tuple[Path, ...]
    scenarios: Path
    planted: list[dict]
    sample_key_id: str


def run(data: Data) -> tuple[list[Finding], dict]:
    """All findings, and counts for metrics/audit.json."""
    split_files = sorted(data.splits.glob("*.jsonl"))
    split_rows = [(path, number, row) for path in split_files for number, row in rows(path)]
    preferences = [path for path in split_files if path.stem.startswith("preference_")]
    others = [path for path in split_files if path not in preferences]
    corpus = Scan([*preferences, *files(data.corpus)], EVERYTHING)
    sessions = Scan([*others, *files(data.sessions)], SESSION)
    contributed = sorted(data.collab.glob("*.jsonl"))
    planted = canaries.Canaries(data.planted)
    broken = list(conversations.Reader().unparsed(split_rows))
    bad = {(finding.file, finding.line) for finding in broken}
    whole = [row for row in split_rows if (row[0].as_posix(), row[1]) not in bad]
    findings = [
        *contributions.strays(data.collab),
        *(found for path in contributed for found in contribution(path, data.sample_key_id)),
        *(found for scan in (corpus, sessions) for found in scan.findings(planted)),
        *broken,
        *splits.overlaps(row for row in split_rows if isinstance(row[2], dict)),
        *splits.near_duplicates(whole, conversations.said),
        *splits.cycles(whole),
        *wordings.find(wordings.of_scenarios(data.scenarios), sessions.learned),
    ]
    kinds = Counter(finding.kind for finding in findings)
    return findings, {
        "contributions": len(contributed),
        "files": len(corpus.files) + len(sessions.files),
        "findings": len(findings),
        "kinds": dict(sorted(kinds.items())),
        "split_rows": len(split_rows),
        "distinct_strings": len(corpus.texts) + len(sessions.texts),
    }


def contribution(path: Path, sample_key_id: str) -> list[Finding]:
    """Findings in one contribution file: fields that are no tokens, leaks in any string."""
    texts = Texts()
    for _ in texts.add(path, foreign=True):
        pass
    return [*contributions.check(path, sample_key_id), *texts.scan(EVERYTHING, "contribution")]


class Scan:
    """Files whose strings the same rules hold for; `learned` are the turns that say what to do."""

    def __init__(self, files: list[Path], rules: tuple):
        self.files, self.texts = files, Texts()
        self.learned: list[tuple[str, Path, int, str]] = []
        self._rules, self._unread = rules, []
        for path in files:
            for number, value in self.texts.add(path, foreign=True):
                self._look(path, number, value)

    def _look(self, path: Path, number: int, value: Any) -> None:
        if path.suffix == ".jsonl" and not isinstance(value, dict):
            where = path.as_posix(), number, "line", "does not parse"
            self._unread.append(Finding(*where, "no JSON object", "row"))
        elif isinstance(value, dict):
            self.learned += ((text, path, number, field) for text, field in _told(value))

    def findings(self, planted: canaries.Canaries) -> Iterator[Finding]:
        """Leaks by the rules, canaries, and lines that are no JSON objects."""
        yield from self._unread
        yield from self.texts.scan(self._rules, "corpus")
        yield from canaries.find(planted, [*self.texts.items(), *self.texts.numbers()])


def files(paths: Iterable[Path]) -> list[Path]:
    """The files themselves, and of folders every file inside."""
    found = []
    for path in paths:
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        found += [file for file in inside if file.is_file() and file.name not in _BESIDE]
    return found


def _told(row: dict) -> Iterator[tuple[str, str]]:
    """(text, field) of every user and system turn and prompt of a row."""
    if isinstance(row.get("prompt"), str):
        yield row["prompt"], "prompt"
    for field in ("messages", "prompt"):
        messages = row.get(field)
        for index, message in enumerate(messages if isinstance(messages, list) else []):
            if isinstance(message, dict) and message.get("role") in ("user", "system"):
                yield str(message.get("content")), f"{field}[{index}].content"
