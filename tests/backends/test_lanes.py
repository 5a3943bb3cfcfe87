"""Lanes and shelves: which cache a turn may take over, how tokens are drawn."""

import numpy as np
import pytest

from canvas.backends.lanes import Sampling, Shelf, Trace, Turn

GREEDY = Sampling()


def trace(*turns):
    """The trace of turns given as (prompt, made), the newest token of each not run yet."""
    found = Trace()
    for prompt, made in turns:
        found = found.after(Turn(prompt, GREEDY, [*made, 99]))
    return found


def shared(kept, prompt):
    return kept.shared(Turn(prompt, GREEDY))


def test_a_conversation_takes_over_prompt_and_reply():
    assert shared(trace(([1, 2, 3], [4, 5])), [1, 2, 3, 4, 5, 6, 7]) == 5


def test_a_reply_rendered_otherwise_is_shared_up_to_the_difference():
    assert shared(trace(([1, 2, 3], [4, 5, 6])), [1, 2, 3, 4, 9, 6, 7]) == 4


def test_at_least_one_token_is_left_to_run():
    assert shared(trace(([1, 2, 3], [4, 5])), [1, 2, 3, 4, 5]) == 4


def test_a_turn_that_is_asked_again_takes_over_its_prompt_whatever_came_after():
    kept = trace(([1, 2, 3], [4]), ([1, 2, 3, 4, 5, 6], [7, 8]), ([1, 2, 3, 4, 5, 6, 7, 8, 9], []))
    assert shared(kept, [1, 2, 3]) == 2
    assert shared(kept, [1, 2, 3, 4, 5, 6]) == 5


def test_a_conversation_that_took_another_way_shares_no_more_than_the_reply():
    kept = trace(([1, 2, 3], [4]), ([1, 2, 3, 4, 5, 6], [7]))
    assert shared(kept, [1, 2, 3, 4, 5, 9, 9]) == 4


@pytest.mark.parametrize("prompt", [[1, 2], [1, 2, 9, 4, 5], [9, 1, 2, 3, 4], [257, 2, 3, 4]])
def test_a_prompt_that_is_merely_alike_shares_nothing(prompt):
    assert shared(trace(([1, 2, 3], [4])), prompt) == 0
    assert shared(Trace(), prompt) == 0


def test_tokens_are_compared_whole():
    assert shared(trace(([1], [])), [257, 2]) == 0


def test_a_trace_forgets_what_its_conversation_left_behind():
    first = trace(([1, 2], [3]), ([1, 2, 3, 4], [5]))
    again = first.after(Turn([1, 2], GREEDY, [6, 7]))
    assert again.tokens == [1, 2, 6]
    assert shared(again, [1, 2, 6, 8]) == 3
    assert shared(again, [1, 2, 3, 4]) == 2


def test_the_shelf_gives_the_longest_match_once():
    shelf = Shelf(3)
    short, long = trace(([1, 2], [3])), trace(([1, 2], [3, 4]))
    shelf.store(short)
    shelf.store(long)
    turn = Turn([1, 2, 3, 4, 5], GREEDY)
    assert [shelf.take(turn) for _ in range(2)] == [long, short]
    assert shelf.take(turn).tokens == []


def test_the_shelf_drops_what_was_stored_first():
    shelf = Shelf(2)
    for token in (1, 2, 3):
        shelf.store(trace(([token], [])))
    found = [shelf.take(Turn([token, 9], GREEDY)).tokens for token in (1, 2, 3)]
    assert found == [[], [2], [3]]


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
