"""CPU seconds of the gate on the data of this checkout, beside reading the same files as JSON.

Run after `make audit`: python -m tests.bench.bench_audit
"""

import json
import time
from pathlib import Path

from canvas import io
from canvas.audit.gate import Data, files, run
from canvas.registry import Registry

DATA = Path("data")
CORPUS = ("clean/corpus.jsonl", "pairs", "labels")
SESSIONS = ("clean/sessions.jsonl", "sessions", "trajectory", "kto", "base")


def main() -> None:
    """Print seconds, megabytes and the ratio."""
    corpus, sessions = ([DATA / name for name in names] for names in (CORPUS, SESSIONS))
    if missing := [str(path) for path in [*corpus, *sessions] if not path.exists()]:
        raise SystemExit(f"run `make audit` first: {', '.join(missing)} missing")
    planted = io.read_json(DATA / "sample/planted.json")
    key_id = Registry.load(DATA / "sample/key.txt").key_id
    places = DATA / "collab", DATA / "splits", tuple(corpus), tuple(sessions), DATA / "scenarios"
    started = time.process_time()
    findings, counts = run(Data(*places, planted, key_id))
    gate = time.process_time() - started
    started, size = time.process_time(), 0
    for path in files([*corpus, *sessions, DATA / "splits"]):
        size += path.stat().st_size
        for line in path.open("rb"):
            json.loads(line)
    reading = time.process_time() - started
    print(f"{size / 1e6:.1f} MB, {counts['distinct_strings']:,} distinct strings")
    print(f"gate {gate:.2f} s, {size / 1e6 / gate:.1f} MB/s, {len(findings)} findings")
    print(
        f"json.loads of every line {reading:.2f} s; the gate takes {gate / reading:.1f} times that"
    )


if __name__ == "__main__":
    main()
