import random

import pytest

from canvas import items, pairs
from canvas.io import BadInput
from canvas.split import side

PARAMS = {"seed": 7, "per_export": 120, "test_fraction": 0.15}


def corpus(contributor, count=150):
    """Item rows of one contributor: due from 40 days before to 40 days after the export."""
    rng = random.Random(contributor)
    rows = []
    for number in range(count):
        day = rng.randint(-40, 40)
        due = None if number % 17 == 0 else f"2026-{6 + day // 30:02d}-{1 + day % 28:02d}T12:00:00Z"
        rows.append(
            {
                "kind": "item",
                "item_id": f"item-{contributor}-{number:04d}",
                "course": f"@COURSE{rng.randint(1, 5):08d}",
                "type": rng.choice(["ASGN", "QUIZ", "DISC"]),
                "title": f"Homework {number}",
                "due_at": due,
                "points": float(rng.choice([5, 10, 20, 50, 100])),
                "status": rng.choice(["GRADED", "SUBMITTED", "NOT_SUBMITTED", "NOT_SUBMITTED"]),
                "collected_at": "2026-06-01T12:00:00Z",
                "contributor": contributor,
            }
        )
    return rows


@pytest.fixture(scope="module")
def drawn():
    return pairs.draw_pairs(corpus("a") + corpus("b"), **PARAMS)


def test_pairs_do_not_depend_on_the_order_of_the_rows(drawn):
    rows = corpus("b") + corpus("a")
    random.Random(1).shuffle(rows)
    assert pairs.draw_pairs(rows, **PARAMS) == drawn


def test_another_seed_draws_other_pairs(drawn):
    rows = corpus("a") + corpus("b")
    other = {row["pair_id"] for row in pairs.draw_pairs(rows, **{**PARAMS, "seed": 8})}
    assert len(other & {row["pair_id"] for row in drawn}) < len(drawn) / 2


def test_a_new_contributor_changes_no_pair(drawn):
    grown = pairs.draw_pairs(corpus("a") + corpus("new") + corpus("b"), **PARAMS)
    by_id = {row["pair_id"]: row for row in grown}
    assert len(grown) > len(drawn)
    assert all(by_id[row["pair_id"]] == row for row in drawn)


def test_a_new_item_changes_few_pairs_of_its_own_export():
    before = {row["pair_id"] for row in pairs.draw_pairs(corpus("a", 150), **PARAMS)}
    extra = {**corpus("a", 1)[0], "item_id": "item-a-new", "due_at": "2026-06-03T12:00:00Z"}
    after = {row["pair_id"] for row in pairs.draw_pairs([*corpus("a", 150), extra], **PARAMS)}
    assert after != before
    assert len(before - after) < len(before) * 0.1


def test_types_are_balanced_and_mean_what_they_say(drawn):
    share = 2 * PARAMS["per_export"] // len(pairs.PAIR_TYPES)
    for name in pairs.PAIR_TYPES:
        both = [
            (items.parse(row["item_a"]), items.parse(row["item_b"]))
            for row in drawn
            if row["pair_type"] == name
        ]
        assert len(both) == share
        for first, second in both:
            pair = {first, second}
            if name == "overdue_vs_upcoming":
                assert {item.status for item in pair} == {"MISSING", "OPEN"}
            elif name == "due":
                assert first.due != second.due
            elif name == "points":
                assert first.points != second.points
            elif name == "status":
                assert first.done != second.done
            elif name == "type":
                assert first.type != second.type
            else:
                assert first.course == second.course


def test_items_and_question_are_on_one_side(drawn):
    sides = [
        {side(row[key], PARAMS["test_fraction"]) for key in ("item_a_id", "item_b_id", "wording")}
        for row in drawn
    ]
    assert all(len(found) == 1 for found in sides)
    assert {"train"} in sides
    assert {"test"} in sides


def test_no_two_items_twice_and_neither_position_preferred(drawn):
    couples = [frozenset((row["item_a_id"], row["item_b_id"])) for row in drawn]
    assert len(set(couples)) == len(couples)
    assert all(len(couple) == 2 for couple in couples)
    done_first = sum(
        items.parse(row["item_a"]).done for row in drawn if row["pair_type"] == "status"
    )
    assert 0.25 < done_first / (len(drawn) / len(pairs.PAIR_TYPES)) < 0.75


def test_prompt_shows_both_lines_and_a_question(drawn):
    row = drawn[0]
    assert row["prompt"] == pairs.prompt(row["item_a"], row["item_b"], row["wording"])
    assert row["prompt"].startswith(f"A: {row['item_a']}\nB: {row['item_b']}\n")


def test_states_are_compared_within_one_export_only():
    later = [{**row, "item_id": row["item_id"] + "x", "collected_at": "2026-09-01T12:00:00Z"}
             for row in corpus("a", 30)]  # fmt: skip
    rows = pairs.draw_pairs(corpus("a", 30) + later, **PARAMS)
    assert rows
    assert all(row["item_a_id"].endswith("x") == row["item_b_id"].endswith("x") for row in rows)


def test_items_without_an_export_time_and_lonely_items_make_no_pairs():
    undated = [{**row, "collected_at": None} for row in corpus("a")]
    assert pairs.draw_pairs(undated, **PARAMS) == []
    assert pairs.draw_pairs(corpus("a", 1), **PARAMS) == []
    assert pairs.draw_pairs([], **PARAMS) == []


def test_a_side_without_questions_is_an_error():
    with pytest.raises(BadInput, match=r"split\.test_fraction"):
        pairs.questions_by_side(0.001)


def test_questions_are_distinct_and_short():
    assert len(set(pairs.QUESTIONS)) == len(pairs.QUESTIONS) >= 20
    assert max(map(len, pairs.QUESTIONS)) <= 50
