"""Train one method: read its rows and start model, write model folder, metrics and loss curve."""

import os
import shutil
import tempfile
from pathlib import Path

import click

from canvas import io, training
from canvas.training import recipe

SCRATCH = Path(".scratch/train")


@click.command()
@click.argument("method")
@click.argument("rows", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("start", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("metrics", type=click.Path(path_type=Path))
@click.argument("curve", type=click.Path(path_type=Path))
def main(method: str, rows: Path, start: Path, out: Path, metrics: Path, curve: Path) -> None:
    """Train METHOD on ROWS from START into OUT; summary to METRICS, one row a step to CURVE."""
    params = io.params("seed", "training", f"methods.{method}.train")
    chosen = recipe.recipe(method, params["train"])
    machine = recipe.machine(params["training"])
    examples = io.read_rows(rows)
    seed = params["seed"]
    scratch = SCRATCH / f"{method}-{training.fingerprint(chosen, machine, start, examples, seed)}"
    # Of the processes that torchrun starts, the first writes; the others only compute.
    writes = int(os.environ.get("RANK", "0")) == 0
    with io.atomic_dir(out) if writes else tempfile.TemporaryDirectory() as folder:
        points, summary = training.fit(
            examples, start, Path(folder), chosen, machine, seed=seed, scratch=scratch, source=rows
        )
        io.write_json(Path(folder) / "history.json", points)
    if not writes:
        return
    io.write_json(curve, points)
    io.write_json(metrics, summary)
    shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
