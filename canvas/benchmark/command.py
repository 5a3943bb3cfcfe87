"""The commands `canvas scenarios`, `canvas score` and `canvas compare`."""

from pathlib import Path

import click

_FILE = click.Path(dir_okay=False, path_type=Path)
_READ = click.Path(exists=True, path_type=Path)
TIERS = ("basic", "planning")
DECLARED = ("declared", "all")


@click.command()
@click.option("--count", default=1000, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
@click.option("--tier", default="planning", show_default=True, type=click.Choice(TIERS))
@click.option("--out", type=_FILE, help="A .jsonl or .yaml file; without: JSON Lines, printed.")
def scenarios(count: int, seed: int, tier: str, out: Path | None) -> None:
    """Make COUNT test cases of a tier, the same ones for the same seed.

    Tier planning comes from families: semester plans, spaced sessions, exams, illness, busy days,
    failing tools, orders hidden in announcements; every fifth needs no tool or a question back.
    """
    from canvas import io
    from canvas.benchmark import rows

    drawn = rows.TIERS[tier](count, seed)
    if out is None:
        for row in drawn:
            click.echo(io.dumps(row))
        return
    note = f"Written by: canvas scenarios --tier {tier} --count {count} --seed {seed} --out {out}"
    number = rows.write(drawn, out, note)
    click.echo(f"{out}: {number} scenarios")


@click.command()
@click.argument("cases", metavar="SCENARIOS", type=_READ)
@click.option("--model", metavar="NAME", help="A GGUF file, or what the server calls it.")
@click.option("--endpoint", metavar="URL", help="An OpenAI-compatible server to ask.")
@click.option("--runs", default=1, show_default=True, type=click.IntRange(1))
@click.option("--temperature", default=0.0, show_default=True, type=click.FloatRange(0))
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
@click.option(
    "--tools", default="declared", show_default=True, type=click.Choice(["declared", "all"])
)
@click.option("--max-turns", default=8, show_default=True, type=click.IntRange(1))
@click.option("--max-tokens", default=256, show_default=True, type=click.IntRange(1))
@click.option("--lenient", is_flag=True, help="Mend and run calls that drift from the format.")
@click.option("--out", type=_FILE, help="Write the verdict on every run, for canvas compare.")
def score(
    cases: Path,
    model: str | None,
    endpoint: str | None,
    lenient: bool,
    out: Path | None,
    **settings,
) -> None:
    """Score a model on SCENARIOS, a file or a folder.

    Prints pass^1, and pass^4 and pass^8 where there are as many runs, with 95 % intervals over
    scenarios; beside it how calls and conversations went.
    """
    if settings["runs"] > 1 and not settings["temperature"]:
        raise click.UsageError("several --runs need a --temperature above 0")
    if not (model or endpoint):
        raise click.UsageError("which model? --model FILE.gguf, or --endpoint URL")
    from canvas import io
    from canvas.evaluate import run_scenarios
    from canvas.scenarios import load
    from canvas.summary import summary, verdicts

    results = run_scenarios(_backend(model, endpoint, lenient), load(cases), **settings)
    click.echo(_shown(summary(results, settings["seed"])))
    if out:
        io.write_rows(out, verdicts(results, method=model or endpoint))


@click.command()
@click.argument("first", metavar="A", type=_READ)
@click.argument("second", metavar="B", type=_READ)
@click.option("--file", default="f16", show_default=True, help="Of rows that name a model file.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
def compare(first: Path, second: Path, file: str, seed: int) -> None:
    """Compare B with A, two files of verdicts on the same scenarios.

    The interval of the difference is bootstrapped over scenarios; p is the exact chance of such a
    difference if the two were alike (each scenario the other way round as likely; McNemar's test
    where there is one run).
    """
    from canvas.benchmark.comparison import by_tier

    click.echo(f"{'':10} {'n':>5} {'A':>6} {'B':>6}  difference, 95 %        p      B better/worse")
    for tier, found in by_tier(first, second, file, seed).items():
        gain = found.difference
        click.echo(
            f"{tier:10} {found.scenarios:5} {found.a:6.3f} {found.b:6.3f}  "
            f"{gain.difference:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]  {gain.p:.4f}  "
            f"{gain.wins}/{gain.losses}"
        )


def _backend(model: str | None, endpoint: str | None, lenient: bool):
    from canvas import backends, io

    if endpoint:
        return backends.OpenAIBackend(endpoint, model, lenient=lenient)
    if not Path(model).is_file():
        raise io.BadInput(model, "no such file", remedy="--model FILE.gguf, or --endpoint URL")
    return backends.LlamaCppBackend(Path(model), lenient=lenient)


def _shown(figures: dict) -> str:
    """The figures as a short table."""
    lines = []
    for tier in (name for name in TIERS if name in figures):
        found = figures[tier]
        for k in (1, 4, 8):
            if f"pass_{k}" in found:
                low, high = found[f"pass_{k}_low"], found[f"pass_{k}_high"]
                rate = f"{found[f'pass_{k}']:.3f} [{low:.3f}, {high:.3f}]"
                lines.append(f"{tier} pass^{k}: {rate} over {found['n']} runs")
    rates = ("parse", "known_tool", "schema_valid", "repaired", "redundant")
    lines += [f"{name.replace('_', ' ')}: {figures[f'{name}_rate']:.3f}" for name in rates]
    lines.append(f"calls: {figures['calls']}, turns a run: {figures['turns_mean']:.2f}")
    for what in ("failed", "stopped"):
        shares = ", ".join(f"{name} {share:.3f}" for name, share in figures[what].items())
        lines.append(f"{what}: {shares}")
    return "\n".join(lines)
