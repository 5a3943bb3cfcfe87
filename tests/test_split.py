import pytest

from canvas.split import preference_keys, side, split, wording_key


def trajectories(count, prefix="row"):
    return [{"row_id": f"{prefix}-{n:04d}", "wording": f"todo/{n % 40}"} for n in range(count)]


def preferences(count):
    return [
        {
            "pair_id": f"pair-{n:04d}",
            "wording": f"pairs/{n % 24:02d}",
            "item_a_id": f"item-{n % 90}",
            "item_b_id": f"item-{n % 70 + 100}",
        }
        for n in range(count)
    ]


def ids(rows, key="row_id"):
    return [row[key] for row in rows]


def test_sides_share_no_wording_and_lose_no_row():
    sides = split(trajectories(400), "row_id", wording_key, 0.2)
    train, test = ({row["wording"] for row in sides[name]} for name in ("train", "test"))
    assert train
    assert test
    assert not train & test
    assert len(sides["train"]) + len(sides["test"]) == 400


def test_preferences_share_no_item_and_no_wording():
    sides = split(preferences(2000), "pair_id", preference_keys, 0.3)
    keys = {name: {key for row in rows for key in preference_keys(row)}
            for name, rows in sides.items()}  # fmt: skip
    assert keys["train"]
    assert keys["test"]
    assert not keys["train"] & keys["test"]


def test_new_rows_move_no_other_and_keep_the_order():
    before = split(trajectories(300), "row_id", wording_key, 0.2, keep=0.5)
    after = split(trajectories(300) + trajectories(50, "aaa"), "row_id", wording_key, 0.2, keep=0.5)
    for name, rows in before.items():
        assert [row for row in after[name] if not row["row_id"].startswith("aaa")] == rows
        assert ids(rows) == sorted(ids(rows))


def test_keep_takes_about_its_share_and_only_adds_as_it_grows():
    half, most = (
        {row for name in ("train", "test")
         for row in ids(split(trajectories(1000), "row_id", wording_key, 0.2, keep=keep)[name])}
        for keep in (0.5, 0.8)
    )  # fmt: skip
    assert half < most
    assert 400 < len(half) < 600


@pytest.mark.parametrize("fraction", [0.1, 0.3])
def test_test_side_has_about_its_fraction_and_only_grows(fraction):
    keys = [f"item-{n}" for n in range(3000)]
    tests = {key for key in keys if side(key, fraction) == "test"}
    assert len(tests) == pytest.approx(fraction * len(keys), rel=0.15)
    assert tests < {key for key in keys if side(key, fraction + 0.1) == "test"}
