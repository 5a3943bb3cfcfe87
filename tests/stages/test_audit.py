"""Stage audit in a temporary folder: passes on clean data, fails and names what leaks where."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import io
from canvas.mask import mask
from canvas.merge import Contribution
from canvas.registry import SAMPLE_KEY
from stages.audit import main
from tests.audit.test_conversations import KTO, MESSAGES, TOOL
from tests.test_merge import ALL

OTHER = [
    MESSAGES[0],
    {"role": "user", "content": "What score have I got in @C7 until now?"},
    *MESSAGES[2:],
]
SCENARIOS = Path("data/scenarios/basic.yaml").absolute()
ROW = {"row_id": "trajectory-1", "wording": "grade/1", "messages": MESSAGES, "tools": [TOOL]}
# A raw export in the shape of published ones: codes in many spellings, section numbers, names.
RAW = [
    {
        "type": "course_snapshot",
        "course_name": name,
        "course_code": code,
        "term": "2026 Spring",
        "assignments": [
            {"name": title, "type": "ASGN", "due_at": None, "points_possible": 1.0,
             "submission_types": ["external_tool"], "submission_status": "GRADED"}
            for title in titles
        ],
        "contributor_id": "Someone23",
        "collected_at": "2026-05-04T18:50:00.500701+00:00",
    }
    for name, code, titles in [
        ("(80317) First Year Seminar", "ALS_1234_80317_202309", ["Resume"]),
        ("@COURSE1/5040 S26 OpenDSA", "@COURSE1/5040 S26", ["01.01 Data Structures"]),
        ("SPRING 2024_CHEM 1036 MWF", "SPRING 2024_CHEM 1036 MWF", ["@COURSE2 TEST 1"]),
        ("Planning", "AAEC_2104_10066_202501", ["Interview with Amanda", "Interview with Eric"]),
        ("Site 1 Chem 1045 Fall 2023", "Site 1 Chem 1045 Fall 2023", ["Exp 1: Pre-Lab Quiz"]),
    ]
]  # fmt: skip


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("collab", "clean", "splits", "base", "scenarios"):
        (tmp_path / folder).mkdir()
    (tmp_path / "scenarios/basic.yaml").write_bytes(SCENARIOS.read_bytes())
    write("clean/corpus.jsonl", {"kind": "item", "title": "Essay for @COURSE12345678"})
    write("clean/sessions.jsonl", {"messages": MESSAGES, "tools": [TOOL]})
    write("splits/trajectory_train.jsonl", ROW)
    test = {**ROW, "row_id": "trajectory-2", "wording": "grade/2", "messages": OTHER}
    write("splits/trajectory_test.jsonl", test)
    write("base/text.jsonl", {"messages": [{"role": "user", "content": "Which parcel is heavy?"}]})
    Path("planted.json").write_text(json.dumps([{"kind": "person", "value": "Priya Raman"}]))
    Path("key.txt").write_bytes(SAMPLE_KEY.read_bytes())
    return tmp_path


def write(name: str, *rows: dict) -> None:
    io.write_rows(Path(name), rows)


def run():
    arguments = ["collab", "splits", "scenarios", "planted.json", "key.txt"]
    scanned = ["--corpus", "clean/corpus.jsonl", "--sessions", "clean/sessions.jsonl"]
    outs = ["metrics/audit.json", "audit.ok", *scanned, "--sessions", "base"]
    return CliRunner().invoke(main, arguments + outs)


def refused() -> str:
    result = run()
    assert result.exit_code == 1
    assert not Path("audit.ok").exists()
    assert io.read_json(Path("metrics/audit.json"))["findings"] > 0
    return result.output


def test_clean_data_passes_with_a_constant_file(place):
    result = run()
    assert result.exit_code == 0, result.output
    assert (place / "audit.ok").read_text() == "audited\n"
    assert io.read_json(place / "metrics/audit.json")["findings"] == 0


def test_an_old_ok_does_not_outlive_a_finding(place):
    run()
    write("clean/corpus.jsonl", {"title": "CS 3704"})
    refused()


def test_an_unmasked_export_fails_and_what_leaks_is_named(place):
    write("collab/raw.jsonl", *RAW)
    output = refused()
    for expected in (
        "collab/raw.jsonl:1: contributor_id: unmasked handle",
        "collab/raw.jsonl:1: course_code: unmasked course code",
        "collab/raw.jsonl:1: course_name: section or CRN",
        "collab/raw.jsonl:2: course_name: foreign token",
        "collab/raw.jsonl:3: course_name: course code",
        "collab/raw.jsonl:4: assignments[0].name: given name",
        "collab/raw.jsonl:5: course_name: course code",
        "canvas mask",
    ):
        assert expected in output
    for leak in ("Someone23", "80317", "Amanda", "1036"):
        assert leak not in output
    report = Path(".scratch/audit.txt").read_text()
    assert len(report.splitlines()) == io.read_json(Path("metrics/audit.json"))["findings"]


def test_the_same_export_masked_passes(place):
    rows = [Contribution("raw.jsonl", n, row, "Someone23") for n, row in enumerate([*RAW, *ALL])]
    masked = mask(rows, b"the key of one contributor")
    for handle, contributed in masked.rows.items():
        write(f"collab/{handle}.jsonl", *contributed)
    result = run()
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("name", ["export.json", "old/raw.jsonl", "ids.csv", "RAW.JSONL"])
def test_files_that_no_stage_reads_are_refused(place, name):
    path = place / "collab" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text('{"contributor_id": "Someone23"}')
    assert f"collab/{name}:1: file: not a contribution" in refused()


def test_links_among_contributions_are_refused(place):
    write("elsewhere.jsonl", {"x": 1})
    (place / "collab/link.jsonl").symlink_to(place / "elsewhere.jsonl")
    assert "collab/link.jsonl:1: file: not a contribution" in refused()


def test_the_folder_may_say_what_it_is_for(place):
    (place / "collab/README.md").write_text("Put masked exports here.")
    (place / "collab/.gitkeep").touch()
    assert run().exit_code == 0


@pytest.mark.parametrize(
    ("file", "row", "expected"),
    [
        ("clean/corpus.jsonl", {"a": {"b": ["call (540) 555-0134"]}}, "a.b[0]: telephone number"),
        ("clean/sessions.jsonl", {"x": "by Priya Raman"}, "x: planted person"),
        ("clean/sessions.jsonl", {"p.raman@example.edu": 1}, "row (key): e-mail address"),
        ("splits/kto_test.jsonl", {"row_id": "k", "wording": "grade/1"}, "wording overlap"),
        ("splits/kto_test.jsonl", {**KTO, "prompt": [{"role": "user", "content": "my grade"}]},
         "text: near-duplicate: 100% alike splits/trajectory_train.jsonl:1"),
        ("splits/kto_test.jsonl", {"row_id": ["k"]}, "prompt: does not parse: no list"),
        ("splits/preference_test.jsonl", {"item_a_id": 3}, "prompt: does not parse: no str"),
        ("base/notes.txt", {"x": "CS 3704"}, "x: course code"),
        ("splits/trajectory_train.jsonl", {**ROW, "tools": None}, "tools: does not parse"),
        ("splits/preference_train.jsonl", {"pair_id": "p", "item_a_id": "x", "item_b_id": "x",
                                           "prompt": "?", "rejected": "",
                                           "chosen": "Do A first: now."}, "chosen: intransitive"),
        ("clean/sessions.jsonl", {"messages": [
            {"role": "user", "content": "Tell me all the courses I'm signed up for."}
        ]}, "messages[0].content: scenario wording"),
        ("base/text.jsonl", {"messages": [
            {"role": "user", "content": "Tell me all the courses I'm signed up for."}
        ]}, "messages[0].content: scenario wording"),
    ],
)  # fmt: skip
def test_each_finding_names_file_line_and_field(place, file, row, expected):
    write(file, row)
    assert f"{file}:1: {expected}" in refused() or expected in refused()


def test_lines_of_outs_that_are_no_json(place):
    (place / "base/text.jsonl").write_text("{cut\n", encoding="utf-8")
    assert "base/text.jsonl:1: line: does not parse: no JSON object" in refused()


def test_the_report_is_markdown_without_what_leaks(place):
    write("clean/corpus.jsonl", {"t": "Ask Priya Raman | `CS 3704` <b>@someone</b>"})
    refused()
    report = Path(".scratch/audit.md").read_text(encoding="utf-8")
    assert "### course code" in report
    assert "`clean/corpus.jsonl:1`" in report
    for leak in ("Raman", "3704", "<b>", "@someone"):
        assert leak not in report


def test_no_finding_can_write_commands_into_the_log(place):
    nasty = "\ud800\n::add-mask::x\x1b[31m\u202e"
    (place / "clean/corpus.jsonl").write_text(
        json.dumps({nasty: {"t": f"CS 3704 {nasty}"}}) + "\n", encoding="ascii"
    )
    output = refused()
    assert not any(line.startswith("::") for line in output.splitlines())
    assert "\x1b" not in output
    assert "\u202e" not in output
    for name in ("audit.txt", "audit.md", "audit.json"):
        assert Path(".scratch", name).read_text(encoding="utf-8")
