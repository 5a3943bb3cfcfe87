"""`canvas collect` against the Canvas server of the tests: masked, resumed, agreed to, no token."""

import json
import logging
import traceback
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from canvas.cli import main
from canvas.collect import command
from canvas.collect.collector import Collector, contributions
from canvas.intake import read
from canvas.live.requester import Requester
from canvas.schema import problem
from canvas.tools.base import ToolError
from tests.live import campus, canvas_server
from tests.live.campus import BIOLOGY, DESIGN, SECRETS
from tests.live.canvas_server import LIMITED, TOKEN, assignment

NOW = datetime(2026, 3, 4, 16, 0, tzinfo=UTC)
DROPS = ["drop"] * 5  # as often as a request is tried


@pytest.fixture
def server():
    with canvas_server.running() as canvas:
        campus.fill(canvas)
        quiz = canvas.routes[f"courses/{BIOLOGY}/assignments"][1]
        canvas.routes["users/self/todo"] = [
            {"type": "submitting", "assignment": quiz, "context_type": "Course"},
            {"type": "submitting", "quiz": {"id": 3}, "context_type": "Course"},
        ]
        yield canvas


@pytest.fixture
def collector(server):
    return Collector(Requester(server.url, TOKEN, sleep=lambda seconds: None), lambda: NOW)


@pytest.fixture
def run(server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("canvas.live.requester.FIRST", 0.0)

    def invoke(*arguments: str, entered: str = "y\n", env: dict | None = None):
        access = {"CANVAS_BASE_URL": server.url, "CANVAS_TOKEN": TOKEN}
        return CliRunner().invoke(
            main, ["collect", *arguments], input=entered, env=access if env is None else env
        )

    return invoke


def saved(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*")
                  if path.is_file())  # fmt: skip


def test_everything_of_every_course_becomes_good_rows(collector):
    list(collector.run())
    rows = collector.rows()
    assert [problem(row) for row in rows] == [None] * len(rows)
    assert [row["type"] for row in rows] == [
        "course_snapshot", "announcement_snapshot", "syllabus_snapshot", "roster_snapshot",
        "course_snapshot", "announcement_snapshot", "syllabus_snapshot", "roster_snapshot",
        "course_snapshot", "roster_snapshot", "todo_snapshot",
    ]  # fmt: skip
    biology = rows[0]
    assert biology["course_code"] == "BIOL-201-01"
    assert biology["term"] == "Spring 2026"
    assert biology["assignments"][1] == {
        "name": "Quiz 1", "type": "QUIZ", "due_at": "2026-03-05T16:00:00Z", "points_possible": 10.0,
        "submission_types": ["online_quiz"], "submission_status": "NOT_SUBMITTED",
    }  # fmt: skip
    assert [item["submission_status"] for item in rows[4]["assignments"]] == [
        "SUBMITTED", "GRADED", "NOT_SUBMITTED", "NOT_SUBMITTED",
    ]  # fmt: skip
    assert "Office hours" in rows[2]["body"]
    assert "<" not in rows[2]["body"]
    assert "x" not in rows[2]["body"].split()
    assert {row["contributor_id"] for row in rows} == {"alopez"}
    assert contributions(rows)[1] == []


def test_pages_are_followed(server, collector):
    server.page = 1
    list(collector.run())
    assert len(collector.rows()[0]["assignments"]) == 4


def test_a_part_that_has_come_is_not_asked_for_again(server, collector):
    run = collector.run()
    for part in run:
        if part == f"course {DESIGN}: assignments":
            server.moods = list(DROPS)
            break
    with pytest.raises(ToolError, match="does not answer"):
        next(run)
    before = len(server.asked)
    list(collector.run())
    again = server.paths[before:]
    assert again[0] == f"courses/{DESIGN}/assignments"
    assert f"courses/{BIOLOGY}/assignments" not in again
    assert len(collector.rows()) == 11


def test_a_limit_is_told_and_not_taken_for_a_closed_course(server, collector):
    run = collector.run()
    next(part for part in run if part.endswith("assignments"))
    server.moods = [LIMITED] * 5
    with pytest.raises(ToolError, match="limiting"):
        next(run)
    assert collector.closed == []


def test_what_is_not_open_is_left_out_and_named(server, collector):
    server.forbidden.add(f"courses/{DESIGN}/assignments")
    del server.routes["users/self/todo"]
    list(collector.run())
    assert collector.closed == [f"courses/{DESIGN}/assignments", "users/self/todo"]
    assert collector.rows()[4]["assignments"] == []


def test_rows_that_the_schema_does_not_know_are_named_by_their_shape(server, collector):
    server.routes[f"courses/{BIOLOGY}/assignments"] = [
        assignment(1, BIOLOGY, "Jane Smith's Essay", "tomorrow")
    ]
    list(collector.run())
    rows, (fault,) = contributions(collector.rows())
    assert len(rows) == 10
    assert "assignments[0].due_at" in str(fault)
    assert "Smith" not in json.dumps(fault.row())


def test_one_masked_file_after_a_yes(run, tmp_path):
    result = run()
    assert result.exit_code == 0, result.output
    (name,) = [name for name in saved(tmp_path) if name != ".canvas-key"]
    assert name.startswith("data/collab/PERSON")
    text = (tmp_path / name).read_text(encoding="utf-8")
    for secret in (*SECRETS, "alopez", "4711", "Ana", "Mary", "Roe"):
        assert secret not in text, secret
    assert all(isinstance(found, tuple) for found in read(tmp_path / name))
    assert "asking for course 20177: assignments" in result.output
    assert "  - BIOL 201 Midterm Exam\n  + @COURSE" in result.output
    assert "11 rows. Masked:" in result.output


@pytest.mark.parametrize("entered", ["n\n", "\n", ""])
def test_nothing_is_written_without_a_yes(run, tmp_path, entered):
    result = run(entered=entered)
    assert "Save these 11 rows" in result.output
    assert saved(tmp_path) == [".canvas-key"]


def test_it_goes_on_after_a_dropped_connection(run, server, tmp_path):
    server.moods = ["", "", *DROPS]
    result = run(entered="y\ny\n")
    assert "Go on where it stopped?" in result.output
    assert result.exit_code == 0, result.output
    assert len(saved(tmp_path)) == 2
    server.moods = list(DROPS)
    assert run(entered="n\n").exit_code == 1


def test_address_and_token_are_asked_for_and_the_token_is_not_shown(run, server, tmp_path):
    result = run(entered=f"{server.url}\n{TOKEN}\ny\n", env={})
    assert result.exit_code == 0, result.output
    assert TOKEN not in result.output
    assert len(saved(tmp_path)) == 2


@pytest.mark.parametrize(
    ("moods", "routes"),
    [([], {}), (DROPS * 2, {}), ([(200, "<html>", {})] * 9, {}), ([], {"users/self/profile": []})],
)
def test_the_token_is_in_no_output_file_log_or_traceback(
    run, server, tmp_path, caplog, moods, routes
):
    caplog.set_level(logging.DEBUG)
    server.moods = list(moods)
    server.routes |= routes
    result = run(entered="y\nn\n")
    told = traceback.TracebackException(*result.exc_info, capture_locals=True)
    # The test's own frames hold the token; those of the product must not, with all their locals.
    told.stack[:] = [frame for frame in told.stack if "/canvas/" in frame.filename]
    shown = result.output + "".join(told.format())
    files = "".join(p.read_text() for p in tmp_path.rglob("*") if p.is_file())
    for text in (shown, files, caplog.text):
        assert TOKEN not in text


def test_what_is_no_canvas_is_told(run, server):
    server.routes["users/self/profile"] = []
    result = run(entered="n\n")
    assert "does not answer for profile as Canvas does" in result.output
    assert isinstance(result.exception, SystemExit)


def test_a_gap_of_the_masking_writes_nothing(run, tmp_path, monkeypatch):
    monkeypatch.setattr("canvas.mask.Masker._text", lambda self, text, kind, near: text)
    result = run()
    assert result.exit_code == 1
    assert "identifiers would still be readable" in result.output
    assert saved(tmp_path) == [".canvas-key"]


def test_long_texts_are_shown_short():
    assert len(command._short("word " * 100)) == 160
