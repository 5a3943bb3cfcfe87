"""Audit the models before release: reads what was made behind the gate; releases wait for it.

Looks for planted values in tokenizers, GGUF headers, reference rows and metrics, and asks each
model to complete their beginnings. Writes a constant file, or names what it found and exits with 1.
"""

import sys
from pathlib import Path

import click

from canvas import io
from canvas.audit.finding import digest
from canvas.audit.report import document, markdown

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_OUT = click.Path(path_type=Path)


@click.command()
@click.argument("models", type=_FOLDER)
@click.argument("planted", type=_FILE)
@click.argument("metrics", type=_OUT)
@click.argument("ok", type=_OUT)
@click.option(
    "--scan",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Other files and folders that are shared.",
)
@click.option("--report", default=Path(".scratch/audit_models.txt"), show_default=True, type=_OUT)
def main(
    models: Path, planted: Path, metrics: Path, ok: Path, scan: tuple[Path, ...], report: Path
) -> None:
    """Audit MODELS (METHOD/, gguf/METHOD/f16.gguf) for PLANTED values; writes METRICS and OK."""
    ok.unlink(missing_ok=True)
    canaries = io.read_json(planted)
    from canvas.audit import models as audit
    from canvas.audit.canaries import Canaries
    from canvas.audit.gate import Scan, files
    from canvas.audit.recognisers import SESSION

    findings = [
        *Scan(files(scan), SESSION).findings(Canaries(canaries)),
        *audit.texts_of(models, canaries),
    ]
    asked, counts = audit.ask(sorted(models.glob("gguf/*/f16.gguf")), audit.secrets(canaries))
    findings += asked
    io.write_json(metrics, {"findings": len(findings), "models": counts})
    totals = {"models": len(counts), "values asked of each": len(audit.secrets(canaries))}
    with io.atomic_file(report) as scratch:
        scratch.write_text("".join(f"{finding}\n" for finding in findings), encoding="utf-8")
    with io.atomic_file(report.with_suffix(".md")) as scratch:
        text = markdown(findings, totals, "Audit of the models")
        scratch.write_text(text, encoding="utf-8")
    io.write_json(report.with_suffix(".json"), document(findings, totals))
    if findings:
        click.echo("\n".join(digest(findings)), err=True)
        sys.exit(1)
    with io.atomic_file(ok) as scratch:
        scratch.write_text("audited\n", encoding="utf-8")


if __name__ == "__main__":
    main()
