"""Anonymize: reads data/merged and data/sessions, writes data/clean and metrics.

Names in texts become tokens: people known from the corpus everywhere, others by the rules, and by
a spaCy model where `anonymize.ner` names one. The metrics include scores on labelled texts whose
templates the rules were not tuned on.
"""

from pathlib import Path

import click
from tqdm import tqdm

from canvas import io
from canvas.anonymize import Anonymizer
from canvas.anonymize.corpus import clean_row, clean_session, known_people
from canvas.anonymize.labelled import generate, measure
from canvas.anonymize.ner import Recogniser, load
from canvas.registry import Registry

ROUNDS, SEED = 6, 1


@click.command()
@click.argument("merged", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("recorded", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("key", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("metrics", type=click.Path(path_type=Path))
def main(merged: Path, recorded: Path, key: Path, out: Path, metrics: Path) -> None:
    """Mask the corpus and sessions of MERGED and RECORDED under KEY into OUT and METRICS."""
    params = io.params("anonymize.ner")
    corpus = io.read_rows(merged / "corpus.jsonl")
    sessions = [*io.read_rows(merged / "sessions.jsonl"), *io.read_rows(recorded)]
    people = known_people(corpus)
    registry, ner = Registry.load(key), load(params["ner"])
    mask = Anonymizer(registry, people=people, ner=ner)
    rows = [clean_row(row, mask) for row in tqdm(corpus, "corpus", disable=None)]
    clean = [clean_session(session, mask) for session in tqdm(sessions, "sessions", disable=None)]
    with io.atomic_dir(out) as scratch:
        io.write_rows(scratch / "corpus.jsonl", rows)
        io.write_rows(scratch / "sessions.jsonl", clean)
    changed = sum(before != after for before, after in zip(sessions, clean, strict=True))
    counts = {"corpus": len(rows), "sessions": len(clean), "sessions_changed": changed}
    masked = {"masked": dict(sorted(mask.counts.items()))}
    io.write_json(metrics, counts | masked | {"labelled": labelled(registry, ner)})


def labelled(registry: Registry, ner: Recogniser | None) -> dict:
    """Scores on the held-out labelled texts, to four digits."""
    score = measure(generate("heldout", ROUNDS, SEED), Anonymizer(registry, ner=ner).ranges)
    kinds = {
        kind: {
            "recall": round(score.recall[kind], 4),
            "strict": round(score.strict[kind], 4),
            "labels": count,
        }
        for kind, count in score.labels.items()
    }
    rates = {"over_prose": score.over_prose, "over_titles": score.over_titles}
    return {"kinds": kinds} | {name: round(rate, 4) for name, rate in rates.items()}


if __name__ == "__main__":
    main()
