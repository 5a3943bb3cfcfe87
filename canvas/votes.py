"""Votes: three a pair, one with the positions swapped; only unanimous pairs become preferences."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from canvas import io, items, pairs
from canvas.teacher import Question, Teacher, Vote

# Order bias: a teacher that prefers a position contradicts itself in the swapped vote.
SWAPPED = (False, False, True)
_OTHER = {"A": "B", "B": "A", None: None}


class VoteFile:
    """Votes on disk, a JSON line each, flushed as they come: a killed run asks only the rest."""

    def __init__(self, path: Path):
        """Raises BadInput on a line that is no vote; a last line cut by a kill is asked again."""
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._votes = self._read() if path.exists() else {}
        self._file = path.open("a", encoding="utf-8", newline="\n")

    def __enter__(self) -> "VoteFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def get(self, prompt: str, number: int) -> Vote | None:
        """The vote kept for this prompt and vote number, if any."""
        return self._votes.get((prompt, number))

    def put(self, prompt: str, number: int, vote: Vote) -> None:
        """Keep a vote, on disk before this returns."""
        self._votes[prompt, number] = vote
        row = {"prompt": prompt, "number": number, **vote._asdict()}
        self._file.write(io.dumps(row) + "\n")
        self._file.flush()

    def _read(self) -> dict[tuple[str, int], Vote]:
        whole, _, cut = self._path.read_bytes().rpartition(b"\n")
        if cut:
            self._path.write_bytes(whole + b"\n" if whole else b"")
        votes = {}
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                row = json.loads(line)
                votes[row["prompt"], row["number"]] = Vote(row["choice"], row["reason"])
            except (ValueError, KeyError, TypeError) as error:
                raise io.BadInput(
                    self._path, f"not a vote ({error})", line=number, remedy="delete the file"
                ) from error
        return votes


def vote_path(folder: Path, teacher: Teacher) -> Path:
    """The vote file of one teacher at one version."""
    return folder / f"{teacher.name}-{teacher.version}.jsonl"


def ask(pair: dict, teacher: Teacher, kept: VoteFile) -> list[Vote]:
    """Three votes on a pair, choices in the pair's own positions; kept ones are not asked again."""
    votes = []
    for number, swapped in enumerate(SWAPPED):
        question = _question(pair, swapped)
        vote = kept.get(question.prompt, number)
        if vote is None:
            vote = teacher.vote(question)
            kept.put(question.prompt, number, vote)
        votes.append(vote._replace(choice=_OTHER[vote.choice]) if swapped else vote)
    return votes


def preference(pair: dict, votes: list[Vote]) -> dict | None:
    """The preference row of a pair whose votes all name the same item, None of any other."""
    choices = [vote.choice for vote in votes]
    if len(set(choices)) != 1 or choices[0] is None:
        return None
    other = _OTHER[choices[0]]
    other_item = items.parse(pair[f"item_{other.lower()}"])
    return {
        **{key: pair[key] for key in _PAIR_KEYS},
        "chosen": answer(choices[0], votes[0].reason),
        "rejected": answer(other, items.words(other_item)),
        "votes": choices,
    }


_PAIR_KEYS = ("pair_id", "prompt", "pair_type", "wording", "item_a_id", "item_b_id")


def answer(choice: str, reason: str) -> str:
    """`Do B first: this quiz is due in 1 day, worth 20 points.`"""
    return f"Do {choice} first: {reason}."


def label(
    rows: Iterable[dict], teacher: Teacher, kept: VoteFile
) -> Iterator[tuple[dict, dict | None]]:
    """(pair, its preference row or None), in the order of the pairs."""
    for pair in rows:
        yield pair, preference(pair, ask(pair, teacher, kept))


def tally(labelled: Iterable[tuple[dict, dict | None]]) -> dict:
    """Counts: pairs, kept, kept by pair type, and the share of A among the chosen."""
    labelled = list(labelled)
    kept = [row for _, row in labelled if row is not None]
    asked = Counter(pair["pair_type"] for pair, _ in labelled)
    by_type = Counter(row["pair_type"] for row in kept)
    first = sum(row["votes"][0] == "A" for row in kept)
    return {
        "pairs": len(labelled),
        "unanimous": len(kept),
        "chosen_a": round(first / len(kept), 4) if kept else None,
        "pair_types": {
            name: {"pairs": asked[name], "unanimous": by_type[name]} for name in sorted(asked)
        },
    }


def _question(pair: dict, swapped: bool) -> Question:
    lines = pair["item_a"], pair["item_b"]
    if swapped:
        lines = lines[::-1]
    return Question(pairs.prompt(*lines, pair["wording"]), *lines)
