"""Masking of raw exports: fields by policy, dates, handles; nothing personal in rows or names."""

import json

from canvas.mask import mask
from canvas.merge import Contribution
from canvas.registry import TOKEN, Registry
from canvas.schema import problem
from canvas.terms import shift_terms
from tests.test_merge import ALL, COURSE, NEWS, ROSTER, SESSION, TODO

KEY = b"the key of one contributor"


def masked(*rows: dict, key: bytes = KEY):
    return mask(
        [Contribution("raw.jsonl", n, row, "quietheron96") for n, row in enumerate(rows)], key
    )


def test_rows_stay_good_contributions_without_anything_personal():
    result = masked(*ALL)
    ((handle, rows),) = result.rows.items()
    assert [problem(row) for row in rows] == [None] * len(ALL)
    text = json.dumps(rows, ensure_ascii=False)
    for leak in ("3704", "21936", "praman4", "N12345678", "18934", "quietheron96", "555-", "Priya",
                 "Raman", "@example"):  # fmt: skip
        assert leak not in text
    assert TOKEN.fullmatch(f"@{handle}")
    assert {row["contributor_id"] for row in rows} == {f"@{handle}"}
    assert {row["key_id"] for row in rows} == {Registry(KEY).key_id}


def test_a_person_has_one_token_in_every_field():
    rows = next(iter(masked(ROSTER, NEWS).rows.values()))
    person = rows[0]["people"][0]["name"]
    item = rows[1]["items"][0]
    assert item["author"] == person
    assert person in item["message"]


def test_dates_move_by_the_secret_weeks_in_fields_and_texts():
    weeks = Registry(KEY).shift_weeks
    named = json.loads(json.dumps(COURSE))
    named["assignments"][0]["name"] = "Quiz, Wednesday, March 4th"
    (row,) = next(iter(masked(named).rows.values()))
    from datetime import date, timedelta

    due = date.fromisoformat(row["assignments"][0]["due_at"][:10])
    assert due == date(2026, 3, 5) + timedelta(weeks=weeks)
    assert row["assignments"][0]["due_at"][10:] == "T04:59:59Z"
    assert row["assignments"][1]["due_at"] is None
    day = date(2026, 3, 4) + timedelta(weeks=weeks)
    assert f"{day:%B} {day.day}" in row["assignments"][0]["name"]
    collected = date.fromisoformat(row["collected_at"][:10])
    assert collected == date(2026, 3, 1) + timedelta(weeks=weeks)


def test_other_peoples_short_tokens_get_our_own():
    foreign = {
        **COURSE,
        "course_code": "@COURSE1/5040 S26",
        "course_name": "@COURSE1/5040 S26 Open",
    }
    (row,) = next(iter(masked(foreign).rows.values()))
    assert TOKEN.fullmatch(row["course_code"])
    term = shift_terms("S26", Registry(KEY).shift_weeks)
    assert row["course_name"] == f"{row['course_code']} {term} Open"
    assert term != "S26"


def test_masking_again_changes_nothing_but_the_dates():
    once = next(iter(masked(*ALL).rows.values()))
    again = next(iter(masked(*once).rows.values()))
    for first, second in zip(once, again, strict=True):
        if first["type"] != "course_snapshot":
            continue
        assert [a["name"] for a in first["assignments"]] == [
            a["name"] for a in second["assignments"]
        ]
        assert first["course_code"] == second["course_code"]


def test_unknown_fields_are_dropped_and_counted():
    result = masked({**TODO, "account": "raw"}, {**TODO, "account": 1, "zip": 2})
    assert result.dropped == {"account": 2, "zip": 1}
    assert "raw" not in json.dumps(result.rows)


def test_sessions_are_masked_inside_json_texts():
    (row,) = next(iter(masked(SESSION).rows.values()))
    assert "@COURSE" in row["messages"][0]["content"]
    assert json.loads(row["messages"][1]["content"])["code"].startswith("@COURSE")


def test_two_contributors_in_one_call_get_a_file_each():
    rows = [Contribution("a", 1, TODO, "one"), Contribution("b", 1, TODO, "two")]
    assert len(mask(rows, KEY).rows) == 2


def test_keys_give_different_tokens_and_files():
    one, two = masked(COURSE), masked(COURSE, key=b"the key of another one")
    assert one.rows.keys() != two.rows.keys()


def test_terms_move_with_the_dates_wherever_they_stand():
    weeks = Registry(KEY).shift_weeks
    named = json.loads(json.dumps(COURSE)) | {"term": "Spring 2026"}
    named["course_name"] = "Planning (Spring 2026)"
    named["assignments"][0]["name"] = "Essay 202601"
    (row,) = next(iter(masked(named).rows.values()))
    assert row["term"] == shift_terms("Spring 2026", weeks) != "Spring 2026"
    assert row["course_name"] == f"Planning ({row['term']})"
    assert row["assignments"][0]["name"] == f"Essay {shift_terms('202601', weeks)}"


def test_rare_points_become_common():
    named = json.loads(json.dumps(COURSE))
    named["assignments"][0]["points_possible"] = 33.5
    (row,) = next(iter(masked(named).rows.values()))
    assert row["assignments"][0]["points_possible"] == 35.0
