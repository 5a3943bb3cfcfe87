"""dvc.yaml, params.yaml, pyproject.toml and constraints.txt say what the code does."""

import re
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from canvas import io
from canvas.deps import condense, reached, third_party
from tests import pipeline

ROOT = Path(__file__).resolve().parents[1]
MAX_STAGES = 80


@pytest.fixture(scope="module")
def stages():
    return pipeline.load(ROOT)


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def tree(tmp_path):
    """A small repository: a package with a lazy import, a table, a template, and two stages."""
    files = {
        "canvas/__init__.py": '"""Doc."""\n__version__ = "1"\n',
        "canvas/io.py": "import json\n",
        "canvas/deep/__init__.py": (
            "from importlib import import_module\n"
            '_LAZY = {"Big": "big", "Small": "small"}\n'
            "def __getattr__(name):\n"
            '    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)\n'
        ),
        "canvas/deep/big.py": "import torch\n",
        "canvas/deep/small.py": "from canvas.io import json\n",
        "canvas/late.py": "def f():\n    from . import named\n",
        "canvas/named.py": (
            "from pathlib import Path\n"
            "from typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    import torch\n    from canvas.deep import big\n"
            'A = Path(__file__).with_suffix(".yaml")\n'
            'B = Path(__file__).parents[1] / "data" / "key.txt"\n'
            'C = Path(__file__).parent / "forms" / "chat.jinja"\n'
        ),
        "canvas/named.yaml": "",
        "canvas/forms/chat.jinja": "",
        "canvas/kinds/__init__.py": (
            "from importlib import import_module\n"
            'def pick(x):\n    return import_module(f"canvas.kinds.{x}")\n'
        ),
        "canvas/kinds/a.py": "import yaml\n",
        "canvas/kinds/b.py": "import faker.providers\n",
        "data/key.txt": "",
        "stages/light.py": (
            'from canvas import io, late\nKEYS = ("a", "b")\n'
            'def main():\n    io.params("seed", *(f"light.{key}" for key in KEYS))\n'
        ),
        "stages/train.py": (
            "from canvas import io\nfrom canvas.deep import Big\nfrom canvas.kinds import pick\n"
            'def main(method):\n    io.params("seed", f"methods.{method}.train")\n'
        ),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


PARAMS = {
    "seed": 1,
    "light": {"a": 1, "b": 2, "c": 3},
    "methods": {"sft": {"train": {"lr": 1}}, "dpo": {"train": {"lr": 2}}},
}


def stage(name, deps=(), outs=(), params=()):
    script = name.partition("@")[0]
    return pipeline.Stage(
        name, f"python -m stages.{script} x", tuple(map(Path, deps)), tuple(map(Path, outs)), params
    )


def names(paths):
    return {path.as_posix() for path in paths}


class TestReached:
    def test_imports_in_functions_files_named_and_type_checking(self, tree):
        assert names(reached(Path("stages/light.py"), tree)) == {
            "stages/light.py",
            "canvas/io.py",
            "canvas/late.py",
            "canvas/named.py",
            "canvas/named.yaml",
            "canvas/forms/chat.jinja",
            "data/key.txt",
        }

    def test_lazy_import_reaches_only_the_module_named(self, tree):
        files = names(reached(Path("stages/train.py"), tree))
        assert {"canvas/deep/__init__.py", "canvas/deep/big.py"} < files
        assert "canvas/deep/small.py" not in files

    def test_a_package_imported_whole_reaches_all_its_lazy_modules(self, tree):
        (tree / "stages/whole.py").write_text("from canvas import deep\n", encoding="utf-8")
        assert "canvas/deep/small.py" in names(reached(Path("stages/whole.py"), tree))

    def test_a_computed_module_name_reaches_the_package(self, tree):
        files = names(reached(Path("stages/train.py"), tree))
        assert {"canvas/kinds/a.py", "canvas/kinds/b.py"} < files

    def test_third_party(self, tree):
        light, train = (reached(Path(f"stages/{name}.py"), tree) for name in ("light", "train"))
        assert third_party(light, tree) == set()
        assert third_party(train, tree) == {"faker", "torch", "yaml"}

    def test_condensed_to_folders_that_are_needed_whole(self, tree):
        files = reached(Path("stages/train.py"), tree)
        assert names(condense(files, tree)) == {
            "canvas/deep/__init__.py",
            "canvas/deep/big.py",
            "canvas/io.py",
            "canvas/kinds",
            "stages/train.py",
        }


class TestChecks:
    """Each check finds what it is there for."""

    CODE = ("canvas/deep/__init__.py", "canvas/deep/big.py", "canvas/io.py", "canvas/kinds")

    def test_a_missing_dep_is_found(self, tree):
        good = stage("train@sft", ("stages/train.py", *self.CODE))
        assert pipeline.missing_deps(good, tree) == set()
        bad = stage("train@sft", self.CODE[1:])
        assert names(pipeline.missing_deps(bad, tree)) == {
            "stages/train.py",
            "canvas/deep/__init__.py",
        }

    def test_a_needless_dep_is_found(self, tree):
        good = stage("train@sft", ("stages/train.py", *self.CODE, "data/splits"))
        assert pipeline.needless_deps(good, tree) == set()
        bad = stage("train@sft", (*good.deps, "canvas/late.py", "canvas/deep"))
        assert names(pipeline.needless_deps(bad, tree)) == {"canvas/late.py", "canvas/deep"}

    def test_params_that_fit(self, tree):
        for good in (
            stage("light", params=("seed", "light.a", "light.b")),
            stage("train@dpo", params=("seed", "methods.dpo.train")),
        ):
            assert pipeline.param_problems(good, tree, PARAMS) == []

    @pytest.mark.parametrize(
        ("bad", "problem"),
        [
            (stage("light", params=("seed", "light.a")), "light.b is read and not tracked"),
            (stage("light", params=("seed", "light")), "light.c is tracked and not read"),
            (stage("light", params=("seed", "light.a", "light.b", "x")), "x is not in params.yaml"),
            (stage("train@dpo", params=("seed", "methods")), "sft.train.lr is tracked and not"),
            (stage("train@dpo", params=("seed",)), "methods.dpo.train.lr is read and not tracked"),
        ],
    )
    def test_params_that_do_not(self, tree, bad, problem):
        found = pipeline.param_problems(bad, tree, PARAMS)
        assert any(problem in line for line in found), found

    def test_a_way_round_the_gate_is_found(self, tree):
        audit = stage("light", outs=("data/audit.ok",))
        first = stage("train@sft", deps=("data/audit.ok",), outs=("models/sft",))
        second = stage("train@dpo", deps=("models/sft/model.bin",), outs=("models/dpo",))
        free = stage("train@kto", deps=("data/rows",), outs=("models/kto",))
        assert pipeline.ungated([audit, first, second, free], tree) == {"train@kto"}


class TestPipeline:
    def test_every_reached_file_is_a_dep(self, stages):
        missing = {s.name: names(pipeline.missing_deps(s, ROOT)) for s in stages}
        assert not {k: v for k, v in missing.items() if v}, "python -m canvas.deps prints the lists"

    def test_no_stage_depends_on_code_it_does_not_reach(self, stages):
        needless = {s.name: names(pipeline.needless_deps(s, ROOT)) for s in stages}
        assert not {k: v for k, v in needless.items() if v}, "python -m canvas.deps prints them"

    def test_params_are_those_that_the_scripts_read(self, stages):
        params = io.read_yaml(ROOT / "params.yaml")
        problems = {s.name: pipeline.param_problems(s, ROOT, params) for s in stages}
        assert not {k: v for k, v in problems.items() if v}

    def test_a_stage_is_named_as_its_script(self, stages):
        names = {s.name: s.name.partition("@")[0].removesuffix("_base") for s in stages}
        assert [s.name for s in stages if names[s.name] != s.script.stem] == []

    def test_number_of_stages(self, stages):
        assert 30 <= len(stages) <= MAX_STAGES

    def test_nothing_trains_before_the_audit(self, stages):
        assert pipeline.ungated(stages, ROOT) == set()
        first = [s for s in stages if s.name.partition("@")[0] in ("base", "reference", "train")]
        assert [s.name for s in first if pipeline.GATE not in s.deps] == []
        assert len(first) >= 11

    def test_adding_a_contribution_reruns_no_base(self, stages):
        base = next(s for s in stages if s.name == "base")
        # The gate's file is constant, so what lies behind it alone cannot make base stale.
        beside_the_gate = [s for s in stages if pipeline.GATE not in s.outs]
        assert {s.name for s in pipeline.ancestors(base, beside_the_gate)} == {"corpus", "sessions"}
        assert not any(dep.match("data/collab") for dep in base.deps)

    def test_the_gate_needs_only_the_light_core(self, stages, project):
        audit = next(s for s in stages if pipeline.GATE in s.outs)
        allowed = modules([*project["dependencies"], *project["optional-dependencies"]["ner"]])
        for s in [audit, *pipeline.ancestors(audit, stages)]:
            assert third_party(reached(s.script, ROOT), ROOT) <= allowed, s.name


def requirements(project):
    """Every requirement of the project, extras included."""
    return [*project["dependencies"], *chain(*project["optional-dependencies"].values())]


def modules(lines):
    """Top-level modules of distributions; spaCy's by its name, for it may not be installed."""
    wanted = {canonicalize_name(Requirement(line).name) for line in lines}
    found = {
        module
        for module, owners in packages_distributions().items()
        if wanted & {canonicalize_name(owner) for owner in owners}
    }
    return found | {name.replace("-", "_") for name in wanted}


def pins():
    """Requirement by canonical name, of constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(requirement.name): requirement for requirement in found}


def closure(lines):
    """Canonical names and installed versions of requirements and of what they require."""
    versions, todo = {}, [(Requirement(line), "") for line in lines]
    done = set()
    while todo:
        requirement, extra = todo.pop()
        name = canonicalize_name(requirement.name)
        wanted = not requirement.marker or requirement.marker.evaluate({"extra": extra})
        if not wanted or (name, frozenset(requirement.extras)) in done:
            continue
        done.add((name, frozenset(requirement.extras)))
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue  # an extra that is not installed here, such as ner
        versions[name] = found.version
        for line in found.requires or []:
            todo += [(Requirement(line), which) for which in ("", *requirement.extras)]
    return versions


class TestPackages:
    def test_every_import_is_declared(self, project):
        files = [path for part in ("canvas", "stages") for path in (ROOT / part).rglob("*.py")]
        used = third_party([path.relative_to(ROOT) for path in files], ROOT)
        assert used - modules(requirements(project)) == set()

    def test_every_pin_is_exact(self):
        for requirement in pins().values():
            assert re.fullmatch(r"==[0-9][\w.+!]*", str(requirement.specifier)), requirement
            assert requirement.url is None

    def test_the_pins_are_what_is_installed_here(self, project):
        pinned = pins()
        wrong = {
            name: version
            for name, version in closure(requirements(project)).items()
            if name not in pinned or not pinned[name].specifier.contains(version)
        }
        assert wrong == {}


class TestAddresses:
    PATHS = r"(/(work|root)/|/tmp/[a-z]|/(home|Users)/[a-z])"
    REGISTRIES = r"(pypi\.org|pythonhosted\.org|registry\.npmjs|deb\.debian\.org|whl/c(pu|u))"

    @pytest.mark.parametrize("pattern", [PATHS, REGISTRIES], ids=["paths", "registries"])
    def test_none_stands_in_the_repository(self, pattern):
        found = subprocess.run(
            ["git", "grep", "-nEI", pattern, "--", ".", ":!LICENSE"],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert found.returncode == 1, found.stdout + found.stderr
