"""Masking beside presidio-analyzer without a model: scores and speed on the same labelled texts.

Run `python -m tests.bench.bench_anonymize`; `pip install presidio-analyzer` (best into a venv of
its own, with this project's core) adds its column. Both run in one process, one after the other.
"""

import time
from collections.abc import Callable

import click

from canvas.anonymize import Anonymizer
from canvas.anonymize.labelled import Labelled, Score, generate, measure
from canvas.registry import SAMPLE_KEY, Registry

Masker = Callable[[str, str], list[tuple[int, int]]]


def ours() -> Masker:
    """The rules of this project."""
    return Anonymizer(Registry.load(SAMPLE_KEY)).ranges


def presidio() -> Masker | None:
    """presidio-analyzer with its pattern recognisers and an empty pipeline; None: not installed."""
    try:
        import spacy
        from presidio_analyzer import AnalyzerEngine
        from presidio_analyzer.nlp_engine import SpacyNlpEngine
    except ImportError:
        return None

    class Blank(SpacyNlpEngine):
        def __init__(self):
            super().__init__(models=[{"lang_code": "en", "model_name": "blank"}])
            self.nlp = {"en": spacy.blank("en")}

        def load(self):
            """Nothing to load."""

    engine = AnalyzerEngine(nlp_engine=Blank(), supported_languages=["en"])
    return lambda text, policy: [(r.start, r.end) for r in engine.analyze(text, language="en")]


def speed(masker: Masker, texts: list[Labelled]) -> float:
    """Megabytes of text a CPU-second; dictionaries are loaded before."""
    masker("Call Priya Raman at (540) 555-0134 in Paris.", "prose")
    start = time.process_time()
    for text, policy, _ in texts:
        masker(text, policy)
    seconds = time.process_time() - start
    return sum(len(text.text.encode()) for text in texts) / 1e6 / seconds


def table(columns: dict[str, tuple[Score, float]]) -> str:
    """Scores by kind, one column of `recall strict` for each masker."""
    lines = ["kind      labels " + "".join(f"{name:>16}" for name in columns)]
    first = next(iter(columns.values()))[0]
    for kind, count in first.labels.items():
        cells = (f"{s.recall[kind]:9.3f}{s.strict[kind]:7.3f}" for s, _ in columns.values())
        lines.append(f"{kind:9}{count:7} " + "".join(cells))
    for name in ("over_prose", "over_titles"):
        cells = (f"{getattr(s, name):16.4f}" for s, _ in columns.values())
        lines.append(f"{name:16} " + "".join(cells))
    cells = (f"{rate:16.2f}" for _, rate in columns.values())
    return "\n".join([*lines, f"{'MB/CPU-second':16} " + "".join(cells)])


@click.command()
@click.option("--texts", "which", type=click.Choice(["heldout", "tuning"]), default="heldout")
@click.option("--rounds", default=12, help="Texts from each template.")
@click.option("--seed", default=5)
def main(which: str, rounds: int, seed: int) -> None:
    """Print a table for every masker that is installed."""
    texts = list(generate(which, rounds, seed))
    maskers = {"canvas": ours(), "presidio": presidio()}
    columns = {name: (measure(texts, m), speed(m, texts)) for name, m in maskers.items() if m}
    click.echo(table(columns))


if __name__ == "__main__":
    main()
