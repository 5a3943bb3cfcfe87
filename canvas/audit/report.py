"""The audit's report as Markdown: counts by kind, and findings with masked examples.

`python -m canvas.audit.report FILE` prints it from the JSON that the stage left. CI does so with
the main branch's code, as a fork may have changed its own; so FILE is checked first.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from canvas.audit.finding import REMEDIES, Finding, printable

EXAMPLES = 8
MOST = 60_000
"""Characters; a comment on GitHub takes 65,536."""


MOST_BYTES = 5_000_000
_PLAIN = re.compile(r"[A-Za-z][A-Za-z _-]{0,60}")


def document(findings: Sequence[Finding], counts: dict) -> dict:
    """Findings and counts as a JSON document, which `read` checks."""
    rows = [
        {name: printable(value) if isinstance(value, str) else value
         for name, value in finding._asdict().items()}
        for finding in findings
    ]  # fmt: skip
    return {"counts": counts, "findings": rows}


def read(path: Path) -> tuple[list[Finding], dict[str, int]]:
    """Findings and counts of a JSON document. ValueError where it is none that `document` made."""
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path}: larger than {MOST_BYTES:,} bytes")
    value = json.loads(path.read_text(encoding="utf-8"))
    try:
        counts = {_plain(k): v for k, v in value["counts"].items() if type(v) is int}
        return [_finding(row) for row in value["findings"]], counts
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: no report of an audit ({error!r})") from error


def _finding(row: dict[str, Any]) -> Finding:
    finding = Finding(**row)
    types = [str, int, str, str, str, str]
    if [type(value) for value in finding] != types or finding.remedy not in REMEDIES:
        raise TypeError("a finding has other fields")
    return finding._replace(kind=_plain(finding.kind))


def _plain(text: str) -> str:
    if not _PLAIN.fullmatch(text):
        raise TypeError("a name is no plain words")
    return text


def markdown(findings: Sequence[Finding], counts: dict, title: str = "Audit") -> str:
    """The report: a line of verdict, what was looked at, then each kind with some examples."""
    looked = ", ".join(
        f"{value:,} {name.replace('_', ' ')}"
        for name, value in sorted(counts.items())
        if isinstance(value, int) and name != "findings"
    )
    verdict = f"**{len(findings)} findings**" if findings else "**Nothing found.**"
    parts = [f"## {title}\n\n{verdict} Looked at: {looked}.\n"]
    kinds: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        kinds[finding.kind].append(finding)
    if findings:
        rows = [f"| {kind} | {len(kinds[kind])} |" for kind in sorted(kinds)]
        parts.append("\n".join(["| kind | findings |", "| --- | ---: |", *rows]) + "\n")
        parts.append("Each word of an example shows its first character only.\n")
    for kind in sorted(kinds):
        parts.append(_section(kind, kinds[kind]))
    return _cut("\n".join(parts))


def _section(kind: str, findings: list[Finding]) -> str:
    remedies = dict.fromkeys(REMEDIES[finding.remedy] for finding in findings)
    lines = [f"### {kind}\n", *(f"To do: {remedy}.\n" for remedy in remedies)]
    lines += ["| where | field | example |", "| --- | --- | --- |"]
    for finding in findings[:EXAMPLES]:
        where = _code(f"{finding.file}:{finding.line}")
        lines.append(f"| {where} | {_code(finding.field)} | {_code(finding.excerpt)} |")
    if len(findings) > EXAMPLES:
        lines.append(f"\nand {len(findings) - EXAMPLES} more, all in the log of the audit.")
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    """Text of others as code in a table's cell: it can neither link, mention, nor break out."""
    plain = printable(text[:160])
    # Not even a backslash escapes a backquote in code; a joiner keeps `@name` from being a mention.
    plain = plain.translate({ord("`"): "'", ord("|"): "/", ord("@"): "@\u2060"})
    return f"`{plain.replace('<', '(').replace('>', ')') or ' '}`"


def _cut(text: str) -> str:
    if len(text) <= MOST:
        return text
    end = text.rfind("\n", 0, MOST)
    return text[:end] + "\n\nCut here; the log of the audit has all.\n"


if __name__ == "__main__":
    print(markdown(*read(Path(sys.argv[1]))), end="")
