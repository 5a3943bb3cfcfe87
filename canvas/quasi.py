"""Quasi-identifiers: what tells contributors apart though it names nobody.

Sets of courses are counted (k-anonymity: Sweeney 2002, "k-anonymity: a model for protecting
privacy"), and rare point values become common ones.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable

# Points as most assignments have them; more than 10,000 stay, as nobody has them.
_COMMON = (
    *range(0, 11), 12, *range(15, 101, 5), *range(110, 201, 10), *range(225, 501, 25),
    *range(550, 1001, 50), *range(1100, 10_001, 100),
)  # fmt: skip


def common_points(points: float | None) -> float | None:
    """The nearest common value, the lower of two; what is common itself stays as it is.

    It depends on the value alone, so that another row changes nothing.
    """
    if points is None or points > _COMMON[-1]:
        return points
    place = bisect_left(_COMMON, points)
    if _COMMON[place] == points:
        return points
    low, high = _COMMON[place - 1], _COMMON[place]
    return float(low if points - low <= high - points else high)


def k_anonymity(enrolments: Iterable[tuple[str, str, str | None]]) -> dict:
    """How many contributors share their set of courses in a term, from (contributor, course, term).

    {"contributors", "sets": distinct (courses, term), "smallest": the least number of contributors
    that one of them has, "sets_by_k": {k: sets}}; k is 0 where there are no contributors.
    """
    courses: dict[tuple[str, str], set[str]] = defaultdict(set)
    for contributor, course, term in enrolments:
        courses[contributor, term or ""].add(course)
    shared = Counter((frozenset(taken), term) for (_, term), taken in courses.items())
    sizes = Counter(shared.values())
    return {
        "contributors": len({contributor for contributor, _ in courses}),
        "sets": len(shared),
        "smallest": min(shared.values(), default=0),
        "sets_by_k": {str(k): sizes[k] for k in sorted(sizes)},
    }


def warning(counts: dict, k_min: int) -> str | None:
    """What to tell where a set of courses has fewer than `k_min` contributors; None elsewhere."""
    below = sum(sets for k, sets in counts["sets_by_k"].items() if int(k) < k_min)
    if not below:
        return None
    return (
        f"{below} of {counts['sets']} sets of courses in a term have fewer contributors than "
        f"anonymize.k_min ({k_min}), the smallest {counts['smallest']}: who knows what somebody "
        "took can tell their rows apart. To do: gather more contributions of these courses, or "
        "leave rare courses out."
    )
