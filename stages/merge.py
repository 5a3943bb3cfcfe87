"""Merge contributions: reads data/sample and data/collab, writes data/merged and metrics.

corpus.jsonl has a row for each thing, sessions.jsonl contributed sessions, quarantine.jsonl what
was left out and why. Identifiers become tokens under the sample's key.
"""

from pathlib import Path

import click

from canvas import io
from canvas.intake import Fault
from canvas.merge import collect, merge
from canvas.quasi import warning
from canvas.registry import Registry

SHOWN = 20


@click.command()
@click.argument("sample", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("collab", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("key", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("metrics", type=click.Path(path_type=Path))
@click.option(
    "--report",
    default=Path(".scratch/quarantine.jsonl"),
    show_default=True,
    type=click.Path(path_type=Path),
    help="Copy of the quarantine report that a failed run leaves.",
)
def main(sample: Path, collab: Path, key: Path, out: Path, metrics: Path, report: Path) -> None:
    """Merge the contributions of SAMPLE and COLLAB under KEY into OUT and METRICS."""
    params = io.params("merge.max_bad_rows", "anonymize.k_min")
    registry = Registry.load(key)
    files = [*sorted(sample.glob("*.jsonl")), *sorted(collab.glob("*.jsonl"))]
    rows, faults = collect(files, registry.key_id)
    io.write_rows(report, (fault.row() for fault in faults))
    for fault in faults[:SHOWN]:
        click.echo(f"quarantined: {fault}", err=True)
    refuse(faults, params["max_bad_rows"], report)
    merged = merge(rows, registry)
    if told := warning(merged.metrics["k_anonymity"], params["k_min"]):
        click.echo(f"merge: {told}", err=True)
    with io.atomic_dir(out) as scratch:
        io.write_rows(scratch / "corpus.jsonl", merged.corpus)
        io.write_rows(scratch / "sessions.jsonl", merged.sessions)
        io.write_rows(scratch / "quarantine.jsonl", (fault.row() for fault in faults))
    io.write_json(metrics, merged.metrics | {"files": len(files), "quarantined": len(faults)})


def refuse(faults: list[Fault], limit: int, report: Path) -> None:
    """Raise BadInput where there are more faults than allowed."""
    if len(faults) > limit:
        raise io.BadInput(
            report,
            f"{len(faults)} bad rows, merge.max_bad_rows allows {limit}",
            remedy="correct the rows that the report names, or raise the limit in params.yaml",
        )


if __name__ == "__main__":
    main()
