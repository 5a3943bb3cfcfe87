"""The audit's report as Markdown: counts by kind, and findings with masked examples."""

from collections import defaultdict
from collections.abc import Sequence

from canvas.audit.finding import REMEDIES, Finding

EXAMPLES = 8
MOST = 60_000
"""Characters; a comment on GitHub takes 65,536."""


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
        rows = [f"| {_cell(kind)} | {len(kinds[kind])} |" for kind in sorted(kinds)]
        parts.append("\n".join(["| kind | findings |", "| --- | ---: |", *rows]) + "\n")
        parts.append("Each word of an example shows its first character only.\n")
    for kind in sorted(kinds):
        parts.append(_section(kind, kinds[kind]))
    return _cut("\n".join(parts))


def _section(kind: str, findings: list[Finding]) -> str:
    remedies = dict.fromkeys(REMEDIES[finding.remedy] for finding in findings)
    lines = [f"### {_cell(kind)}\n", *(f"To do: {remedy}.\n" for remedy in remedies)]
    lines += ["| where | field | example |", "| --- | --- | --- |"]
    for finding in findings[:EXAMPLES]:
        where = _code(f"{finding.file}:{finding.line}")
        lines.append(f"| {where} | {_code(finding.field)} | {_code(finding.excerpt)} |")
    if len(findings) > EXAMPLES:
        lines.append(f"\nand {len(findings) - EXAMPLES} more, all in the log of the audit.")
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    """Text of others as code in a table's cell: it can neither link, mention, nor break out."""
    plain = "".join(c if c.isprintable() else " " for c in text[:160])
    # Not even a backslash escapes a backquote in code; a joiner keeps `@name` from being a mention.
    plain = plain.translate({ord("`"): "'", ord("|"): "/", ord("@"): "@\u2060"})
    return f"`{plain.replace('<', '(').replace('>', ')') or ' '}`"


def _cell(text: str) -> str:
    return _code(text)[1:-1]


def _cut(text: str) -> str:
    if len(text) <= MOST:
        return text
    end = text.rfind("\n", 0, MOST)
    return text[:end] + "\n\nCut here; the log of the audit has all.\n"
