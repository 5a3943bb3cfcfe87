from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import io
from stages.split import main

TASKS = ("trajectory", "preference", "kto")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    params = "split: {test_fraction: 0.2, keep: {trajectory: 1.0, preference: 1.0, kto: 0.5}}\n"
    Path("params.yaml").write_text(params)
    rows = [{"row_id": f"r{n:03d}", "wording": f"todo/{n % 30}"} for n in range(120)]
    preferences = [
        {"pair_id": f"p{n:03d}", "wording": f"w{n % 9}", "item_a_id": f"a{n}", "item_b_id": f"b{n}"}
        for n in range(200)
    ]
    for task in TASKS:
        io.write_rows(Path(f"{task}.jsonl"), preferences if task == "preference" else rows)
    return tmp_path


def run():
    return CliRunner().invoke(main, [*(f"{task}.jsonl" for task in TASKS), "splits"])


def rows_of(task):
    return {side: io.read_rows(Path(f"splits/{task}_{side}.jsonl")) for side in ("train", "test")}


def test_writes_six_disjoint_files():
    assert run().exit_code == 0
    assert len(list(Path("splits").iterdir())) == 6
    for task in TASKS:
        sides = rows_of(task)
        wordings = [{row["wording"] for row in sides[side]} for side in ("train", "test")]
        assert all(wordings)
        assert not wordings[0] & wordings[1]
    assert sum(map(len, rows_of("trajectory").values())) == 120
    assert 30 < sum(map(len, rows_of("kto").values())) < 90


def test_trajectory_and_kto_put_a_wording_on_the_same_side():
    assert run().exit_code == 0
    trajectory, kto = rows_of("trajectory"), rows_of("kto")
    for side in ("train", "test"):
        assert {r["wording"] for r in kto[side]} <= {r["wording"] for r in trajectory[side]}


def test_a_row_that_is_no_json_leaves_the_old_outs(folder):
    assert run().exit_code == 0
    before = {path.name: path.read_bytes() for path in Path("splits").iterdir()}
    Path("kto.jsonl").write_text('{"row_id": "r1"')
    result = run()
    assert result.exit_code == 1
    assert "kto.jsonl:1" in result.output
    assert {path.name: path.read_bytes() for path in Path("splits").iterdir()} == before
