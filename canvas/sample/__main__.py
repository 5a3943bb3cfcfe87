"""Write the sample: one JSON Lines file a contributor, planted.json and kept.json."""

from pathlib import Path

import click

from canvas import io
from canvas.sample.contributions import generate


@click.command()
@click.option("--seed", default=7, show_default=True)
@click.option("--contributors", default=8, show_default=True, type=click.IntRange(2))
@click.option("--courses", default=40, show_default=True, type=click.IntRange(2))
@click.option("--assignments", default=26, show_default=True, help="In each course.")
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path))
def main(seed: int, contributors: int, courses: int, assignments: int, out: Path) -> None:
    """Generate synthetic contributions with planted personal data into OUT."""
    if courses < contributors:
        raise click.UsageError("--courses must be at least --contributors")
    sample = generate(seed, contributors, courses, assignments)
    for handle, rows in sample.files.items():
        io.write_rows(out / f"{handle}.jsonl", rows)
    io.write_json(out / "planted.json", sample.planted)
    io.write_json(out / "kept.json", sample.kept)
    click.echo(f"{len(sample.files)} contributors, {courses} courses in {out}", err=True)


if __name__ == "__main__":
    main()
