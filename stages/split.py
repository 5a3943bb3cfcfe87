"""Split every kind of row: reads trajectories, preferences and KTO rows, writes train and test."""

from pathlib import Path

import click

from canvas import io
from canvas.split import preference_keys, split, wording_key

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("trajectory", type=_FILE)
@click.argument("preference", type=_FILE)
@click.argument("kto", type=_FILE)
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
def main(trajectory: Path, preference: Path, kto: Path, out: Path) -> None:
    """Split rows into OUT/{trajectory,preference,kto}_{train,test}.jsonl."""
    params = io.params("split.test_fraction", "split.keep")
    tasks = {
        "trajectory": (trajectory, "row_id", wording_key),
        "preference": (preference, "pair_id", preference_keys),
        "kto": (kto, "row_id", wording_key),
    }
    with io.atomic_dir(out) as scratch:
        for task, (path, id_key, keys_of) in tasks.items():
            rows, keep = io.read_rows(path), params["keep"][task]
            sides = split(rows, id_key, keys_of, params["test_fraction"], keep)
            for side, kept in sides.items():
                io.write_rows(scratch / f"{task}_{side}.jsonl", kept)


if __name__ == "__main__":
    main()
