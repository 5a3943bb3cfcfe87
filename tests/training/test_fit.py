"""Whole runs of a few steps, on the nano model."""

import dataclasses
import json
import math

import pytest

from canvas.io import BadInput
from canvas.training import fingerprint, fit, history, model, recipe, sft

COMMON = {
    "learning_rate": 1e-3,
    "effective_batch": 4,
    "micro_batch": 4,
    "max_length": 640,
    "optim": "adamw_torch",
    "steps": 3,
}
BLOCKS = {
    "sft": {"trainer": "sft"},
    "preference": {"trainer": "preference", "loss_type": "sigmoid", "beta": 0.1},
    "kto": {"trainer": "kto", "beta": 0.1, "desirable_weight": 1.0, "undesirable_weight": 1.0},
}
ADAPTER = {"r": 4, "alpha": 8, "targets": ["q_proj", "up_proj"]}


@pytest.fixture
def run(nano_model, machine, sessions, referenced, judged, tmp_path):
    """Train by a recipe's keys; returns (curve, summary, folder)."""
    rows = {"sft": sessions, "preference": referenced, "kto": judged}
    count = iter(range(10))

    def train(trainer, *, on=machine, seed=42, scratch=None, taking=None, **keys):
        out = tmp_path / f"out-{next(count)}"
        out.mkdir()
        chosen = recipe.recipe("m", {**COMMON, **BLOCKS[trainer], **keys})
        scratch = scratch or tmp_path / "scratch"
        taken = rows[trainer] if taking is None else taking
        return *fit(taken, nano_model, out, chosen, on, seed=seed, scratch=scratch), out

    return train


def weights(folder, name="model.safetensors"):
    return (folder / name).read_bytes()


def losses(curve):
    return [row["loss"] for row in curve]


@pytest.mark.parametrize("trainer", BLOCKS)
def test_the_seed_decides(run, trainer):
    first, summary, out = run(trainer)
    again, _, out_again = run(trainer)
    other, _, out_other = run(trainer, seed=7)
    assert first == again
    assert weights(out) == weights(out_again)
    assert weights(out) != weights(out_other)
    assert [row["step"] for row in first] == [1, 2, 3]
    assert summary["rows_seen"] == 12
    assert summary["loss_first"] == first[0]["loss"]
    assert losses(first)[1:] != losses(other)[1:]


@pytest.mark.parametrize(
    ("loss", "first"),
    [
        ("sigmoid", math.log(2)),
        ("ipo", (1 / (2 * 0.1)) ** 2),
        ("apo_zero", 0.5 + 0.5),
        ("sppo_hard", (0.5 / 0.1) ** 2 * 2),
        ("nca_pair", 2 * math.log(2)),
    ],
)
def test_the_trainer_agrees_with_the_reference_stage(run, loss, first):
    curve, _, _ = run("preference", loss_type=loss, steps=1)
    assert losses(curve) == pytest.approx([first], rel=1e-4)
    assert curve[0]["reward_margin"] == pytest.approx(0, abs=1e-4)


def test_kto_starts_at_its_reference(run):
    curve, _, _ = run("kto", steps=1)
    assert losses(curve) == pytest.approx([0.5], rel=1e-4)
    assert curve[0]["kl"] == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("trainer", ["sft", "preference"])
def test_loss_falls(run, trainer):
    _, summary, _ = run(trainer, steps=12)
    assert summary["loss"] < 0.9 * summary["loss_first"]
    assert summary["steps"] == 12


def test_kto_parts_the_desirable_from_the_rest(run):
    curve, _, _ = run("kto", steps=12)
    margins = [row["reward_margin"] for row in curve if "reward_margin" in row]
    # At the start every margin is 0, so that every row loses 1 - sigmoid(0).
    assert curve[0]["loss"] == pytest.approx(0.5, abs=1e-4)
    assert sum(margins[-4:]) > 0.02


@pytest.mark.parametrize("trainer", ["sft", "preference"])
def test_micro_batches_do_not_matter(run, trainer):
    whole, _, _ = run(trainer)
    parts, _, _ = run(trainer, micro_batch=2)
    assert losses(parts) == pytest.approx(losses(whole), rel=1e-3)


def test_no_reference_model_is_made_and_no_model_is_hashed(run, monkeypatch):
    from trl.trainer import dpo_trainer

    def refuse(*_args, **_kwargs):
        raise AssertionError("not needed")

    for name in ("hash_module", "create_model_from_path"):
        monkeypatch.setattr(dpo_trainer, name, refuse)
    monkeypatch.setattr(dpo_trainer.DPOTrainer, "compute_ref_log_probs", refuse)
    run("preference", steps=1)
    with pytest.raises(AssertionError):
        dpo_trainer.hash_module(None)


def test_rows_without_a_reference_are_refused(run, preferences):
    with pytest.raises(BadInput, match=r"ref_chosen_logps.*stage reference"):
        run("preference", taking=preferences)


def test_rows_too_long_are_left_out_and_counted(run, nano_model, sessions):
    rows = list(enumerate(sessions, 1))
    lengths = sorted(map(sft.length, sft.examples(rows, model.load_tokenizer(nano_model), "rows")))
    limit = lengths[6]
    short = [length for length in lengths if length <= limit]
    assert 0 < len(short) < 24
    _, summary, _ = run("sft", steps=len(short), max_length=limit)
    assert summary["rows_too_long"] == 24 - len(short)
    assert summary["rows_seen"] == 4 * len(short)
    assert summary["tokens_seen"] == 4 * sum(short)
    with pytest.raises(BadInput, match="no row of at most"):
        run("sft", max_length=lengths[0] - 1)


def test_the_folder_is_a_model_with_the_starts_tokenizer(run, nano_model):
    from transformers import AutoModelForCausalLM

    _, _, out = run("sft")
    assert {file.name for file in out.iterdir()} == {file.name for file in nano_model.iterdir()}
    for name in ("tokenizer.json", "chat_template.jinja", "generation_config.json"):
        assert weights(out, name) == weights(nano_model, name)
    _, report = AutoModelForCausalLM.from_pretrained(out, output_loading_info=True)
    assert not report["missing_keys"]
    before, after = (
        json.loads((folder / "config.json").read_text()) for folder in (nano_model, out)
    )
    assert after == before


@pytest.mark.parametrize("quantize_4bit", [False, True])
def test_an_adapter_is_saved_alone(run, nano_model, quantize_4bit):
    from peft import PeftModel
    from safetensors.torch import load_file
    from transformers import AutoModelForCausalLM

    curve, summary, out = run(
        "sft", steps=6, adapter={**ADAPTER, "quantize_4bit": quantize_4bit}, learning_rate=1e-2
    )
    assert losses(curve)[-1] < losses(curve)[0]
    assert not (out / "model.safetensors").exists()
    assert (out / "tokenizer.json").exists()
    tensors = load_file(out / "adapter_model.safetensors")
    assert {str(tensor.dtype) for tensor in tensors.values()} == {"torch.float32"}
    assert sum(tensor.numel() for tensor in tensors.values()) == summary["trainable_parameters"]
    adapted = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(nano_model), out)
    assert any(p.abs().sum() > 0 for n, p in adapted.named_parameters() if "lora_B" in n)


def test_preference_training_of_an_adapter(run):
    curve, _, _ = run("preference", steps=3, adapter=ADAPTER)
    assert losses(curve)[0] == pytest.approx(math.log(2), rel=1e-4)


def test_the_large_profiles_settings_run_here_too(run, machine):
    """bfloat16 compute, checkpointing, frozen table, 8-bit optimizer: what gb10 sets."""
    large = dataclasses.replace(
        machine, autocast=True, gradient_checkpointing=True, freeze=["embed_tokens_per_layer"]
    )
    curve, _, _ = run("sft", on=large, optim="paged_adamw_8bit", schedule="cosine")
    plain, _, _ = run("sft")
    assert losses(curve)[0] == pytest.approx(losses(plain)[0], rel=1e-2)
    assert losses(curve)[-1] < losses(curve)[0]


def test_a_killed_run_goes_on_where_it_was(run, machine, monkeypatch, tmp_path):
    careful = dataclasses.replace(machine, checkpoint_every=2)
    whole, _, out = run("sft", steps=6, scratch=tmp_path / "whole")

    class Killed(Exception):
        pass

    shown = history.progress
    steps = []

    def watched(total, until):
        callback = shown(total)
        log = callback.on_log

        def on_log(args, state, control, **kwargs):
            steps.append(state.global_step)
            if state.global_step == until:
                raise Killed
            return log(args, state, control, **kwargs)

        callback.on_log = on_log
        return callback

    monkeypatch.setattr(history, "progress", lambda total: watched(total, until=5))
    with pytest.raises(Killed):
        run("sft", steps=6, on=careful, scratch=tmp_path / "killed")
    steps.clear()
    monkeypatch.setattr(history, "progress", lambda total: watched(total, until=None))
    resumed, _, resumed_out = run("sft", steps=6, on=careful, scratch=tmp_path / "killed")
    assert min(steps) == 5
    assert resumed == whole
    assert weights(resumed_out) == weights(out)


@pytest.mark.parametrize(
    ("keys", "named"),
    [({"optim": "adam"}, "optim"), ({"schedule": "triangle"}, "schedule")],
)
def test_names_that_transformers_does_not_know(run, keys, named):
    with pytest.raises(BadInput, match=named):
        run("sft", **keys)


def test_a_device_that_is_not_there(run, machine):
    with pytest.raises(BadInput, match=r"training\.device"):
        run("sft", on=dataclasses.replace(machine, device="cuda"))


def test_a_loss_out_of_hand_stops_the_run(run):
    with pytest.raises(BadInput, match=r"the (loss|grad_norm) is (nan|inf) at step [23]"):
        run("sft", learning_rate=1e30, max_grad_norm=1e30, steps=400)


def test_no_training_uses_the_attention_that_fails_on_padding(run):
    import torch

    torch.backends.cuda.enable_cudnn_sdp(True)
    run("sft", steps=1)
    assert not torch.backends.cuda.cudnn_sdp_enabled()


def test_a_run_is_named_by_all_that_shapes_it(nano_model, sessions, machine):
    made = recipe.recipe("m", {**COMMON, **BLOCKS["sft"]})
    names = {
        fingerprint(made, machine, nano_model, sessions, 42),
        fingerprint(made, machine, nano_model, sessions, 43),
        fingerprint(made, machine, nano_model, sessions[1:], 42),
        fingerprint(dataclasses.replace(made, steps=4), machine, nano_model, sessions, 42),
        fingerprint(made, dataclasses.replace(machine, dtype="bfloat16"), nano_model, sessions, 42),
    }
    assert len(names) == 5
    assert fingerprint(made, machine, nano_model, sessions, 42) in names
