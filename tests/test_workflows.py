"""Workflows: pinned actions, least rights, and nothing that a stranger chooses inside a script."""

import re
from pathlib import Path

import pytest

from canvas import io

FILES = sorted(Path(".github/workflows").glob("*.yml"))
WRITE = {"audit-comment.yml"}
CHOSEN = re.compile(
    r"\$\{\{[^}]*(?:github\.head_ref|\.title|\.body|head_branch|\.message|\.email|\.login|inputs\.)"
)


def jobs(path: Path) -> list[dict]:
    return list(io.read_yaml(path)["jobs"].values())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
class TestEach:
    def test_actions_are_pinned_to_commits(self, path):
        for job in jobs(path):
            for step in job["steps"]:
                uses = step.get("uses")
                assert uses is None or re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", uses), uses

    def test_rights_are_named_and_few(self, path):
        document = io.read_yaml(path)
        granted = [document["permissions"], *(job.get("permissions", {}) for job in jobs(path))]
        rights = {right for block in granted for right in block.items()}
        writes = {name for name, right in rights if right == "write"}
        assert writes == ({"pull-requests"} if path.name in WRITE else set())

    def test_no_script_holds_an_expression(self, path):
        for job in jobs(path):
            for step in job["steps"]:
                assert not CHOSEN.search(step.get("run", "")), step
                assert "${{" not in step.get("run", ""), step

    def test_no_code_of_a_fork_runs_with_the_rights_of_the_repository(self, path):
        document = io.read_yaml(path)
        assert "pull_request_target" not in document["on"]
        if "workflow_run" in document["on"]:
            for job in jobs(path):
                for step in job["steps"]:
                    if "checkout" in step.get("uses", ""):
                        default = "${{ github.event.repository.default_branch }}"
                        assert step["with"] == {"ref": default, "persist-credentials": False}
