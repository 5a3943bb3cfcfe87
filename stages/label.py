"""Label pairs with a teacher: reads pairs, writes preferences and their counts."""

from pathlib import Path

import click
from tqdm import tqdm

from canvas import io, teacher, votes


@click.command()
@click.argument("pairs", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("metrics", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--votes", "folder", default=Path(".scratch/votes"), type=click.Path(path_type=Path))
def main(pairs: Path, out: Path, metrics: Path, folder: Path) -> None:
    """Vote on PAIRS, write unanimous ones to OUT; the folder of votes outlives a kill."""
    chosen = teacher.get(io.params("label.teacher")["teacher"])
    with votes.VoteFile(votes.vote_path(folder, chosen)) as kept:
        rows = tqdm(io.read_rows(pairs), desc="pairs", mininterval=2)
        labelled = list(votes.label(rows, chosen, kept))
    io.write_rows(out, (row for _, row in labelled if row is not None))
    io.write_json(metrics, votes.tally(labelled))


if __name__ == "__main__":
    main()
