"""Grammar fuzzing: whatever the spelling and the neighbours, no identifier gets through."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canvas.anonymize import Anonymizer, Courses, People, tree
from canvas.registry import TOKEN, Registry

KEY = b"a key for tests only"
DASHES = ["-", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2212"]
GAPS = ["", " ", "\u00a0", "_", *DASHES, " - ", "\u202f"]
HIDDEN = ["", "", "\u200b", "\u2060", "\u00ad", "\u202e", "\ufeff"]
DEPARTMENTS = ["CS", "Cs", "cs", "cS", "CHEM", "Chem", "math", "AAEC", "biol", "ENGL"]
FRIENDS = ["ISO 9001", "RFC 2616", "EXAM 2023", "COVID 19", "TOP 1000", "Fall 2024", "IEEE 1394"]


def mask() -> Anonymizer:
    """A masker that knows one course, one handle and one roster."""
    courses, people = Courses(), People()
    courses.learn("CS_3704_21936_202601", "Software")
    people.learn("Priya Raman")
    people.learn_login("quietheron96")
    return Anonymizer(Registry(KEY), courses, people)


@st.composite
def codes(draw) -> tuple[str, str]:
    """A spelling of a course code, and the number in it."""
    number = str(draw(st.integers(3000, 5999)))
    department = draw(st.sampled_from(DEPARTMENTS))
    cut, hidden = draw(st.integers(1, len(department))), draw(st.sampled_from(HIDDEN))
    spelled = department[:cut] + hidden + department[cut:]
    return spelled + draw(st.sampled_from(GAPS)) + number, number


BEFORE = st.sampled_from(
    ["", "see ", "2024_", "SPRING 2024_", "(", "[", "*", "**", "<b>", "re: ", "\t"]
)
AFTER = st.sampled_from(
    ["", " notes", "_21936_202601", ")", ": Intro", "'s", "</b>", "**", ", ok", "\n"]
)
POLICY = st.sampled_from(["prose", "title"])


@given(BEFORE, codes(), AFTER, POLICY)
@settings(max_examples=400, deadline=None)
def test_course_codes(before, code, after, policy):
    spelled, number = code
    masked = mask().text(before + spelled + after, policy)
    left = TOKEN.sub(" ", masked)
    assert number not in left
    assert "21936" not in left
    plain = "".join(c for c in spelled if c.isascii() and c.isalnum()).upper()
    assert mask().text(plain) in masked


CRNS = st.integers(10000, 98999).filter(lambda n: n % 1000).map(str)
SECRETS = st.one_of(
    CRNS.map(lambda n: (f"CRN {n}", n)),
    CRNS.map(lambda n: (f"({n})", n)),
    CRNS.map(lambda n: (f"CS_3704_{n}_202601", n)),
    st.sampled_from(["quietheron96", "QuietHeron96", "QUIETHERON96"]).map(lambda h: (h, h)),
    st.integers(905000001, 905999998).filter(lambda n: n % 1000).map(lambda n: (f"ID {n}", str(n))),
    st.integers(1000001, 9999998).filter(lambda n: n % 1000).map(lambda n: (f"N{n}", str(n))),
    st.integers(100001, 999998).filter(lambda n: n % 1000 and not 200000 <= n < 205000)
    .map(lambda n: (f"https://canvas.x.edu/courses/{n}/files", str(n))),
    st.integers(10, 999).map(lambda n: (f"Section {n:03}", f"{n:03}")),
    st.sampled_from(["p.raman@x.edu", "P.RAMAN@X.EDU", "p.ra\u200bman@x.edu", "p.raman [at] x.edu"])
    .map(lambda m: (m, "raman")),
    st.sampled_from(["Priya Raman", "RAMAN, PRIYA", "priya raman", "Raman"])
    .map(lambda n: (n, "raman")),
)  # fmt: skip


@given(st.lists(SECRETS, min_size=1, max_size=4), st.sampled_from([" ", ", ", " | ", "\n", "; "]))
@settings(max_examples=300, deadline=None)
def test_identifiers_beside_each_other(secrets, gap):
    text = gap.join(spelled for spelled, _ in secrets)
    once = mask().text(text)
    left = TOKEN.sub(" ", once).casefold()
    for _, secret in secrets:
        assert secret.casefold() not in left, once
    assert mask().text(once) == once


@given(st.lists(st.sampled_from(FRIENDS), min_size=1, max_size=5), POLICY)
def test_false_friends_stay(friends, policy):
    text = ", ".join(friends)
    assert mask().text(text, policy) == text


def deeper(inner: st.SearchStrategy) -> st.SearchStrategy:
    """Lists and objects of what is given."""
    keys = st.sampled_from(["a", "title"])
    return st.lists(inner, min_size=1, max_size=3) | st.dictionaries(keys, inner, min_size=1)


@given(st.recursive(SECRETS, deeper, max_leaves=6))
@settings(max_examples=150, deadline=None)
def test_nested_values_and_json_inside_strings(value):
    plain = json.loads(json.dumps(value))

    def secrets(node):
        if isinstance(node, dict):
            return [s for entry in node.values() for s in secrets(entry)]
        if node and isinstance(node[0], str):
            return [node[1]]
        return [s for entry in node for s in secrets(entry)]

    def spelled(node):
        if isinstance(node, dict):
            return {key: spelled(entry) for key, entry in node.items()}
        return node[0] if isinstance(node[0], str) else [spelled(entry) for entry in node]

    rows = {"direct": spelled(plain), "inside": json.dumps([spelled(plain)], ensure_ascii=False)}
    left = TOKEN.sub(" ", json.dumps(tree.walk(rows, mask().text), ensure_ascii=False)).casefold()
    assert not [secret for secret in secrets(plain) if secret.casefold() in left]


@pytest.mark.parametrize("depth", [10, 500])
def test_deep_nesting_is_masked_or_left_as_text(depth):
    text = "[" * depth + '"CS 3704"' + "]" * depth
    masked = tree.walk({"x": text}, mask().text)
    assert "3704" not in TOKEN.sub("", json.dumps(masked))
