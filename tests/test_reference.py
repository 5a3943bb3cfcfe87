import pytest

from canvas import reference
from canvas.training import model, recipe

CPU = recipe.Machine(device="cpu", dtype="float32", autocast=False, gradient_checkpointing=False)
SEQUENCES = [
    ([2, 30 + number, 41], [50 + step for step in range(1 + number % 4)]) for number in range(9)
]


@pytest.fixture(scope="module")
def network(nano_model):
    return model.load(nano_model, CPU)


def one_by_one(network, prompt: list[int], completion: list[int]) -> float:
    """The definition: no padding, no batch, every logit."""
    import torch

    ids = torch.tensor([prompt + completion])
    with torch.no_grad():
        logps = network(input_ids=ids, use_cache=False).logits[0, :-1].log_softmax(-1)
    rows = range(len(prompt) - 1, len(prompt) + len(completion) - 1)
    return sum(logps[row, token].item() for row, token in zip(rows, completion, strict=True))


@pytest.mark.parametrize("batch_tokens", [1, 20, 4096])
def test_sums_are_those_of_the_definition(network, batch_tokens):
    found = reference.logps(network, SEQUENCES, batch_tokens=batch_tokens)
    wanted = [one_by_one(network, *sequence) for sequence in SEQUENCES]
    assert found == pytest.approx(wanted, abs=1e-4)
    assert max(wanted) < -1


def test_a_training_model_stays_one(network):
    network.train()
    reference.logps(network, SEQUENCES[:2])
    assert network.training


def test_batches_stay_within_their_tokens():
    lengths = sorted([3, 5, 9, 9, 40, 41, 500])
    cut = reference.batches(list(range(7)), lengths.__getitem__, 100)
    assert [index for batch in cut for index in batch] == list(range(7))
    assert all(len(batch) == 1 or len(batch) * lengths[batch[-1]] <= 100 for batch in cut)
    assert len(cut) == 3
