"""The gate reads every file that it is given: a canary in any of them is found, and where."""

import random

import pytest

from canvas import io
from canvas.audit.gate import Data, run
from tests.audit.test_canaries import KINDS, PLANTED, of_kind, plant
from tests.audit.test_conversations import KTO, MESSAGES, TOOL

ROW = {"row_id": "trajectory-1", "wording": "grade/1", "messages": MESSAGES, "tools": [TOOL]}
PAIR = {
    "pair_id": "pair-1", "wording": "pairs/1", "prompt": "A: Essay B: Lab. Which one?",
    "item_a_id": "item-a", "item_b_id": "item-b",
    "chosen": "Do A first: it is due.", "rejected": "Do B first: it is due.", "votes": ["A"],
}  # fmt: skip
FILES = {
    "clean/corpus.jsonl": {"kind": "item", "title": "Essay", "points": 10.0, "extra": {}},
    "clean/sessions.jsonl": {"messages": MESSAGES, "tools": [TOOL], "extra": {}},
    "sessions/recorded.jsonl": {"session_id": "session-1", "messages": MESSAGES, "extra": {}},
    "trajectory/rows.jsonl": ROW | {"extra": {}},
    "trajectory/quarantine.jsonl": {"reason": "cut", "extra": {}},
    "kto/rows.jsonl": KTO | {"extra": {}},
    "pairs/pairs.jsonl": PAIR | {"extra": {}},
    "labels/preferences.jsonl": PAIR | {"extra": {}},
    "base/text.jsonl": {"text_id": "base-1", "messages": MESSAGES, "extra": {}},
    "splits/trajectory_train.jsonl": ROW | {"extra": {}},
    "splits/kto_train.jsonl": KTO | {"extra": {}},
    "splits/preference_test.jsonl": PAIR | {"extra": {}},
    "metrics/merge.json": {"masked": {"COURSE": 123456}, "extra": {}},
}


@pytest.fixture
def data(tmp_path):
    for folder in ("collab", "scenarios"):
        (tmp_path / folder).mkdir()
    (tmp_path / "scenarios/none.yaml").write_text("tier: basic\nscenarios: []\n")
    for name, row in FILES.items():
        io.write_rows(tmp_path / name, [row])
    corpus = ("clean/corpus.jsonl", "pairs", "labels", "metrics")
    sessions = ("clean/sessions.jsonl", "sessions", "trajectory", "kto", "base")
    return Data(
        tmp_path / "collab",
        tmp_path / "splits",
        tuple(tmp_path / name for name in corpus),
        tuple(tmp_path / name for name in sessions),
        tmp_path / "scenarios",
        PLANTED,
        "public",
    )


def test_nothing_is_found_without_one(data):
    findings, counts = run(data)
    assert findings == []
    assert counts["files"] == len(FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_canary_of_each_kind_is_found_in_every_file(data, name):
    path = data.collab.parent / name
    for seed, kind in enumerate(KINDS):
        rng = random.Random(seed)
        value = rng.choice(of_kind(kind))
        # Beside what the row needs, so that it stays a row of its kind.
        extra = plant({"a": [{"b": "x"}, ["y"]], "c": {}}, value, rng)
        io.write_rows(path, [FILES[name] | {"extra": extra}])
        findings, _ = run(data)
        found = {(finding.file, finding.line) for finding in findings
                 if finding.kind == f"planted {kind}"}  # fmt: skip
        assert (path.as_posix(), 1) in found, (kind, value, extra)
