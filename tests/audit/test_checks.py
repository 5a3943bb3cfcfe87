"""Canaries, contributions, overlaps, cycles, wordings of scenarios."""

import json
from pathlib import Path

import pytest

from canvas.audit import canaries, contributions, splits, wordings
from canvas.audit.canaries import Canaries
from canvas.audit.strings import Texts


def texts_of(tmp_path, *rows):
    path = tmp_path / "clean.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    texts = Texts()
    list(texts.add(path))
    return [*texts.items(), *texts.numbers()]


def planted(tmp_path, value: str, *rows):
    found = canaries.find(Canaries([{"kind": "person", "value": value}]), texts_of(tmp_path, *rows))
    return [(finding.line, finding.field, finding.kind) for finding in found]


@pytest.mark.parametrize(
    "text",
    [
        "Ask Heather Page now", "heather PAGE", '{"x":"Heather Page"}', "Heather\u00a0Page",
        "Heather_Page", "heather%20page", r"Heather\u0020P\u0061ge", "Heather&nbsp;Page",
        "(Heather\n Page)", "Hea\u200bther Page",
    ],
)  # fmt: skip
def test_planted_values_are_found_in_any_case_depth_and_spelling(tmp_path, text):
    found = planted(tmp_path, "Heather Page", {"fine": "x"}, {"a": [{"b": text}]})
    assert found == [(2, "a[0].b", "planted person")]


def test_planted_values_are_found_in_keys_and_numbers(tmp_path):
    assert planted(tmp_path, "Heather Page", {"heather page": 1}) == [
        (1, "row (key)", "planted person")
    ]
    assert planted(tmp_path, "18934", {"a": {"id": 18934}}) == [(1, "line", "planted person")]


@pytest.mark.parametrize(("value", "text"), [("Eric", "American"), ("12345", "123456, 012345")])
def test_planted_values_inside_other_words_are_none(tmp_path, value, text):
    assert planted(tmp_path, value, {"a": text}) == []


def contribution(tmp_path, text: str):
    path = tmp_path / "c.jsonl"
    path.write_text(text + "\n")
    return [(f.line, f.field, f.kind) for f in contributions.check(path, "public")]


def test_fields_that_must_be_tokens(tmp_path):
    row = {
        "contributor_id": "someone",
        "course_code": "@COURSE1",
        "items": [{"course_id": 18934, "author": "Ana"}],
        "people": [{"name": "Ana", "email": None, "sis_id": "@ID12345678"}],
    }
    assert contribution(tmp_path, json.dumps(row)) == [
        (1, "contributor_id", "unmasked handle"),
        (1, "course_code", "unmasked course code"),
        (1, "items[0].course_id", "unmasked Canvas id"),
        (1, "items[0].author", "unmasked author's name"),
        (1, "people[0].name", "unmasked person's name"),
    ]


def test_rows_of_the_public_key_and_cut_lines(tmp_path):
    row = {"contributor_id": "@PERSON12345678", "key_id": "public"}
    assert contribution(tmp_path, json.dumps(row)) == [(1, "key_id", "masked under the public key")]
    cut = '{"contributor_id":"someone","course_na'
    assert contribution(tmp_path, cut) == [(1, "contributor_id", "unmasked handle")]
    assert contribution(tmp_path, '{"contributor_id":"@PERSON12345678","cour') == []


def rows(**files: list[dict]):
    return [
        (Path(f"data/splits/{name}.jsonl"), number, row)
        for name, content in files.items()
        for number, row in enumerate(content, 1)
    ]


@pytest.mark.parametrize(
    ("train", "test", "kind"),
    [
        ({"row_id": "r", "wording": "a"}, {"row_id": "r", "wording": "b"}, "row_id overlap"),
        ({"row_id": "r", "wording": "a"}, {"row_id": "s", "wording": "a"}, "wording overlap"),
        ({"pair_id": "p", "item_a_id": "i"}, {"pair_id": "q", "item_b_id": "i"}, "item overlap"),
        ({"pair_id": "p"}, {"pair_id": "p"}, "pair_id overlap"),
    ],
)
def test_overlaps_across_all_kinds_of_rows(train, test, kind):
    assert [f.kind for f in splits.overlaps(rows(kto_train=[train], trajectory_test=[test]))] == [
        kind
    ]
    assert list(splits.overlaps(rows(kto_train=[train], trajectory_train=[test]))) == []


def preference(first: str, second: str, choice: str) -> dict:
    return {"item_a_id": first, "item_b_id": second, "chosen": f"Do {choice} first: it is due."}


def test_cycles_of_preferences():
    order = [preference("x", "y", "A"), preference("z", "y", "B"), preference("x", "z", "A")]
    assert list(splits.cycles(rows(preference_train=order))) == []
    circle = [*order[:2], preference("x", "z", "B")]
    (finding,) = splits.cycles(rows(preference_train=circle))
    assert finding.kind == "intransitive"
    (contrary,) = splits.cycles(
        rows(
            preference_train=[preference("x", "y", "A")],
            preference_test=[preference("x", "y", "B")],
        )
    )
    assert contrary.kind == "intransitive"


def test_label_without_a_choice_is_named():
    (finding,) = splits.cycles(
        rows(preference_train=[{**preference("x", "y", "A"), "chosen": "A"}])
    )
    assert finding.kind == "unreadable label"


def test_a_long_chain_needs_no_recursion():
    chain = [preference(f"{n:05}", f"{n + 1:05}", "A") for n in range(5000)]
    assert list(splits.cycles(rows(preference_train=chain))) == []
    chain.append(preference("05000", "00000", "A"))
    assert len(list(splits.cycles(rows(preference_train=chain)))) == 1


HELD_OUT = {
    wordings.clauses(text): source
    for text, source in {
        "Can I get a list of the classes I'm taking?": "list",
        "{course} homework?": "short",
        "Hello!": "greeting",
        'When should "Reading Notes 11" be handed in for @COURSE91?': "prompt",
    }.items()
}


def leaked(text: str) -> list[str]:
    found = wordings.find(HELD_OUT, [(text, Path("t.jsonl"), 3, "messages[1].content")])
    return [finding.excerpt.rsplit(" ", 1)[1] for finding in found]


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("Hey, can I get a list of the classes I'm taking? Thanks", ["list"]),
        ("CAN I GET A LIST OF THE CLASSES I\u2019M TAKING", ["list"]),
        ("Ok: @COURSE7 homework. Thanks", ["short"]),
        ("hello", ["greeting"]),
        ('When should "Essay" be handed in for @COURSE2?', ["prompt"]),
        ('Please say when should "Lab 2" be handed in for @COURSE3, ok', ["prompt"]),
        ("Is there any @COURSE7 homework left?", []),
        ("Hello, what is due?", []),
        ('When must "Essay" be handed in for @COURSE2?', []),
    ],
)
def test_wordings_of_scenarios_in_learned_text(text, sources):
    assert leaked(text) == sources


def test_scenario_wordings_are_the_patterns_and_the_prompts():
    found = wordings.of_scenarios(Path("data/scenarios"))
    sources = set(found.values())
    assert any(source.startswith("data/scenarios/basic.yaml") for source in sources)
    assert any(source.startswith("scenario ") for source in sources)
    assert not any("{" in wording or "(" in wording for wording in found)
