"""The priority hint agrees with the urgency rule and does not depend on the order of the titles."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canvas.tools import Toolbox
from canvas.urgency import urgency
from canvas.world import World


def hint(world: World, titles: list[str]) -> dict:
    """The parsed result of one call."""
    return json.loads(Toolbox(world).call("reranker.priority_hint", {"items": titles}))


@given(st.integers(0, 10**5), st.randoms(use_true_random=False))
def test_the_first_is_the_most_urgent_in_any_order(seed, random):
    world = World.generate(seed)
    items = random.sample(world.assignments, random.randint(1, len(world.assignments)))
    result = hint(world, [item.title for item in items])
    ranked = {
        item.title: urgency(item.due, item.points, item.status, item.type, world.now)
        for item in items
    }
    assert ranked[result["first"]].score == max(found.score for found in ranked.values())
    assert result["reason"] == ranked[result["first"]].reason
    random.shuffle(items)
    assert hint(world, [item.title for item in items]) == result


def test_by_hand_and_whatever_the_spelling():
    world = World.from_dict({
        "now": "2026-03-04T09:00",
        "courses": [{"course": "@COURSE7", "name": "Ecology"}],
        "assignments": [
            {"title": title, "course": "@COURSE7", "type": "ASGN", "due": due, "points": points}
            for title, due, points in (
                ("Soil Lab", "2026-03-05T12:00", 10),
                ("Food Webs", "2026-03-06T12:00", 30),
                ("Final Project", "2026-04-20T12:00", 200),
            )
        ],
    })  # fmt: skip
    result = hint(world, ["final project", "soil  lab", "FOOD WEBS"])
    expected = {"first": "Food Webs", "reason": "it is due in 2 days and worth 30 points"}
    assert result == expected


@pytest.mark.parametrize(
    ("titles", "reason"),
    [
        ([], "items must have 1 to 20 titles"),
        (["x"] * 21, "items must have 1 to 20 titles"),
        (["No Such Thing"], "item 1 is no known title; canvas.get_assignments lists them"),
    ],
)
def test_wrong_items(titles, reason):
    assert hint(World.generate(1), titles) == {"error": reason}


def test_the_unknown_title_is_counted():
    world = World.generate(1)
    known = world.assignments[0].title
    assert hint(world, [known, "No Such Thing"])["error"].startswith("item 2 is no known title")


@pytest.mark.parametrize("titles", [["Beta", "Alpha"], ["Alpha", "Beta"]])
def test_a_tie_goes_to_the_title_that_sorts_first(titles):
    item = {"course": "@COURSE7", "type": "ASGN", "due": "2026-03-05T12:00", "points": 10}
    world = World.from_dict({
        "now": "2026-03-04T09:00",
        "courses": [{"course": "@COURSE7", "name": "Ecology"}],
        "assignments": [{**item, "title": title} for title in titles],
    })  # fmt: skip
    assert hint(world, titles)["first"] == "Alpha"
