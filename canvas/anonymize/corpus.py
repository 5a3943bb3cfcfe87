"""Masking of the merged corpus and of sessions, by a policy for each field."""

from collections.abc import Iterable

from canvas.anonymize import Anonymizer, tree
from canvas.anonymize.people import People

# Which policy a text field of a corpus row gets; fields of other rows and names hold no free text.
POLICY = {
    "item": {"title": "title"},
    "todo": {"title": "title"},
    "course": {"name": "title", "term": "title"},
    "announcement": {"title": "title", "message": "prose"},
    "syllabus": {"body": "prose"},
}
_DROPPED = {"person": ("name", "email")}


def known_people(rows: Iterable[dict]) -> People:
    """People that the person rows and the authors of a merged corpus name."""
    people = People()
    for row in rows:
        for name in (row.get("name"), row.get("author")):
            if name and row["kind"] in ("person", "announcement"):
                people.learn(name)
    return people


def clean_row(row: dict, mask: Anonymizer) -> dict:
    """A corpus row with its texts masked; a person keeps the token, an author becomes one."""
    clean = {key: value for key, value in row.items() if key not in _DROPPED.get(row["kind"], ())}
    for field, kind in POLICY.get(row["kind"], {}).items():
        if clean[field] is not None:
            clean[field] = mask.text(clean[field], kind)
    if "author" in clean:
        clean["author"] = mask.person(clean["author"])
    return clean


def clean_session(session: dict, mask: Anonymizer) -> dict:
    """A session with every string of its messages and tools masked."""
    masked = {key: tree.walk(session[key], mask.text) for key in ("messages", "tools")}
    return session | masked
