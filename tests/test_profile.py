"""Profiles change what they name, keep the rest byte for byte, and refuse what params lacks."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import io, profile

ROOT = Path(__file__).resolve().parents[1]
PROFILES = ROOT / "profiles"
NAMES = ("nano", "gb10", "h200")

PARAMS = """\
# The nano profile.
seed: 42 # of everything

base:
  checkpoint: null # none
  shape: {layers: 4, ratio: 1.50}
# Table of methods
methods:
  apo-zero:
    train:
      learning_rate: 5e-07 # as PyYAML cannot read it
      optim: 'adamw_torch'
      targets: [q_proj, v_proj] # a list
"""
NANO = """\
base: {checkpoint: null}
methods: {apo-zero: {train: {learning_rate: 5e-07, targets: [q_proj, v_proj], optim: adamw_torch}}}
"""
BIG = """\
base:
  checkpoint: some/model
methods:
  apo-zero: {train: {learning_rate: 2e-5, targets: [all]}}
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "profiles").mkdir()
    (tmp_path / "params.yaml").write_text(PARAMS, encoding="utf-8")
    (tmp_path / "profiles/nano.yaml").write_text(NANO, encoding="utf-8")
    (tmp_path / "profiles/big.yaml").write_text(BIG, encoding="utf-8")
    (tmp_path / "profiles/big2.yaml").write_text(
        "methods: {apo-zero: {train: {optim: x}}}\n", encoding="utf-8"
    )
    return tmp_path


def apply(files, name):
    profile.apply(name, files / "params.yaml", files / "profiles")
    return (files / "params.yaml").read_text(encoding="utf-8")


def test_only_the_named_values_change(files):
    expected = (
        PARAMS.replace("null # none", "some/model # none")
        .replace("5e-07", "2e-5")
        .replace("[q_proj, v_proj]", "[all]")
    )
    squeeze = [" ".join(line.split()) for line in expected.splitlines()]
    assert [" ".join(line.split()) for line in apply(files, "big").splitlines()] == squeeze
    assert io.params("methods.apo-zero.train", path=files / "params.yaml")["train"] == {
        "learning_rate": 2e-5,
        "optim": "adamw_torch",
        "targets": ["all"],
    }


def test_nano_alone_changes_no_byte(files):
    assert apply(files, "nano") == PARAMS


def test_there_and_back_changes_no_value_and_no_comment(files):
    apply(files, "big")
    back = apply(files, "nano")
    assert [line.split() for line in back.splitlines()] == [
        line.split() for line in PARAMS.splitlines()
    ]


def test_the_profile_before_leaves_nothing_behind(files):
    apply(files, "big")
    after_big = apply(files, "big2")
    (files / "params.yaml").write_text(PARAMS, encoding="utf-8")
    assert after_big.split() == apply(files, "big2").split()


@pytest.mark.parametrize(
    ("text", "line", "field", "reason"),
    [
        ("seed: 1\nbase:\n  chekpoint: x\n", 3, "base.chekpoint", "no such key"),
        ("methods: {ipo: {train: {}}}\n", 1, "methods.ipo", "no such key"),
        ("\nbase: 3\n", 2, "base", "mapping on one side"),
        ("seed: {a: 1}\n", 1, "seed", "mapping on one side"),
        ("seed: [1\nbase: 2\n", 2, None, "not YAML"),
        ("- seed\n", None, None, "not a mapping"),
    ],
)
def test_a_bad_profile_is_named_and_nothing_is_written(files, text, line, field, reason):
    (files / "profiles/bad.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(io.BadInput, match=reason) as caught:
        apply(files, "bad")
    assert (caught.value.line, caught.value.field) == (line, field)
    assert caught.value.path.name == "bad.yaml"
    assert (files / "params.yaml").read_text(encoding="utf-8") == PARAMS


@pytest.mark.parametrize("name", ["", "gb11"])
def test_an_unknown_name_lists_the_known_ones(files, name):
    result = CliRunner().invoke(
        profile.main,
        [name, "--params", str(files / "params.yaml"), "--profiles", str(files / "profiles")],
    )
    assert result.exit_code == 1
    assert "big, big2, nano" in result.output


class TestCommitted:
    def test_there_are_no_others(self):
        assert {path.stem for path in PROFILES.iterdir()} == set(NAMES)

    def test_params_hold_one_of_them(self, tmp_path):
        params, held = (
            tmp_path / "params.yaml",
            dict(profile.leaves(io.read_yaml(ROOT / "params.yaml"))),
        )
        apart = {}
        for name in NAMES:
            params.write_bytes((ROOT / "params.yaml").read_bytes())
            profile.apply(name, params, PROFILES)
            merged = dict(profile.leaves(io.read_yaml(params)))
            apart[name] = {k: (held.get(k), v) for k, v in merged.items() if held.get(k) != v}
        assert not all(apart.values()), apart[profile.BASE]

    @pytest.mark.parametrize("name", NAMES)
    def test_each_merges_and_nano_leads_back(self, tmp_path, name):
        params = tmp_path / "params.yaml"
        params.write_bytes((ROOT / "params.yaml").read_bytes())
        profile.apply(profile.BASE, params, PROFILES)
        nano = io.read_yaml(params)
        profile.apply(name, params, PROFILES)
        changed = dict(profile.leaves(io.read_yaml(PROFILES / f"{name}.yaml")))
        merged = dict(profile.leaves(io.read_yaml(params)))
        assert {key: merged[key] for key in changed} == changed
        profile.apply(profile.BASE, params, PROFILES)
        assert io.read_yaml(params) == nano

    @pytest.mark.parametrize("name", NAMES)
    def test_nano_names_every_key_that_another_changes(self, name):
        ways_back = dict(profile.leaves(io.read_yaml(PROFILES / "nano.yaml")))
        assert set(dict(profile.leaves(io.read_yaml(PROFILES / f"{name}.yaml")))) <= set(ways_back)
