"""Rows in the pipeline's formats, few and short, that differ in every key they may differ in."""

import pytest

from canvas.training import recipe


def declaration(name: str, argument: str) -> dict:
    parameters = {
        "type": "object",
        "properties": {argument: {"type": "string", "description": "what to look up"}},
        "required": [argument],
    }
    function = {"name": name, "description": f"Look up by {argument}", "parameters": parameters}
    return {"type": "function", "function": function}


TOOLS = [
    declaration("canvas.get_course", "course"),
    declaration("calendar.delete_event", "event"),
]


def call(number: int) -> dict:
    name, arguments = (
        ("canvas.get_course", {"course": f"@COURSE{number}"}),
        ("calendar.delete_event", {"event": f"E{number}"}),
    )[number % 2]
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"type": "function", "function": {"name": name, "arguments": arguments}}],
    }


def opening(number: int) -> list[dict]:
    return [
        {"role": "system", "content": "Plan. It is 2026-03-04T14:00."},
        {"role": "user", "content": "What about number " + "please " * (number % 5) + f"{number}?"},
    ]


@pytest.fixture(scope="session")
def sessions() -> list[dict]:
    """Trajectory rows: call, result, answer."""
    rows = []
    for number in range(24):
        spoken = call(number)
        result = {
            "role": "tool",
            "name": spoken["tool_calls"][0]["function"]["name"],
            "content": f'{{"room":"B{number}"}}',
        }
        answer = {"role": "assistant", "content": f"It is in B{number}."}
        rows.append({"messages": [*opening(number), spoken, result, answer], "tools": TOOLS})
    return rows


@pytest.fixture(scope="session")
def preferences() -> list[dict]:
    """Preference rows without a reference."""
    return [
        {
            "pair_id": f"pair-{number}",
            "prompt": f"Which first?\nA: [ASGN] Essay {number} DUE {number}D\nB: [QUIZ] Limits",
            "chosen": f"Do A first: it is due in {number} days and worth more.",
            "rejected": "Do B first: it is short.",
        }
        for number in range(24)
    ]


@pytest.fixture(scope="session")
def judged() -> list[dict]:
    """KTO rows, every third undesirable."""
    return [
        {
            "prompt": opening(number),
            "completion": [call(number)],
            "label": number % 3 > 0,
            "tools": TOOLS,
        }
        for number in range(24)
    ]


@pytest.fixture(scope="session")
def machine() -> recipe.Machine:
    return recipe.Machine(
        device="cpu", dtype="float32", autocast=False, gradient_checkpointing=False
    )


@pytest.fixture(scope="session")
def referenced(nano_model, machine, preferences) -> list[dict]:
    """Preference rows with the log-probabilities of the nano model."""
    from canvas import reference
    from canvas.training import model, tokens

    pairs = tokens.pairs(
        list(enumerate(preferences, 1)), model.load_tokenizer(nano_model), "preferences"
    )
    network = model.load(nano_model, machine)
    chosen, rejected = (
        reference.logps(network, [(pair["prompt_ids"], pair[kind]) for pair in pairs])
        for kind in ("chosen_ids", "rejected_ids")
    )
    return [
        {**row, "ref_chosen_logps": better, "ref_rejected_logps": worse}
        for row, better, worse in zip(preferences, chosen, rejected, strict=True)
    ]
