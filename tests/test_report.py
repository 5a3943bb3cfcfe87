"""The README's generated parts: what they say, and that a stale one is found."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import io, report
from canvas.benchmark.comparison import by_tier

ROOT = Path(__file__).resolve().parents[1]


def scores(basic, planning=0.25, **heldout):
    edges = {"pass_1_low": basic - 0.1, "pass_1_high": basic + 0.1}
    tiers = {
        "basic": {"pass_1": basic, "n": 80, **edges},
        "planning": {"pass_1": planning, "n": 12},
    }
    return {
        "f16": {**tiers, "parse_rate": 0.987},
        "Q4_K_M": {**tiers, "basic": {"pass_1": basic - 0.125, "n": 80}},
        "heldout": heldout,
    }


@pytest.fixture
def root(tmp_path):
    """A repository with two methods, of which one is not evaluated yet."""
    (tmp_path / "params.yaml").write_text(
        "methods: {sft: {start: data}, apo-zero: {start: models/sft}}\n", encoding="utf-8"
    )
    (tmp_path / "dvc.yaml").write_text(
        "stages:\n"
        "  merge: {desc: Mask and merge, cmd: echo, outs: [data]}\n"
        "  train:\n"
        "    foreach: ${methods}\n"
        "    do: &train\n"
        "      desc: Train\n"
        "      cmd: echo\n"
        '      deps: ["${item.start}"]\n'
        '      outs: ["models/${key}"]\n'
        "  train_base: {foreach: {base: {start: data}}, do: *train}\n",
        encoding="utf-8",
    )
    (tmp_path / "dvc.lock").write_text(
        "schema: '2.0'\nstages:\n  export@sft:\n    cmd: x\n    outs:\n"
        "    - {path: models/gguf/sft/f16.gguf, hash: md5, md5: abc, size: 10440000}\n",
        encoding="utf-8",
    )
    io.write_json(tmp_path / "metrics/eval/base.json", scores(0.1, 0.0))
    io.write_json(tmp_path / "metrics/eval/sft.json", scores(0.5, trajectory_loss=0.12345))
    for name, passed in (("base", 2), ("sft", 8)):
        failed = [[]] * passed + [["facts"]] * (10 - passed)
        io.write_rows(
            tmp_path / f"metrics/outcomes/{name}.jsonl",
            [
                {"file": "f16", "tier": "basic", "scenario": str(number), "failed": [fields]}
                for number, fields in enumerate(failed)
            ],
        )
    io.write_json(
        tmp_path / "metrics/quantize/sft.json",
        {"Q8_0": {"bytes": 5_000_000, "kl_mean": 7e-5}, "Q2_K": {"bytes": 2e6, "kl_mean": 2e-2}},
    )
    (tmp_path / "README.md").write_text(
        "# Title\n<!-- results -->\nold\n<!-- /results -->\n"
        "text\n<!-- stages -->\n<!-- /stages -->\nend\n",
        encoding="utf-8",
    )
    return tmp_path


def cells(text):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]


def test_results(root):
    header, _, *rows = cells(report.results(root))
    by_name = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    assert list(by_name) == ["base", "sft", "apo-zero"]
    sft = by_name["sft"]
    assert (sft["basic f16"], sft["basic Q4_K_M"]) == ("0.50 [0.40, 0.60]", "0.38")
    assert sft["planning f16"] == "0.25"
    assert (sft["f16 MB"], sft["Q4_K_M MB"]) == ("10.4", "n/a")
    assert (sft["held-out loss"], sft["KTO accuracy"]) == ("0.123", "n/a")
    gain = by_tier(*(root / f"metrics/outcomes/{name}.jsonl" for name in ("sft", "base")), "f16")
    low, high = gain["basic"].difference.low, gain["basic"].difference.high
    assert by_name["base"]["basic f16 over sft"] == f"-0.60 [{low:+.2f}, {high:+.2f}]"
    assert low < -0.6 < high
    assert sft["basic f16 over sft"] == "n/a"
    assert set(list(by_name["apo-zero"].values())[1:]) == {"n/a"}


def test_quantised_goes_from_small_to_large(root):
    _, _, *rows = cells(report.quantised(root))
    assert rows == [
        ["Q2_K", "2.0", "2.0e-02", "2.0e-02", "2.0e-02"],
        ["Q8_0", "5.0", "7.0e-05", "7.0e-05", "7.0e-05"],
    ]


def test_quantised_says_so_when_nothing_is_measured(root):
    (root / "metrics/quantize/sft.json").unlink()
    assert report.quantised(root).startswith("Not measured yet")


def test_stages_with_their_descriptions(root):
    assert cells(report.stages(root))[2:] == [
        ["`merge`", "Mask and merge"],
        ["`train@METHOD`, `train_base@base`", "Train"],
    ]


def test_a_stage_without_description_is_named(root):
    (root / "dvc.yaml").write_text("stages: {split: {cmd: echo}}\n", encoding="utf-8")
    with pytest.raises(io.BadInput, match="split"):
        report.stages(root)


def test_graph_has_each_stage_once(root):
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run([sys.executable, "-m", "dvc", "init", "-q"], cwd=root, check=True)
    text = report.graph(root)
    assert text.startswith("```mermaid\nflowchart TD\n")
    assert [text.count(f'["{name}"]') for name in ("merge", "train", "train_base")] == [1, 1, 1]
    assert text.count("-->") == 3


def test_graph_names_what_dvc_says_is_wrong(root):
    with pytest.raises(Exception, match="not inside of a DVC repository"):
        report.graph(root)


def test_write_then_check_then_stale(root):
    readme, run = root / "README.md", CliRunner().invoke
    stale = run(report.main, [str(readme), "--check"])
    assert stale.exit_code == 1
    assert "-old" in stale.output
    assert "make readme" in stale.output
    assert "old" in readme.read_text(encoding="utf-8")
    assert run(report.main, [str(readme)]).exit_code == 0
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("# Title\n<!-- results -->\n| method |")
    assert text.endswith("<!-- /stages -->\nend\n")
    assert run(report.main, [str(readme), "--check"]).exit_code == 0
    io.write_json(root / "metrics/eval/sft.json", scores(0.75))
    assert run(report.main, [str(readme), "--check"]).exit_code == 1


def test_an_unknown_part_is_named_with_its_line(root):
    (root / "README.md").write_text("a\n<!-- reslts -->\n<!-- /reslts -->\n", encoding="utf-8")
    result = CliRunner().invoke(report.main, [str(root / "README.md")])
    assert result.exit_code == 1
    assert "README.md:2" in result.output
    assert "'reslts'" in result.output


def test_the_readme_holds_every_part():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in report.PARTS if f"<!-- {name} -->" not in text] == []
