import pytest

from canvas.io import BadInput, read_yaml
from canvas.training import recipe

SFT = {
    "trainer": "sft",
    "learning_rate": 1e-3,
    "effective_batch": 8,
    "micro_batch": 8,
    "max_length": 640,
    "optim": "adamw_torch",
    "steps": 10,
}
DPO = {**SFT, "trainer": "preference", "loss_type": "sigmoid", "beta": 0.1}
KTO = {**SFT, "trainer": "kto", "beta": 0.1, "desirable_weight": 1, "undesirable_weight": 1.0}
MACHINE = {
    "device": "cpu",
    "dtype": "float32",
    "autocast": False,
    "gradient_checkpointing": False,
}


def without(block: dict, key: str) -> dict:
    return {name: value for name, value in block.items() if name != key}


@pytest.mark.parametrize(("block", "kind"), [(SFT, "Sft"), (DPO, "Preference"), (KTO, "Kto")])
def test_each_trainer_has_a_recipe(block, kind):
    made = recipe.recipe("some", block)
    assert type(made).__name__ == f"{kind}Recipe"
    assert made.learning_rate == 1e-3
    assert made.adapter is None


def test_a_new_method_is_a_block():
    made = recipe.recipe("mix", {**DPO, "loss_type": ["hinge", "sft"], "loss_weights": [1, 0.5]})
    assert made.loss_type == ["hinge", "sft"]


def test_adapter_is_checked_like_the_rest():
    adapter = {"r": 8, "alpha": 16, "targets": ["q_proj"], "quantize_4bit": True}
    made = recipe.recipe("qlora", {**SFT, "adapter": adapter})
    assert made.adapter.alpha == 16.0
    assert made.adapter.quantize_4bit
    with pytest.raises(BadInput, match=r"methods\.qlora\.train\.adapter\.rank.*unknown"):
        recipe.recipe("qlora", {**SFT, "adapter": {**adapter, "rank": 8}})


@pytest.mark.parametrize("block", [SFT, DPO, KTO])
@pytest.mark.parametrize("key", ["learning_rate", "effective_batch", "optim", "max_length"])
def test_missing_key_is_named(block, key):
    with pytest.raises(BadInput, match=rf"methods\.m\.train\.{key}.*missing"):
        recipe.recipe("m", without(block, key))


@pytest.mark.parametrize(("block", "key"), [(DPO, "beta"), (DPO, "loss_type"), (KTO, "beta")])
def test_missing_key_of_one_trainer_is_named(block, key):
    with pytest.raises(BadInput, match=rf"methods\.m\.train\.{key}.*missing"):
        recipe.recipe("m", without(block, key))


@pytest.mark.parametrize("key", ["beta", "loss_type", "learning_rat"])
def test_unknown_key_is_named(key):
    with pytest.raises(BadInput, match=rf"methods\.m\.train\.{key}.*unknown"):
        recipe.recipe("m", {**SFT, key: 1})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("learning_rate", "5e-6"),
        ("effective_batch", 8.0),
        ("effective_batch", True),
        ("steps", "ten"),
        ("optim", None),
        ("loss_type", "sigmoyd"),
        ("loss_type", ["ipo", "sigmoyd"]),
        ("max_length", 0),
        ("adapter", 3),
    ],
)
def test_wrong_value_is_named(key, value):
    with pytest.raises(BadInput, match=rf"methods\.m\.train\.{key}"):
        recipe.recipe("m", {**DPO, key: value})


@pytest.mark.parametrize("extra", [{"epochs": 1}, {"steps": None}])
def test_steps_or_epochs(extra):
    with pytest.raises(BadInput, match="steps or epochs"):
        recipe.recipe("m", {**SFT, **extra})


def test_unknown_trainer_lists_the_known():
    with pytest.raises(BadInput, match="sft, preference, kto"):
        recipe.recipe("m", {**SFT, "trainer": "ppo"})
    with pytest.raises(BadInput, match="no trainer"):
        recipe.recipe("m", None)


def test_kto_needs_two_rows_at_once():
    with pytest.raises(BadInput, match="micro_batch"):
        recipe.recipe("kto", {**KTO, "micro_batch": 1})


def test_machine():
    made = recipe.machine({**MACHINE, "freeze": ["embed_tokens_per_layer"]})
    assert made.freeze == ["embed_tokens_per_layer"]
    with pytest.raises(BadInput, match=r"training\.device"):
        recipe.machine({**MACHINE, "device": "tpu"})
    with pytest.raises(BadInput, match=r"training\.autocast.*missing"):
        recipe.machine(without(MACHINE, "autocast"))


def test_exponents_as_dvc_writes_them(tmp_path):
    (tmp_path / "p.yaml").write_text("learning_rate: 5e-07\n")
    block = {**SFT, **read_yaml(tmp_path / "p.yaml")}
    assert recipe.recipe("m", block).learning_rate == 5e-7
