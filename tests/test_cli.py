"""The command line, and `canvas mask`: writes checked contributions, names what it leaves out."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from canvas import contribute
from canvas.cli import main
from canvas.intake import read
from canvas.registry import SAMPLE_KEY
from tests.test_merge import ALL, TODO


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str):
        return CliRunner().invoke(main, ["mask", *arguments])

    return invoke


def export(path, *rows, tail: bytes = b""):
    path.write_bytes("".join(json.dumps(row) + "\n" for row in rows).encode() + tail)
    return path.name


def test_writes_one_file_named_by_the_handle_token(run, tmp_path):
    result = run(export(tmp_path / "raw.jsonl", *ALL))
    assert result.exit_code == 0, result.output
    (path,) = (tmp_path / "data/collab").glob("*")
    assert path.name.startswith("PERSON")
    assert len(list(read(path))) == len(ALL)
    assert f"{len(ALL)} rows" in result.output
    assert "COURSE" in result.output
    assert "quietheron96" not in result.output + path.read_text()
    assert (tmp_path / ".canvas-key").stat().st_mode & 0o777 == 0o600


def test_the_same_key_gives_the_same_file(run, tmp_path):
    name = export(tmp_path / "raw.jsonl", *ALL)
    run(name)
    (path,) = (tmp_path / "data/collab").glob("*")
    first = path.read_bytes()
    run(name)
    assert path.read_bytes() == first


def test_bad_rows_are_named_and_good_ones_kept(run, tmp_path):
    result = run(export(tmp_path / "raw.jsonl", TODO, tail=b'{"type":"course_sna\n{"type":7}\n'))
    assert result.exit_code == 0
    assert "raw.jsonl:2: truncated line" in result.output
    assert "raw.jsonl:3: field 'type'" in result.output
    (path,) = (tmp_path / "data/collab").glob("*")
    assert len(list(read(path))) == 1


def test_no_good_row_writes_nothing(run, tmp_path):
    result = run(export(tmp_path / "raw.jsonl", tail=b"{"))
    assert result.exit_code == 1
    assert "no row can be kept" in result.output
    assert not (tmp_path / "data").exists()


def test_the_sample_key_is_refused(run, tmp_path):
    key = tmp_path / "key"
    key.write_bytes(SAMPLE_KEY.read_bytes())
    key.chmod(0o600)
    result = run(export(tmp_path / "raw.jsonl", TODO), "--key", "key")
    assert result.exit_code == 1
    assert "sample's public key" in result.output
    assert not (tmp_path / "data").exists()


def test_nothing_is_written_while_the_audit_finds_something(run, tmp_path, monkeypatch):
    def gap(rows, key):
        masked = contribute_mask(rows, key)
        next(iter(masked.rows.values()))[0]["items"][0]["assignment_name"] = "mail a.b@example.edu"
        return masked

    contribute_mask = contribute.mask
    monkeypatch.setattr(contribute, "mask", gap)
    result = run(export(tmp_path / "raw.jsonl", TODO))
    assert result.exit_code == 1
    assert "1 identifiers would still be readable" in result.output
    assert "e-mail address" in result.output
    assert "a.b@example.edu" not in result.output
    assert not (tmp_path / "data").exists()


HEAVY = ("torch", "transformers", "llama_cpp", "numpy", "rich", "httpx", "icalendar", "jsonschema")


def test_help_lists_the_commands_in_order():
    result = CliRunner().invoke(main, ["--help"])
    listed = [line.split()[0] for line in result.output.split("Commands:")[1].splitlines() if line]
    assert listed == ["chat", "plan", "scenarios", "score", "compare", "collect", "mask"]


def test_help_imports_nothing_heavy():
    code = f"import sys, canvas.cli; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("command", main.commands)
def test_every_command_has_help(command):
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    assert max(map(len, result.output.splitlines())) <= 80
