"""Draw pairs of items: reads the clean corpus, writes one pair a row."""

from pathlib import Path

import click

from canvas import io
from canvas.pairs import draw_pairs


@click.command()
@click.argument("corpus", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
def main(corpus: Path, out: Path) -> None:
    """Draw pairs from CORPUS (corpus.jsonl of the clean data) into OUT."""
    params = io.params("pairs.seed", "pairs.per_export", "split.test_fraction")
    rows = [row for row in io.read_rows(corpus) if row["kind"] == "item"]
    undated = sum(row["collected_at"] is None for row in rows)
    if undated:
        click.echo(f"{undated} of {len(rows)} items have no collected_at: left out", err=True)
    io.write_rows(out, draw_pairs(rows, **params))


if __name__ == "__main__":
    main()
