"""The tokenizer: what a tiny model needs in order to copy."""

import pytest

from canvas import template
from canvas.nano import tokenizer


@pytest.fixture(scope="module")
def tok(base_rows):
    texts = [template.render(row["messages"], row["tools"]) for row in base_rows]
    return tokenizer.train(texts, 1500)


def pieces(tok, text):
    return tok.convert_ids_to_tokens(tok(text, add_special_tokens=False).input_ids)


@pytest.mark.parametrize("marker", tokenizer.CONTROL + tokenizer.MARKERS + tokenizer.SKELETON)
def test_markers_and_skeleton_are_single_tokens(tok, marker):
    assert pieces(tok, marker) == [marker]


def test_any_text_comes_back(tok, base_rows):
    texts = [template.render(row["messages"], row["tools"]) for row in base_rows[:50]]
    for text in [*texts, "naïve 漢字 🙂 a\tb", "  two  spaces\n\n", "x_y.z"]:
        ids = tok(text, add_special_tokens=False).input_ids
        assert tok.decode(ids, skip_special_tokens=False) == text


@pytest.mark.parametrize("value", ["2026-03-04", "@COURSE71", "14:30", "Lab Report 3: Titration"])
def test_facts_are_the_same_tokens_wherever_they_stand(tok, value):
    alone = pieces(tok, value)
    frames = (' "{}",', ' "{}".', '{{value:<|"|>{{"title":"{}"', 'title:<|"|>{}<|"|>}}', "({})")
    for frame in frames:
        found = pieces(tok, frame.format(value))
        spots = [i for i in range(len(found)) if found[i : i + len(alone)] == alone]
        assert spots, (frame, found, alone)


def test_tool_names_are_the_same_tokens_in_declaration_and_call(tok):
    name = "clinic.free_essay"
    declared = pieces(tok, f"<|tool>declaration:{name}{{description:")
    called = pieces(tok, f"<|tool_call>call:{name}{{date:")
    alone = pieces(tok, name)
    assert declared[1 : 1 + len(alone)] == called[3 : 3 + len(alone)] == alone


def test_same_texts_give_the_same_tokenizer(base_rows):
    texts = [template.render(row["messages"], row["tools"]) for row in base_rows[:60]]
    first, second = (tokenizer.train(texts, 700).backend_tokenizer.to_str() for _ in range(2))
    assert first == second


def test_vocabulary_has_the_size_asked_for(tok):
    assert len(tok) == 1500
