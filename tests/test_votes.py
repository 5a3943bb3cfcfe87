import json

import pytest

from canvas import pairs, votes
from canvas.io import BadInput
from canvas.teacher import Question, RulesTeacher, Vote

SOON = "[QUIZ] Quiz 5 @COURSE2 DUE 1D 20pts OPEN"
LATE = "[ASGN] Essay 1 @COURSE1 DUE 9D 50pts OPEN"


def pair(number=0, item_a=LATE, item_b=SOON):
    wording = f"pairs/{number:02d}"
    return {
        "pair_id": f"pair-{number}",
        "prompt": pairs.prompt(item_a, item_b, wording),
        "pair_type": "due",
        "wording": wording,
        "item_a_id": "item-1",
        "item_b_id": "item-2",
        "item_a": item_a,
        "item_b": item_b,
    }


class Counting:
    """The rules teacher, counting its questions and failing at one of them."""

    name, version = "counting", "1"

    def __init__(self, fail_at=None):
        self.asked: list[Question] = []
        self._fail_at, self._rules = fail_at, RulesTeacher()

    def vote(self, question):
        if len(self.asked) == self._fail_at:
            raise ConnectionError("gone")
        self.asked.append(question)
        return self._rules.vote(question)


class Biased:
    """Says A, whatever A is."""

    name, version = "biased", "1"

    def vote(self, question):
        return Vote("A", "it comes first")


def labelled(rows, teacher, path):
    with votes.VoteFile(path) as kept:
        return list(votes.label(rows, teacher, kept))


def test_unanimous_pair_becomes_a_preference(tmp_path):
    [(_, row)] = labelled([pair()], RulesTeacher(), tmp_path / "votes.jsonl")
    assert row["chosen"] == "Do B first: this quiz is due in 1 day, worth 20 points."
    assert row["rejected"] == "Do A first: this assignment is due in 9 days, worth 50 points."
    assert row["votes"] == ["B", "B", "B"]
    assert "item_a" not in row
    assert row["prompt"] == pair()["prompt"]


def test_last_vote_is_asked_with_positions_swapped(tmp_path):
    teacher = Counting()
    labelled([pair()], teacher, tmp_path / "votes.jsonl")
    assert [question.item_a for question in teacher.asked] == [LATE, LATE, SOON]
    assert teacher.asked[2].prompt == pairs.prompt(SOON, LATE, "pairs/00")


def test_order_bias_and_ties_are_dropped(tmp_path):
    [(_, row)] = labelled([pair()], Biased(), tmp_path / "biased.jsonl")
    assert row is None
    [(_, row)] = labelled([pair(item_b=LATE)], RulesTeacher(), tmp_path / "tie.jsonl")
    assert row is None


def test_killed_run_asks_only_what_is_left(tmp_path):
    path, rows = tmp_path / "votes.jsonl", [pair(number) for number in range(5)]
    with pytest.raises(ConnectionError):
        labelled(rows, Counting(fail_at=7), path)
    rest = Counting()
    resumed = labelled(rows, rest, path)
    assert len(rest.asked) == 15 - 7
    assert resumed == labelled(rows, RulesTeacher(), tmp_path / "fresh.jsonl")
    again = Counting()
    assert labelled(rows, again, path) == resumed
    assert again.asked == []


def test_a_line_cut_by_a_kill_is_asked_again(tmp_path):
    path = tmp_path / "votes.jsonl"
    whole = labelled([pair(0), pair(1)], RulesTeacher(), path)
    path.write_bytes(path.read_bytes()[:-20])
    teacher = Counting()
    assert labelled([pair(0), pair(1)], teacher, path) == whole
    assert len(teacher.asked) == 1
    assert len([json.loads(line) for line in path.read_text().splitlines()]) == 6


def test_a_broken_line_inside_is_named(tmp_path):
    path = tmp_path / "votes.jsonl"
    labelled([pair()], RulesTeacher(), path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], '{"prompt": "x"}', *lines[2:]]) + "\n")
    with pytest.raises(BadInput, match=r"votes\.jsonl:2.*delete the file"):
        votes.VoteFile(path)


def test_votes_are_kept_by_teacher_and_version(tmp_path):
    old, new = Counting(), Counting()
    new.version = "2"
    assert votes.vote_path(tmp_path, old) != votes.vote_path(tmp_path, new)
    assert votes.vote_path(tmp_path, old) != votes.vote_path(tmp_path, Biased())


def test_tally_counts_by_type(tmp_path):
    rows = [pair(0), pair(1, item_a=SOON, item_b=LATE), pair(2, item_b=LATE)]
    assert votes.tally(labelled(rows, RulesTeacher(), tmp_path / "v.jsonl")) == {
        "pairs": 3,
        "unanimous": 2,
        "chosen_a": 0.5,
        "pair_types": {"due": {"pairs": 3, "unanimous": 2}},
    }
    assert votes.tally([])["chosen_a"] is None
