"""The whole pipeline, once, from a clean clone of HEAD with small budgets; then what reruns when.

The tests share one clone and run in the order of the file; each leaves the clone as it found it.
"""

import os
import re
import signal
import subprocess
import sys
import time
from functools import reduce
from operator import getitem
from pathlib import Path

import pytest

from canvas import io, profile
from canvas.sample.contributions import generate
from tests import pipeline

ROOT = Path(__file__).resolve().parents[1]
METHODS = ("sft", "lora", "dpo", "kto")
# Values that make a run short and change no data stage.
SMALL = {
    "eval.max_turns": 2,
    "eval.max_tokens": 24,
    "eval.heldout_rows": 20,
    "quantize.kl_tokens": 256,
}
STEPS = 2
DATA = ("merged", "sessions", "clean", "trajectory", "pairs", "labels", "kto", "splits")


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A clean clone; the working tree of the repository plays no part."""
    path = tmp_path_factory.mktemp("pipeline") / "clone"
    run("git", "clone", "--quiet", str(ROOT), str(path), cwd=ROOT)
    return path


@pytest.fixture(scope="module")
def reproduced(clone, audited):
    """The clone after a whole `dvc repro` with small budgets, committed; and what ran."""
    shrink(clone / "params.yaml")
    ran = repro(clone)
    commit(clone)
    return ran


@pytest.fixture(scope="module")
def audited(clone):
    """The clone's data stages as committed; what ran."""
    return repro(clone, "audit")


@pytest.fixture
def workplace(clone, reproduced):
    """The clone, put back afterwards: committed files by git, outs by DVC."""
    yield clone
    run("git", "checkout", "--quiet", ".", cwd=clone)
    run("git", "clean", "-fdq", "data/collab", "data/raw", cwd=clone)
    run(sys.executable, "-m", "dvc", "checkout", "--quiet", "--force", cwd=clone)


def environment():
    """This process's, with the interpreter of the tests as `python` and no leak of its imports."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"PATH": path}


def run(*command, cwd, code=0):
    """Output of a command, both streams. Fails the test on another exit status than `code`."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == code, done.stdout[-4000:]
    return done.stdout


def repro(cwd, *arguments):
    """Names of the stages that `dvc repro` ran; those restored from the run cache do not count."""
    output = run(sys.executable, "-m", "dvc", "repro", *arguments, cwd=cwd)
    return set(re.findall(r"Running stage '([^']+)'", output))


def refused(cwd, *arguments):
    """Output of a `dvc repro` that must fail."""
    return run(sys.executable, "-m", "dvc", "repro", *arguments, cwd=cwd, code=255)


def commit(cwd):
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    run("git", "add", "--all", cwd=cwd)
    run("git", *identity, "commit", "--quiet", "--message", "test", cwd=cwd)


def shrink(path):
    """Few methods, two steps each, short evaluation."""
    tree = profile.load(path)
    for name in set(tree["methods"]) - set(METHODS):
        del tree["methods"][name]
    for name in METHODS:
        tree["methods"][name]["train"].pop("epochs", None)
        tree["methods"][name]["train"]["steps"] = STEPS
    profile.save(path, tree)
    change(path, SMALL)


def change(path, values):
    """Set dotted keys of a params file."""
    tree = profile.load(path)
    for key, value in values.items():
        *parents, last = key.split(".")
        block = reduce(getitem, parents, tree)
        assert last in block, f"params.yaml has no {key}"
        block[last] = value
    profile.save(path, tree)


def lines(clone):
    """Lines of every JSON Lines file of the data stages, by path."""
    files = (path for part in DATA for path in (clone / "data" / part).rglob("*.jsonl"))
    return {path: path.read_text(encoding="utf-8").splitlines() for path in files}


def followers(method):
    return {f"{stage}@{method}" for stage in ("train", "export", "quantize", "eval")}


class TestData:
    def test_the_gate_is_reached_without_training(self, audited):
        assert {"merge", "anonymize", "split", "audit"} <= audited
        assert not {name for name in audited if name.startswith(("base", "train", "eval"))}

    def test_a_clean_clone_makes_the_committed_bytes(self, clone, audited):
        assert run("git", "ls-files", "dvc.lock", cwd=clone) == "dvc.lock\n"
        assert run("git", "status", "--porcelain", cwd=clone) == ""

    def test_the_clone_runs_its_own_code(self, clone):
        where = "import canvas; print(canvas.__file__)"
        printed = run(sys.executable, "-c", where, cwd=clone).strip()
        assert Path(printed) == clone / "canvas/__init__.py"


class TestWhole:
    def test_every_out_is_there(self, clone, reproduced):
        for stage in pipeline.load(clone):
            missing = [out for out in stage.outs if not (clone / out).exists()]
            assert missing == [], stage.name
        assert set.union(*map(followers, METHODS)) <= reproduced

    @pytest.mark.parametrize("method", ["base", *METHODS])
    def test_the_metrics_say_how_good(self, clone, reproduced, method):
        scores = io.read_json(clone / f"metrics/eval/{method}.json")
        for file in ("f16", "Q4_K_M"):
            assert 0 <= scores[file]["basic"]["pass_1"] <= 1
            assert scores[file]["basic"]["n"] >= 80
            assert scores[file]["planning"]["n"] >= 12
            assert 0 <= scores[file]["parse_rate"] <= 1
        assert scores["heldout"]["trajectory_loss"] > 0
        assert 0 <= scores["heldout"]["preference_accuracy"] <= 1
        assert 0 <= scores["heldout"]["kto_accuracy"] <= 1

    def test_no_file_names_a_machine(self, clone, reproduced):
        for folder in ("metrics", "data"):
            for path in (clone / folder).rglob("*.json*"):
                assert str(clone) not in path.read_text(encoding="utf-8"), path

    def test_a_second_run_runs_nothing(self, workplace):
        assert repro(workplace) == set()
        assert run("git", "status", "--porcelain", cwd=workplace) == ""


class TestReruns:
    def test_one_learning_rate_reruns_that_method_alone(self, workplace):
        change(workplace / "params.yaml", {"methods.dpo.train.learning_rate": 1.5e-5})
        assert repro(workplace) == followers("dpo") | {"audit_models"}

    def test_what_starts_at_sft_follows_it(self, workplace):
        change(workplace / "params.yaml", {"methods.sft.train.learning_rate": 1.5e-4})
        ran = repro(workplace, "train@dpo", "train@lora")
        assert {"train@sft", "reference", "train@dpo"} <= ran
        assert not {"base", "merge", "train@lora"} & ran

    def test_a_contribution_reruns_no_base_and_changes_no_row(self, workplace):
        before = lines(workplace)
        contribute(workplace)
        ran = repro(workplace, "audit", "base")
        assert {"merge", "anonymize", "audit"} <= ran
        assert not {"base", "corpus", "sessions"} & ran
        after, grown = lines(workplace), set()
        for path, old in before.items():
            new, known = after[path], set(old)
            assert [line for line in new if line in known] == old, path
            grown |= {path.parent.name} if len(new) > len(old) else set()
        assert {"merged", "clean", "pairs", "splits"} <= grown


class TestBadContributions:
    def test_an_unmasked_one_stops_at_the_gate(self, workplace):
        raw(workplace / "data/collab/newcomer.jsonl")
        output = refused(workplace, "train@sft")
        assert "data/collab/newcomer.jsonl" in output
        assert "Running stage 'train@sft'" not in output
        assert not (workplace / "data/audit.ok").exists()

    def test_bad_rows_are_quarantined_and_good_ones_survive(self, workplace):
        corpus = workplace / "data/clean/corpus.jsonl"
        before = len(io.read_rows(corpus))
        path = contribute(workplace)
        count = len(io.read_rows(path))
        with path.open("ab") as file:
            file.write(b'{"type":"course_snapshot","course_na\n{"type":7}\n\xff\xfe\n')
        repro(workplace, "anonymize")
        bad = io.read_rows(workplace / "data/merged/quarantine.jsonl")
        assert {row["file"] for row in bad} == {f"data/collab/{path.name}"}
        assert [row["line"] for row in bad] == [count + 1, count + 2, count + 3]
        assert all(row["reason"] for row in bad)
        assert io.read_json(workplace / "metrics/merge.json")["quarantined"] == len(bad)
        assert len(io.read_rows(corpus)) > before
        # What was left out reveals nobody, so the gate lets the good rows pass.
        assert "audit" in repro(workplace, "audit")
        assert (workplace / "data/audit.ok").exists()

    def test_too_many_stop_the_stage(self, workplace):
        limit = io.params("merge.max_bad_rows", path=workplace / "params.yaml")["max_bad_rows"]
        (workplace / "data/collab/bad.jsonl").write_text("{\n" * (limit + 1), encoding="utf-8")
        output = refused(workplace, "merge")
        assert f"{limit + 1} bad rows" in output
        assert "merge.max_bad_rows" in output


class TestKilled:
    def test_nothing_half_written_stays_and_the_next_run_ends_the_same(self, workplace):
        models = workplace / "models"
        change(workplace / "params.yaml", {"methods.kto.train.learning_rate": 1.5e-5})
        kill_when(workplace, "train@kto", lambda: any(models.glob(".kto.*.part")))
        assert not (models / "kto").exists()
        assert "train@kto" in repro(workplace, "train@kto")
        first = io.read_json(workplace / "metrics/train/kto.json")
        assert (models / "kto/config.json").exists()
        repro(workplace, "--force", "--single-item", "train@kto")
        again = io.read_json(workplace / "metrics/train/kto.json")
        assert again == pytest.approx(first, rel=1e-4)


def raw(path):
    """One synthetic export as Canvas gives it, with personal data, of nobody in data/sample."""
    made = generate(seed=91, contributors=2, courses=2, assignments=6)
    io.write_rows(path, next(iter(made.files.values())))


def contribute(clone):
    """Mask one export as a contributor would; the path of the contribution."""
    before = set((clone / "data/collab").glob("*.jsonl"))
    raw(clone / "data/raw/export.jsonl")
    run(sys.executable, "-m", "canvas", "mask", "data/raw/export.jsonl", cwd=clone)
    (path,) = set((clone / "data/collab").glob("*.jsonl")) - before
    return path


def kill_when(clone, stage, condition):
    """Start one stage and end it, and all that it started, as soon as the condition holds."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dvc", "repro", stage],
        cwd=clone,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while not condition():
            assert process.poll() is None, f"{stage} ended before it could be killed"
            time.sleep(0.02)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
