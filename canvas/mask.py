"""Mask: a raw export to a contribution that can be shared, under the contributor's own key."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from canvas.anonymize import Anonymizer, Courses, People, tree
from canvas.dateshift import shift_text, shift_time
from canvas.merge import Contribution, learn
from canvas.quasi import common_points
from canvas.registry import Registry
from canvas.schema import RECORDS
from canvas.terms import shift_terms


class Masked(NamedTuple):
    """Contribution rows by handle, how much was masked by kind, and fields that were dropped."""

    rows: dict[str, list[dict]]
    counts: dict[str, int]
    dropped: dict[str, int]


def mask(contributions: Iterable[Contribution], key: bytes) -> Masked:
    """Contribution rows with identifiers, names and contacts as tokens and dates shifted.

    Fields that the schema does not know are dropped, for no policy says how to mask them.
    """
    contributions = list(contributions)
    courses, people = Courses(), People()
    learn((entry.row for entry in contributions), courses, people)
    masker = Masker(Anonymizer(Registry(key), courses, people, foreign=True))
    rows: dict[str, list[dict]] = defaultdict(list)
    dropped: dict[str, int] = defaultdict(int)
    for entry in contributions:
        handle = masker.anonymizer.token("PERSON", entry.contributor)
        rows[handle.removeprefix("@")].append(masker.row(entry.row, handle))
        for field in entry.row.keys() - RECORDS[entry.row["type"]].keys() - {"type"}:
            dropped[field] += 1
    return Masked(dict(rows), dict(sorted(masker.anonymizer.counts.items())), dict(dropped))


class Masker:
    """Masks rows by a policy for each of their fields."""

    def __init__(self, anonymizer: Anonymizer):
        self.anonymizer = anonymizer
        self.weeks = anonymizer.registry.shift_weeks
        self._fields: dict[str, Callable[[dict], dict]] = {
            "course_snapshot": self._course,
            "todo_snapshot": self._todo,
            "announcement_snapshot": self._announcements,
            "syllabus_snapshot": self._syllabus,
            "roster_snapshot": self._roster,
            "session": self._session,
        }

    def row(self, row: dict, handle: str) -> dict:
        """The masked row, signed with the contributor's handle and the id of the key."""
        signed = {"contributor_id": handle, "key_id": self.anonymizer.registry.key_id}
        if "collected_at" in row:
            signed["collected_at"] = shift_time(row["collected_at"], self.weeks)
        return {"type": row["type"], **self._fields[row["type"]](row), **signed}

    def _text(self, text: str, kind: str, near: str | None) -> str:
        # Dates first: a token must not be taken for one. Terms last: codes of courses hold some.
        masked = self.anonymizer.text(shift_text(text, self.weeks, near), kind)
        return shift_terms(masked, self.weeks)

    def _names(self, row: dict) -> dict:
        return {
            "course_name": self._text(row["course_name"], "title", row.get("collected_at")),
            "course_code": self.anonymizer.course(row["course_code"], row["course_name"]),
        }

    def _course(self, row: dict) -> dict:
        term = {"term": row["term"] and self._text(row["term"], "title", None)}
        items = [self._assignment(item) for item in row["assignments"]]
        return self._names(row) | (term if "term" in row else {}) | {"assignments": items}

    def _assignment(self, item: dict) -> dict:
        kinds = [self._text(kind, "title", None) for kind in item["submission_types"]]
        return {
            "name": self._text(item["name"], "title", item["due_at"]),
            "type": item["type"],
            "due_at": shift_time(item["due_at"], self.weeks),
            "points_possible": common_points(item["points_possible"]),
            "submission_types": kinds,
            "submission_status": item["submission_status"],
        }

    def _todo(self, row: dict) -> dict:
        return {"items": [self._todo_item(item) for item in row["items"]]}

    def _todo_item(self, item: dict) -> dict:
        course_id = item.get("course_id")
        return {
            "type": item["type"],
            "assignment_name": self._text(item["assignment_name"], "title", item["due_at"]),
            "due_at": shift_time(item["due_at"], self.weeks),
            "course_id": self._id(course_id),
        }

    def _announcements(self, row: dict) -> dict:
        return self._names(row) | {"items": [self._announcement(item) for item in row["items"]]}

    def _announcement(self, item: dict) -> dict:
        posted = item["posted_at"]
        return {
            "title": self._text(item["title"], "title", posted),
            "posted_at": shift_time(posted, self.weeks),
            "author": self.anonymizer.person(item.get("author")),
            "message": self._text(item["message"], "prose", posted),
        }

    def _syllabus(self, row: dict) -> dict:
        body = self._text(row["body"], "prose", row.get("collected_at"))
        return self._names(row) | {"body": body}

    def _roster(self, row: dict) -> dict:
        people = [
            {
                "name": self.anonymizer.person(person["name"]),
                "role": person["role"],
                "email": self.anonymizer.token("EMAIL", person["email"])
                if person.get("email")
                else None,
                "sis_id": self._id(person.get("sis_id")),
            }
            for person in row["people"]
        ]
        return self._names(row) | {"people": people}

    def _session(self, row: dict) -> dict:
        near = row.get("collected_at")
        kept = {name: row[name] for name in ("messages", "tools", "outcome") if name in row}
        return tree.walk(kept, lambda text, kind: self._text(text, kind, near))

    def _id(self, value: object) -> str | None:
        return None if value is None else self.anonymizer.token("ID", str(value))
