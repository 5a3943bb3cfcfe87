"""The sample generator: amounts, planted values, and the committed files."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from canvas import catalogue, trajectory
from canvas.sample import identifiers, people
from canvas.sample.__main__ import main
from canvas.sample.contributions import generate

COMMITTED = Path(__file__).parents[1] / "data" / "sample"
KINDS = {
    "person", "given_name", "surname", "email", "phone", "address", "student_id", "ssn", "iban",
    "card", "ip", "url", "crn", "section", "course_code", "canvas_id", "sis_id", "handle",
}  # fmt: skip


@pytest.fixture(scope="module")
def sample():
    return generate(7)


def _rows(sample, kind):
    return [row for rows in sample.files.values() for row in rows if row["type"] == kind]


def test_amounts_asked_for(sample):
    courses = _rows(sample, "course_snapshot")
    titles = {(row["course_code"].casefold(), item["name"]) for row in courses
              for item in row["assignments"]}  # fmt: skip
    assert len(sample.files) >= 6
    assert len(courses) >= 40
    assert len(titles) >= 1000
    for kind in ("todo", "announcement", "syllabus", "roster"):
        assert _rows(sample, f"{kind}_snapshot")
    statuses = {item["submission_status"] for row in courses for item in row["assignments"]}
    assert statuses == {"GRADED", "SUBMITTED", "NOT_SUBMITTED"}
    assert {item["type"] for row in courses for item in row["assignments"]} == {
        "ASGN", "QUIZ", "DISC",
    }  # fmt: skip


def test_every_kind_is_planted_and_every_planted_value_is_in_the_files(sample):
    text = "\n".join(
        json.dumps(row, ensure_ascii=False) for rows in sample.files.values() for row in rows
    )
    assert {row["kind"] for row in sample.planted} == KINDS
    assert not [row for row in sample.planted if row["value"] not in text]
    assert len(sample.kept) >= 10
    assert all(title in text for title in sample.kept)


def test_course_codes_turn_up_in_every_spelling():
    sample = generate(7, courses=80)
    shapes = {re.sub(r"[a-z]+", "w", re.sub(r"[A-Z]+", "W", re.sub(r"\d+", "9", row["value"])))
              for row in sample.planted if row["kind"] == "course_code"}  # fmt: skip
    assert len(shapes) >= len(identifiers.COURSE_SPELLINGS) - 1


def test_same_seed_same_bytes_and_another_seed_other_bytes(tmp_path):
    def written(folder, seed):
        result = CliRunner().invoke(main, ["--seed", str(seed), "--out", str(tmp_path / folder)])
        assert result.exit_code == 0, result.output
        return {file.name: file.read_bytes() for file in (tmp_path / folder).iterdir()}

    assert written("a", 7) == written("b", 7)
    assert written("a", 7) != written("c", 8)


def test_a_larger_sample_has_more_of_everything():
    larger = generate(7, contributors=12, courses=60, assignments=30)
    assert len(larger.files) == 12
    assert (
        sum(row["type"] == "course_snapshot" for rows in larger.files.values() for row in rows)
        >= 60
    )


def test_fewer_courses_than_contributors_is_an_error(tmp_path):
    result = CliRunner().invoke(main, ["--courses", "3", "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "--courses" in result.output


def test_two_contributors_share_a_course(sample):
    seen = {}
    for handle, rows in sample.files.items():
        for row in rows:
            if row["type"] == "syllabus_snapshot":
                seen.setdefault(row["body"], set()).add(handle)
    assert sum(len(handles) == 2 for handles in seen.values()) == len(sample.files)


def test_recordings_are_trajectories(sample):
    rows, quarantine = trajectory.build(_rows(sample, "session"))
    assert quarantine == []
    assert len(rows) == 2 * len(sample.files)


def test_names_are_no_words_of_the_catalogue():
    words = {word.casefold() for subject in catalogue.SUBJECTS
             for text in (*subject.courses, *subject.topics) for word in text.split()}  # fmt: skip
    assert not words & {name.casefold() for name in people.GIVEN + people.SURNAMES}


def test_committed_sample_is_what_seed_7_generates(tmp_path):
    result = CliRunner().invoke(main, ["--seed", "7", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    for file in tmp_path.iterdir():
        same = (COMMITTED / file.name).read_bytes() == file.read_bytes()
        assert same, f"{file.name}: run python -m canvas.sample --seed 7 --out data/sample"
    handles = {file.name for file in COMMITTED.glob("*.jsonl")}
    assert handles == {file.name for file in tmp_path.glob("*.jsonl")}
    assert sum(file.stat().st_size for file in COMMITTED.iterdir()) < 1_000_000
