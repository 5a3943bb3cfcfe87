import pytest

from canvas.io import BadInput
from canvas.training import history

LOG = [
    {"step": 1, "loss": 2.0, "grad_norm": 1.23456789, "epoch": 0.1, "rewards/accuracies": 0.5},
    {"step": 2, "loss": 1.0, "grad_norm": 1.0, "epoch": 0.2, "rewards/accuracies": 0.75},
    {"step": 2, "train_runtime": 12.3, "train_samples_per_second": 4.5, "train_loss": 1.5},
]


def test_points_keep_no_times():
    assert history.points(LOG) == [
        {"step": 1, "loss": 2.0, "grad_norm": 1.23457, "reward_accuracy": 0.5},
        {"step": 2, "loss": 1.0, "grad_norm": 1.0, "reward_accuracy": 0.75},
    ]


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("key", ["loss", "grad_norm"])
def test_a_value_that_is_no_number_stops_the_run(key, value):
    with pytest.raises(BadInput, match=f"the {key} is {value} at step 3"):
        history.points([*LOG, {"step": 3, "loss": 1.0, key: value}])


def test_summary_averages_the_last_tenth():
    rows = [{"step": step, "loss": float(step), "learning_rate": 1.0} for step in range(1, 21)]
    assert history.summary(rows) == {"steps": 20, "loss_first": 1.0, "loss": 19.5}
