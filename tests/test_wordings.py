import pytest

from canvas import io, seeds, wordings

DOCUMENT = {
    "openers": "Hey,\nGot a minute?\n",
    "closers": "Thanks!\n",
    "frames": "Could you ...?\nPlease ...\n",
    "verbs": "show tell",
    "intents": {"get_grades": "Show me my (grade|mark) in {course}.\nI need my score, {course}\n"},
}
WORDS = wordings.parse(DOCUMENT, "train.yaml")


def test_reads_one_wording_a_line():
    assert WORDS.patterns["get_grades"][1] == "I need my score, {course}"
    assert WORDS.openers == ("Hey,", "Got a minute?")


@pytest.mark.parametrize("field", ["openers", "closers", "intents"])
def test_a_missing_block_is_named(field):
    with pytest.raises(io.BadInput, match=field):
        wordings.parse({**DOCUMENT, field: None}, "train.yaml")


def test_a_wording_twice_is_refused_whatever_its_punctuation():
    twice = {**DOCUMENT, "intents": {"greeting": "Hello!\nhello\n"}}
    with pytest.raises(io.BadInput, match=r"greeting.*twice: Hello!"):
        wordings.parse(twice, "train.yaml")


def test_slots():
    assert wordings.slots_of("Move {title} ({course}) to {time}") == {"title", "course", "time"}


def test_expansions_and_empty_choices():
    found = list(wordings.expansions("(Show|Give) me (all |)grades (please|)."))
    assert found == [
        "Show me all grades please.",
        "Show me all grades.",
        "Show me grades please.",
        "Show me grades.",
        "Give me all grades please.",
        "Give me all grades.",
        "Give me grades please.",
        "Give me grades.",
    ]


def test_a_choice_is_one_of_the_expansions():
    pattern = "(List|Show) (the|all|my) assignments ({course}) (now|)?"
    made = {wordings.choose(pattern, seeds.rng("choice", i)) for i in range(200)}
    assert made == set(wordings.expansions(pattern))


def test_titles_are_quoted_and_articles_fit():
    slots = {"title": "Lab 3: Gas Laws", "kind": "exam", "course": "@COURSE7"}
    text = wordings.fill("Is {title} a {kind} in {course}?", slots)
    assert text == 'Is "Lab 3: Gas Laws" an exam in @COURSE7?'


def test_a_slot_without_a_value_is_an_error():
    with pytest.raises(KeyError):
        wordings.fill("{course}", {})


def test_frames_go_around_imperatives_only():
    assert WORDS.framed("Show me {course}.") == (
        "Could you show me {course}?",
        "Please show me {course}",
    )
    assert WORDS.framed("Please tell me.") == ()
    assert WORDS.framed("I need {course}.") == ()
    assert WORDS.framed("Show me {course}. Is it new?") == ()


def test_phrases_are_seeded_and_vary():
    def made():
        return [
            wordings.phrase(
                WORDS.patterns["get_grades"][0],
                {"course": "@COURSE7"},
                WORDS,
                seeds.rng("phrase", number),
            )
            for number in range(300)
        ]

    assert made() == made()
    assert all("@COURSE7" in text for text in made())
    assert {
        "Hey, show me my mark in @COURSE7.",
        "Got a minute? Show me my grade in @COURSE7.",
        "Could you show me my grade in @COURSE7?",
        "Show me my grade in @COURSE7. Thanks!",
        "show me my mark in @COURSE7",
    } <= set(made())


def test_i_and_ids_keep_their_case():
    words = wordings.Wordings(("So,",), ("Thanks!",), {})
    for text in ("I'm in @COURSE7.", "I see.", "E4 can go.", '"Lab 3" is off.', "@COURSE7?"):
        made = {wordings.phrase(text, {}, words, seeds.rng(text, i)) for i in range(60)}
        assert f"So, {text}" in made


def test_what_is_compared():
    assert wordings.normalise("What's due  in {course}?!") == "what's due in {course}"
    assert wordings.trigrams("a b, c d") == {("a", "b", "c"), ("b", "c", "d")}
    assert wordings.trigrams("Hi there") == frozenset()
