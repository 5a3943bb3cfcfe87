"""Merge: contribution rows to one corpus, one row a thing, identifiers as tokens."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from canvas import seeds
from canvas.anonymize import Anonymizer, Courses, People, tree
from canvas.intake import Fault, read
from canvas.io import dumps
from canvas.quasi import k_anonymity
from canvas.registry import Registry, normal


class Contribution(NamedTuple):
    """One good row, where it came from, and who contributed it (as in the file)."""

    file: str
    line: int
    row: dict
    contributor: str


class Merged(NamedTuple):
    """Corpus rows, session rows, and what happened on the way."""

    corpus: list[dict]
    sessions: list[dict]
    metrics: dict


def collect(files: Iterable[Path], key_id: str) -> tuple[list[Contribution], list[Fault]]:
    """Good rows and faults of contribution files, in order.

    A contributor_id belongs to the first file that claims it; a later file's rows under it are left
    out as one fault. So are rows that were masked under the public key of `key_id`.
    """
    rows: list[Contribution] = []
    faults: list[Fault] = []
    owners: dict[str, tuple[str, int]] = {}
    for path in files:
        found = list(read(path))
        faults += [entry for entry in found if isinstance(entry, Fault)]
        good = [entry for entry in found if not isinstance(entry, Fault)]
        refused = _Refused(Path(path).as_posix())
        for number, row in good:
            contributor = row.get("contributor_id", Path(path).stem)
            owner = owners.setdefault(contributor, (refused.file, number))
            if owner[0] != refused.file:
                where = f"{owner[0]}:{owner[1]}"
                refused.add("contributor_id", number, f"duplicate contributor, also in {where}")
            elif row.get("key_id") == key_id:
                refused.add("key_id", number, "masked under the sample's public key")
            else:
                rows.append(Contribution(refused.file, number, row, contributor))
        faults += refused.faults()
    return rows, faults


class _Refused:
    """Rows of one file that are left out for the same reason: one fault for all of them."""

    def __init__(self, file: str):
        self.file = file
        self._lines: dict[tuple[str, str], list[int]] = {}

    def add(self, field: str, line: int, reason: str) -> None:
        self._lines.setdefault((field, reason), []).append(line)

    def faults(self) -> Iterator[Fault]:
        remedies = {
            "contributor_id": "keep one file for each contributor",
            "key_id": "mask the raw export again with `canvas mask`, which makes a private key",
        }
        for (field, reason), lines in self._lines.items():
            count = "this row is" if len(lines) == 1 else f"these {len(lines)} rows are"
            yield Fault(self.file, lines[0], field, f"{reason}; {count} left out", remedies[field])


def learn(rows: Iterable[dict], courses: Courses, people: People) -> None:
    """Know the course codes, people and logins that the fields of contribution rows name."""
    rows = list(rows)
    for row in rows:
        if "course_code" in row:
            courses.learn(row["course_code"], row["course_name"])
        people.learn_login(row.get("contributor_id", ""))
        for person in row.get("people", []):
            people.learn(person["name"])
            people.learn_login((person.get("email") or "").split("@")[0])
            people.learn_login(str(person.get("sis_id") or ""))
        for item in row["items"] if row["type"] == "announcement_snapshot" else []:
            people.learn(item.get("author") or "")
    courses.learn_titles(
        (row["course_code"], row["course_name"], [item["name"] for item in row["assignments"]])
        for row in rows
        if row["type"] == "course_snapshot"
    )


def merge(contributions: Iterable[Contribution], registry: Registry) -> Merged:
    """The corpus of these rows, of repeated things the first.

    Identifiers become tokens; names in texts stay, masking them is the next stage's work.
    """
    contributions = list(contributions)
    courses, people = Courses(), People()
    learn((entry.row for entry in contributions), courses, people)
    build = Builder(Anonymizer(registry, courses, people, foreign=True))
    corpus: dict[tuple, dict] = {}
    sessions: dict[str, dict] = {}
    enrolments: list[tuple[str, str, str | None]] = []
    repeated: Counter[str] = Counter()
    for entry in contributions:
        for key, row in build.rows(entry):
            if row["kind"] == "course":
                enrolments.append((row["contributor"], row["course"], row["term"]))
            seen = sessions if row["kind"] == "session" else corpus
            if key in seen:
                repeated[row["kind"]] += 1
            seen.setdefault(key, row)
    for row in sessions.values():
        del row["kind"]
    kinds = Counter(row["kind"] for row in corpus.values())
    return Merged(
        list(corpus.values()),
        list(sessions.values()),
        {
            "rows_in": len(contributions),
            "rows_out": dict(sorted(kinds.items())) | {"session": len(sessions)},
            "repeated": dict(sorted(repeated.items())),
            "masked": dict(sorted(build.mask.counts.items())),
            "k_anonymity": k_anonymity(enrolments),
        },
    )


class Builder:
    """Corpus rows of contribution rows; `mask` turns identifiers into tokens."""

    def __init__(self, mask: Anonymizer):
        self.mask = mask
        self._parts: dict[str, Callable[[dict], Iterator[tuple[tuple, dict]]]] = {
            "course_snapshot": self._course,
            "todo_snapshot": self._todo,
            "announcement_snapshot": self._announcements,
            "syllabus_snapshot": self._syllabus,
            "roster_snapshot": self._roster,
            "session": self._session,
        }

    def rows(self, entry: Contribution) -> Iterator[tuple[tuple, dict]]:
        """(what makes it the same thing, row) of everything in one contribution row."""
        stamp = {
            "collected_at": entry.row.get("collected_at"),
            "contributor": self.mask.token("PERSON", entry.contributor),
        }
        for key, row in self._parts[entry.row["type"]](entry.row):
            yield (row["kind"], *key), row | stamp

    def _course(self, row: dict) -> Iterator[tuple[tuple, dict]]:
        course, name = self._course_token(row), self._text(row["course_name"])
        term = self._text(row["term"] or "") if "term" in row else None
        yield (course,), {"kind": "course", "course": course, "name": name, "term": term}
        for item in row["assignments"]:
            title = self._text(item["name"])
            same = (normal(title), course)
            yield (
                same,
                {
                    "kind": "item",
                    "item_id": f"item-{seeds.stable_hash(*same):016x}"[:17],
                    "course": course,
                    "type": item["type"],
                    "title": title,
                    "due_at": item["due_at"],
                    "points": item["points_possible"],
                    "status": item["submission_status"],
                    "submission_types": [self._text(kind) for kind in item["submission_types"]],
                },
            )

    def _todo(self, row: dict) -> Iterator[tuple[tuple, dict]]:
        for item in row["items"]:
            title, course_id = self._text(item["assignment_name"]), item.get("course_id")
            token = None if course_id is None else self.mask.token("ID", str(course_id))
            yield (
                (normal(title), token),
                {
                    "kind": "todo",
                    "type": item["type"],
                    "title": title,
                    "due_at": item["due_at"],
                    "course_id": token,
                },
            )

    def _announcements(self, row: dict) -> Iterator[tuple[tuple, dict]]:
        course = self._course_token(row)
        for item in row["items"]:
            title = self._text(item["title"])
            yield (
                (normal(title), course),
                {
                    "kind": "announcement",
                    "course": course,
                    "title": title,
                    "posted_at": item["posted_at"],
                    "author": item.get("author"),
                    "message": self._text(item["message"]),
                },
            )

    def _syllabus(self, row: dict) -> Iterator[tuple[tuple, dict]]:
        course, body = self._course_token(row), self._text(row["body"])
        yield (course,), {"kind": "syllabus", "course": course, "body": body}

    def _roster(self, row: dict) -> Iterator[tuple[tuple, dict]]:
        course = self._course_token(row)
        for person in row["people"]:
            token, sis_id = self.mask.person(person["name"]), person.get("sis_id")
            yield (
                (course, token),
                {
                    "kind": "person",
                    "course": course,
                    "person": token,
                    "name": person["name"],
                    "role": person["role"],
                    "email": self._text(person.get("email") or ""),
                    "sis_id": None if sis_id is None else self.mask.token("ID", str(sis_id)),
                },
            )

    def _session(self, row: dict) -> Iterator[tuple[tuple, dict]]:
        kept = {key: row[key] for key in ("messages", "tools", "outcome") if key in row}
        session = tree.walk(kept, lambda text, _: self._text(text))
        yield (dumps(session["messages"]),), {"kind": "session", **session}

    def _text(self, text: str) -> str:
        return self.mask.identifiers(text)

    def _course_token(self, row: dict) -> str:
        return self.mask.course(row["course_code"], row["course_name"])
