"""The gate: everything the audit looks at, and what it found."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from canvas.audit import canaries, contributions, splits, wordings
from canvas.audit.finding import Finding
from canvas.audit.recognisers import EVERYTHING, SESSION, Rule
from canvas.audit.strings import Texts, rows


class Data(NamedTuple):
    """Where things are; `planted` are the canaries {"kind", "value"} of the sample."""

    collab: Path
    clean: Path
    splits: Path
    base: Path
    scenarios: Path
    planted: list[dict]
    sample_key_id: str


class _Scan(NamedTuple):
    """Strings that the same rules hold for; `derived` ones must be free of canaries too."""

    texts: Texts
    rules: tuple[Rule, ...]
    derived: bool


def run(data: Data) -> tuple[list[Finding], dict]:
    """All findings, and counts for metrics/audit.json."""
    scans = list(_scans(data))
    derived = [entry for scan in scans if scan.derived for entry in scan.texts.items()]
    split_rows = [
        (path, number, row)
        for path in sorted(data.splits.glob("*.jsonl"))
        for number, row in rows(path)
    ]
    key_id, files = data.sample_key_id, _files(data.collab)
    findings = [
        *contributions.strays(data.collab),
        *(found for path in files for found in contribution(path, key_id)),
        *(found for scan in scans for found in scan.texts.scan(scan.rules, "corpus")),
        *canaries.find(data.planted, derived),
        *splits.overlaps(split_rows),
        *splits.unparsed(split_rows),
        *splits.cycles(split_rows),
        *wordings.find(wordings.of_scenarios(data.scenarios), _learned(data)),
    ]
    kinds = Counter(finding.kind for finding in findings)
    return findings, {
        "contributions": len(files),
        "findings": len(findings),
        "kinds": dict(sorted(kinds.items())),
        "split_rows": len(split_rows),
        "strings": sum(scan.texts.count for scan in scans),
    }


def contribution(path: Path, sample_key_id: str) -> list[Finding]:
    """Findings in one contribution file: fields that are no tokens, leaks in any string."""
    texts = Texts()
    texts.add(path, foreign=True)
    return [*contributions.check(path, sample_key_id), *texts.scan(EVERYTHING, "contribution")]


def _scans(data: Data) -> Iterator[_Scan]:
    """Corpus texts hold no token that is not ours; sessions of the simulated world do."""
    preferences = sorted(data.splits.glob("preference_*.jsonl"))
    sessions = [path for path in _files(data.splits) if path not in preferences]
    corpus = _texts([data.clean / "corpus.jsonl", *preferences])
    yield _Scan(corpus, EVERYTHING, derived=True)
    yield _Scan(_texts([data.clean / "sessions.jsonl", *sessions]), SESSION, derived=True)
    yield _Scan(_texts(_files(data.base)), SESSION, derived=False)


def _texts(paths: Iterable[Path]) -> Texts:
    texts = Texts()
    for path in paths:
        texts.add(path)
    return texts


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl"))


def _learned(data: Data) -> Iterator[tuple[str, Path, int, str]]:
    """(text, file, line, field) of every user and system turn and prompt that is trained on."""
    # The tokenizer reads every session, those that no split keeps included.
    for path in [data.clean / "sessions.jsonl", *_files(data.splits), *_files(data.base)]:
        for number, row in rows(path):
            if isinstance(row.get("prompt"), str):
                yield row["prompt"], path, number, "prompt"
            for field in ("messages", "prompt"):
                messages = row.get(field)
                for index, message in enumerate(messages if isinstance(messages, list) else []):
                    if message["role"] in ("user", "system"):
                        yield message["content"], path, number, f"{field}[{index}].content"
