import copy
from inspect import signature

import pytest

from canvas.training import model, sft, tail


@pytest.fixture(scope="module")
def network(nano_model, machine):
    return model.load(nano_model, machine).train()


@pytest.fixture(scope="module")
def examples(nano_model, sessions):
    rows = list(enumerate(sessions, 1))
    return sorted(sft.examples(rows, model.load_tokenizer(nano_model), "rows"), key=sft.length)


@pytest.fixture(scope="module")
def collate():
    from trl.trainer.sft_trainer import DataCollatorForLanguageModeling

    return DataCollatorForLanguageModeling(pad_token_id=0)


def losses_and_gradients(network, batch, *, tail_only: bool):
    """Per-token fields and every gradient of TRL's forward, with or without the cut."""
    from trl.trainer.utils import add_fused_lm_head

    network = copy.deepcopy(network)
    add_fused_lm_head(network, outputs=("log_probs", "entropy", "is_top1"))
    if tail_only:
        tail.project_tail(network)
    outputs = network(**batch, fused_lm_head=True)
    outputs.log_probs.sum().backward()
    gradients = {name: p.grad for name, p in network.named_parameters() if p.grad is not None}
    return outputs, gradients


@pytest.mark.parametrize("rows", [slice(0, 24, 6), slice(0, 1)], ids=["padded", "unpadded"])
def test_the_cut_changes_neither_loss_nor_gradient(network, examples, collate, rows):
    import torch

    right, left = collate(examples[rows]), tail.padded_left(collate)(examples[rows])
    whole, whole_gradients = losses_and_gradients(network, right, tail_only=False)
    cut, cut_gradients = losses_and_gradients(network, left, tail_only=True)
    assert cut.log_probs.shape == whole.log_probs.shape
    assert torch.allclose(cut.log_probs.sum(1), whole.log_probs.sum(1), atol=1e-3)
    assert cut.is_top1.sum() == whole.is_top1.sum()
    assert cut.label_mask.sum() == whole.label_mask.sum()
    assert cut_gradients.keys() == whole_gradients.keys()
    for name, gradient in whole_gradients.items():
        assert torch.allclose(cut_gradients[name], gradient, atol=1e-3, rtol=1e-3), name


@pytest.mark.parametrize("rows", [slice(0, 24, 6), slice(0, 1)], ids=["padded", "unpadded"])
def test_shared_layers_see_the_tail_alone(network, examples, collate, rows):
    network = copy.deepcopy(network)
    seen = []
    network.model.layers[-1].register_forward_hook(
        lambda _module, inputs, _output: seen.append(inputs[0].shape[1])
    )
    batch = tail.padded_left(collate)(examples[rows])
    losses_and_gradients(network, batch, tail_only=True)
    first = int((batch["labels"] != -100).any(0).nonzero()[0])
    width = batch["labels"].shape[1]
    assert first > 10
    # transformers before 5.23 may not know how to leave positions out of a layer.
    spares = "logits_to_keep" in signature(type(network.model).forward).parameters
    assert seen[0] == width - first + 1 if spares else seen[0] >= width


def test_rows_are_padded_on_the_left(collate):
    short = {"input_ids": [5, 6], "labels": [-100, 6]}
    long = {"input_ids": [1, 2, 3, 4], "labels": [-100, -100, 3, 4]}
    batch = tail.padded_left(collate)([short, long])
    assert batch["input_ids"].tolist() == [[0, 0, 5, 6], [1, 2, 3, 4]]
    assert batch["labels"].tolist() == [[-100, -100, -100, 6], [-100, -100, 3, 4]]
    assert batch["attention_mask"].tolist() == [[0, 0, 1, 1], [1, 1, 1, 1]]


def test_a_batch_without_labels_goes_through(network, examples, collate):
    batch = collate(examples[:2])
    batch["labels"][:] = -100
    outputs, _ = losses_and_gradients(network, batch, tail_only=True)
    assert outputs.log_probs.abs().sum() == 0
