"""Score one method's GGUF files: reads f16 and Q4_K_M, the scenarios and the held-out splits.

Writes one metrics file: pass rates by tier and file, how the calls and loops went, held-out scores;
and, for `canvas compare` and the report, the verdict on every scenario.
"""

from pathlib import Path

import click

from canvas import io
from canvas.evaluate import run_scenarios, transcript_row
from canvas.scenarios import load
from canvas.summary import summary, verdicts

FILES = ("f16", "Q4_K_M")
SETTINGS = ("runs", "tools", "max_turns", "max_tokens", "temperature")


@click.command()
@click.argument("method")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("scenarios", type=click.Path(exists=True, path_type=Path))
@click.argument("splits", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("metrics", type=click.Path(path_type=Path))
@click.option("--outcomes", type=click.Path(path_type=Path), help="Write every verdict here too.")
@click.option("--transcripts", type=click.Path(path_type=Path), help="Write every run here too.")
def main(
    method: str,
    folder: Path,
    scenarios: Path,
    splits: Path,
    metrics: Path,
    outcomes: Path | None,
    transcripts: Path | None,
) -> None:
    """Evaluate METHOD's files in FOLDER on SCENARIOS and SPLITS into METRICS."""
    params = io.params("seed", *(f"eval.{key}" for key in SETTINGS), "eval.heldout_rows")
    if params["runs"] > 1 and not params["temperature"]:
        reason = "several runs at temperature 0 would all be the same"
        remedy = "set eval.temperature above 0, or eval.runs to 1"
        raise io.BadInput("params.yaml", reason, field="eval.runs", remedy=remedy)
    settings = {key: params[key] for key in ("seed", *SETTINGS)}
    from canvas import heldout
    from canvas.backends import LlamaCppBackend

    cases, scores, judged, rows = load(scenarios), {}, [], []
    for name in FILES:
        results = run_scenarios(LlamaCppBackend(folder / f"{name}.gguf"), cases, **settings)
        scores[name] = summary(results, params["seed"])
        judged += verdicts(results, file=name)
        rows += [{"method": method, "file": name, **transcript_row(result)} for result in results]
        tiers = {case.tier: scores[name][case.tier]["pass_1"] for case in cases}
        click.echo(f"{method} {name}: pass_1 {tiers}, parse {scores[name]['parse_rate']}")
    scores["heldout"] = heldout.evaluate(folder / "f16.gguf", splits, params["heldout_rows"])
    io.write_json(metrics, scores)
    if outcomes:
        io.write_rows(outcomes, judged)
    if transcripts:
        io.write_rows(transcripts, rows)


if __name__ == "__main__":
    main()
