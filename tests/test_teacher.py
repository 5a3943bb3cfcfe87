import itertools
import random

import pytest

from canvas import items
from canvas.io import BadInput
from canvas.teacher import Question, RulesTeacher, get, score

LINE = "[{}] Title {} @COURSE1 {} {}pts {}"


def vote(first, second):
    return RulesTeacher().vote(Question(f"A: {first}\nB: {second}\n?", first, second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("ASGN", 1, "OVERDUE", 5, "MISSING"), ("ASGN", 2, "DUE TODAY", 100, "OPEN")),
        (("ASGN", 1, "DUE TODAY", 5, "OPEN"), ("ASGN", 2, "DUE 1D", 100, "OPEN")),
        (("ASGN", 1, "DUE 3D", 5, "OPEN"), ("ASGN", 2, "DUE 4D", 100, "OPEN")),
        (("ASGN", 1, "DUE 2D", 50, "OPEN"), ("ASGN", 2, "DUE 1D", 5, "OPEN")),
        (("QUIZ", 1, "DUE 9D", 10, "OPEN"), ("DISC", 2, "DUE 9D", 10, "OPEN")),
        (("ASGN", 1, "DUE 8D", 10, "OPEN"), ("ASGN", 2, "DUE 9D", 10, "OPEN")),
        (("ASGN", 1, "DUE 90D", 1, "OPEN"), ("ASGN", 2, "NO DATE", 100, "OPEN")),
        (("ASGN", 1, "NO DATE", 1, "OPEN"), ("ASGN", 2, "DUE 1D", 100, "SUBMITTED")),
    ],
)
def test_the_more_urgent_item_wins_in_either_position(first, second):
    winner, loser = LINE.format(*first), LINE.format(*second)
    assert vote(winner, loser).choice == "A"
    assert vote(loser, winner).choice == "B"
    assert vote(winner, loser).reason == items.words(items.parse(winner))


def test_equal_items_are_a_tie():
    tied = vote(LINE.format("QUIZ", 1, "DUE 3D", 10, "OPEN"),
                LINE.format("QUIZ", 2, "DUE 3D", 10, "OPEN"))  # fmt: skip
    assert tied.choice is None
    assert vote(LINE.format("QUIZ", 1, "OVERDUE", 10, "GRADED"),
                LINE.format("DISC", 2, "OVERDUE", 99, "SUBMITTED")).choice is None  # fmt: skip


def test_votes_are_transitive():
    rng = random.Random(5)
    dues = ["OVERDUE", "DUE TODAY", "DUE 1D", "DUE 3D", "DUE 4D", "DUE 8D", "DUE 30D", "NO DATE"]
    lines = [
        LINE.format(rng.choice(["ASGN", "QUIZ", "DISC"]), n, rng.choice(dues),
                    rng.choice([1, 5, 12.5, 100]), rng.choice(["OPEN", "OPEN", "GRADED"]))
        for n in range(25)
    ]  # fmt: skip
    beats = {(a, b) for a, b in itertools.permutations(lines, 2) if vote(a, b).choice == "A"}
    assert beats
    for a, b in beats:
        assert (b, a) not in beats
        assert all((a, c) in beats for c in lines if (b, c) in beats)


def test_score_grows_as_the_date_nears():
    item = items.parse(LINE.format("ASGN", 1, "DUE 30D", 10, "OPEN"))
    near = [
        item._replace(due=due) for due in ("NO DATE", "DUE 30D", "DUE 2D", "DUE TODAY", "OVERDUE")
    ]
    assert [score(one) for one in near] == sorted(score(one) for one in near)
    assert len({score(one) for one in near}) == 5


def test_a_question_without_item_lines_is_refused():
    with pytest.raises(ValueError, match="not an item line"):
        vote("Title", "Other")


def test_teachers_by_name():
    assert get("rules").name == "rules"
    assert len(get("rules").version) == 12
    with pytest.raises(BadInput, match=r"no teacher 'oracle'.*use one of: rules"):
        get("oracle")
