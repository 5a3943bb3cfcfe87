"""Pages: HTML that people wrote in Canvas, as plain text, and what a syllabus says by topic."""

import re
from html.parser import HTMLParser

MAX_FACT = 300
MAX_TEXT = 1200
_BLOCKS = frozenset((
    "address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hr", "li", "ol", "p", "pre", "section", "table", "td", "th", "tr",
    "ul",
))  # fmt: skip
_HIDDEN = frozenset(("head", "iframe", "noscript", "object", "script", "style", "template"))
# Words that a line on the topic has; of a heading the lines that follow are the fact.
TOPICS = {
    "late_policy": re.compile(r"\blate\b|\blateness\b|\bextensions?\b|\bmake-?up\b", re.I),
    "office_hours": re.compile(r"\b(?:office|student|drop-in) hours?\b", re.I),
    "textbook": re.compile(
        r"\btext-?books?\b|\b(?:required|course) (?:texts?|readings?|materials?|books?)\b", re.I
    ),
}
_HEADING_WORDS = 6
_FOLLOWING = 4
_LABEL = re.compile(r"[A-Z][\w /&'-]{2,40}: ")


def plain(html: str | None) -> str:
    """The text of a page, a line for each block; what a reader does not see is left out."""
    reader = _Reader()
    reader.feed(html or "")
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).split("\n"))
    return "\n".join(line for line in lines if line)


def cut(text: str, most: int) -> str:
    """At most `most` characters, cut between words, with a mark where something is left out."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    place = max(head.rfind(" "), head.rfind("\n"))
    return (head[:place] if place > 0 else head).rstrip() + "…"


def topics(syllabus: str) -> dict[str, str | None]:
    """Of a syllabus as plain text the late policy, office hours and textbook; None if unsaid.

    Where one of them is, "text" has the beginning of the syllabus, for it may say it otherwise.
    """
    lines = syllabus.split("\n")
    found = {topic: _fact(lines, pattern) for topic, pattern in TOPICS.items()}
    if syllabus and not all(found.values()):
        found["text"] = cut(syllabus, MAX_TEXT)
    return found


def _fact(lines: list[str], pattern: re.Pattern) -> str | None:
    """The first line on a topic, with what follows where it is a heading."""
    for place, line in enumerate(lines):
        if not pattern.search(line):
            continue
        if not _is_heading(line):
            return cut(line, MAX_FACT)
        if body := _body(lines[place + 1 :]):
            return cut(f"{line.rstrip(':')}: {body}", MAX_FACT)
    return None


def _is_heading(line: str) -> bool:
    return line.endswith(":") or (len(line.split()) <= _HEADING_WORDS and not re.search(r"\d", line)
                                  and line[-1] not in ".!?" and ":" not in line)  # fmt: skip


def _body(lines: list[str]) -> str:
    """The lines up to the next heading or topic."""
    kept: list[str] = []
    for line in lines[:_FOLLOWING]:
        other = _LABEL.match(line) or any(pattern.search(line) for pattern in TOPICS.values())
        if kept and (other or _is_heading(line)):
            break
        kept.append(line)
    return " ".join(kept)


class _Reader(HTMLParser):
    """Collects what a reader sees; blocks begin and end a line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in _HIDDEN
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in _HIDDEN))
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)
