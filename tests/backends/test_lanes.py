"""Lanes and shelves: which cache a turn may take over, who does what, how tokens are drawn."""

import numpy as np

from canvas.backends.lanes import Sampling, Shelf, Turn, divide

GREEDY = Sampling()


def shelf(prompt, made, used=1):
    return Shelf(9, prompt + made, Turn(prompt, GREEDY).key, used)


class Desk:
    """A crew that holds the conversations it is given."""

    def __init__(self, *shelves):
        self.shelves, self.waiting = shelves, []

    def claim(self, turn):
        return max((shelf.shared(turn) for shelf in self.shelves), default=0)


def test_a_conversation_takes_over_prompt_and_reply():
    assert shelf([1, 2, 3], [4, 5]).shared(Turn([1, 2, 3, 4, 5, 6, 7], GREEDY)) == 5


def test_a_reply_rendered_otherwise_is_shared_up_to_the_difference():
    assert shelf([1, 2, 3], [4, 5, 6]).shared(Turn([1, 2, 3, 4, 9, 6, 7], GREEDY)) == 4


def test_at_least_one_token_is_left_to_run():
    assert shelf([1, 2, 3], [4, 5]).shared(Turn([1, 2, 3, 4, 5], GREEDY)) == 4


def test_only_a_continuation_may_share():
    kept = shelf([1, 2, 3], [4])
    for prompt in ([1, 2, 3], [1, 2], [1, 2, 9, 4, 5], [9, 1, 2, 3, 4]):
        assert kept.shared(Turn(prompt, GREEDY)) == 0
    assert Shelf(0).shared(Turn([1, 2], GREEDY)) == 0


def test_tokens_are_compared_whole():
    assert shelf([1], []).shared(Turn([257, 2], GREEDY)) == 0


def test_turns_go_where_their_conversation_is_and_the_rest_where_least_waits():
    crews = [Desk(shelf([1, 2], [])), Desk()]
    turns = [Turn(prompt, GREEDY) for prompt in ([1, 2, 3], [5], [6], [7])]
    divide(turns, crews)
    assert turns[0] in crews[0].waiting
    assert [len(crew.waiting) for crew in crews] == [2, 2]


def test_greedy_takes_the_largest():
    assert Turn([1], GREEDY).draw(np.array([0.1, 3.0, -1.0], np.float32)) == 1


def test_draws_follow_the_softmax_at_the_temperature():
    logits = np.array([0.0, np.log(3.0), -1e9], np.float32)
    turn = Turn([1], Sampling(temperature=0.5))
    counts = np.bincount([turn.draw(logits) for _ in range(4000)], minlength=3)
    assert abs(counts[1] / 4000 - 9 / 10) < 0.02
    assert counts[2] == 0


def test_draws_depend_on_seed_and_prompt_alone():
    logits = np.zeros(1000, np.float32)

    def drawn(prompt, seed):
        turn = Turn(prompt, Sampling(temperature=1.0, seed=seed))
        return [turn.draw(logits) for _ in range(5)]

    assert drawn([1, 2], 3) == drawn([1, 2], 3)
    assert drawn([1, 2], 3) != drawn([1, 2], 4)
    assert drawn([1, 2], 3) != drawn([2, 1], 3)
