"""How a request about a made-up service is answered: the calls, and the last line of the turn."""

from canvas.nano.turns import Turn


def _get(turn: Turn) -> str:
    values = {field: turn.value(field) for field in turn.noun["fields"][:3]}
    slots = turn.slots
    turn.call("get", {turn.noun["one"]: slots["id"], **values}, one=slots["id"])
    return f"The {slots['field']} of {slots['id']} is {values[slots['field']]}."


def _listing(turn: Turn, action: str, **arguments: object) -> str:
    entries = turn.entries(turn.rng.choice(["title", "name"]))
    turn.call(action, {turn.noun["many"]: entries}, **arguments)
    return _told(entries)


def _told(entries: list[dict]) -> str:
    """Each title with its first other value: `"Maple Tour" 2025-03-04; "Race 7" 2025-03-09.`"""
    parts = []
    for entry in entries:
        title, *others = entry.values()
        parts.append(f'"{title}" {others[0]}')
    return "; ".join(parts) + "."


def _overview(turn: Turn) -> str:
    return _listing(turn, "overview")


def _inside(turn: Turn) -> str:
    return _listing(turn, "inside", owner=turn.slots["id"])


def _between(turn: Turn) -> str:
    return _listing(turn, "between", start=turn.slots["start"], end=turn.slots["end"])


def _days(turn: Turn) -> str:
    return _listing(turn, "days", days=turn.slots["number"])


def _free(turn: Turn) -> str:
    hours = sorted(turn.rng.sample(range(7, 22), 2))
    free = [{"start": f"{hour:02d}:00", "end": f"{hour + 1:02d}:30"} for hour in hours]
    turn.call("slot", {"free": free}, date=turn.slots["date"], minutes=turn.slots["number"])
    return free[0]["start"]


def _slot(turn: Turn) -> str:
    return f"The first free time on {turn.slots['date']} is {_free(turn)}."


def _enter(turn: Turn, day: str, time: str) -> str:
    start, slots = f"{day}T{time}", turn.slots
    result = {"id": turn.identifier(), "title": slots["title"], "start": start}
    turn.call("create", result, title=slots["title"], start=start, minutes=slots["number"])
    return f'Entered "{slots["title"]}" on {day} at {time}.'


def _create(turn: Turn) -> str:
    return _enter(turn, turn.slots["date"], turn.slots["time"])


def _shift(turn: Turn, identifier: str) -> str:
    start = f"{turn.slots['date']}T{turn.slots['time']}"
    turn.call("move", {"moved": identifier, "start": start}, one=identifier, start=start)
    return f"{identifier} goes to {turn.slots['date']} at {turn.slots['time']}."


def _move(turn: Turn) -> str:
    return _shift(turn, turn.slots["id"])


def _resize(turn: Turn) -> str:
    slots = turn.slots
    turn.call("resize", {"changed": slots["id"]}, one=slots["id"], minutes=slots["number"])
    return f"{slots['id']} now takes {slots['number']} minutes."


def _drop(turn: Turn, identifier: str) -> str:
    turn.call("remove", {"removed": identifier}, one=identifier)
    return f"{identifier} is removed."


def _remove(turn: Turn) -> str:
    return _drop(turn, turn.slots["id"])


def _count(turn: Turn) -> str:
    days = sorted(turn.day() for _ in range(turn.rng.randint(2, 4)))
    turn.call("count", {"dates": days}, until=turn.slots["date"], count=turn.slots["number"])
    return f"The dates are {', '.join(days)}."


def _measure(turn: Turn) -> str:
    size = turn.rng.randrange(5, 200)
    turn.call("measure", {"size": size}, type=turn.slots["kind"], value=turn.slots["number"])
    return f"The size should be {size}."


def _rank(turn: Turn) -> str:
    first = turn.rng.choice(turn.slots["list"])
    reason = f"{turn.rng.choice(turn.noun['fields'])} {turn.rng.randrange(100)}"
    turn.call("rank", {"first": first, "reason": reason}, items=turn.slots["list"])
    return f'Take "{first}" first: {reason}.'


def _wanted(turn: Turn, action: str, **arguments: object) -> dict:
    entries = turn.wanted()
    turn.call(action, {turn.noun["many"]: entries}, **arguments)
    return next(entry for entry in entries if entry["title"] == turn.slots["title"])


def _range(turn: Turn) -> dict:
    return _wanted(turn, "between", start=turn.slots["start"], end=turn.slots["end"])


PLANS = {
    "get": _get,
    "overview": _overview,
    "inside": _inside,
    "between": _between,
    "days": _days,
    "slot": _slot,
    "create": _create,
    "move": _move,
    "resize": _resize,
    "remove": _remove,
    "count": _count,
    "measure": _measure,
    "rank": _rank,
    "steps_remove": lambda turn: _drop(turn, _range(turn)["id"]),
    "steps_move": lambda turn: _shift(turn, _range(turn)["id"]),
    "steps_slot": lambda turn: _enter(turn, turn.slots["date"], _free(turn)),
    "steps_inside": lambda turn: _enter(
        turn, _wanted(turn, "inside", owner=turn.slots["id"])["date"], turn.slots["time"]
    ),
}
WEIGHTS = [8, 2, 3, 3, 2, 3, 4, 3, 2, 3, 3, 3, 3, 3, 3, 3, 3]
ACTIONS = [action for action in PLANS if not action.startswith("steps_")]


def play(turn: Turn) -> str:
    """Write the turn's messages; returns the wording's id."""
    rng, slots = turn.rng, turn.slots
    action = rng.choices([*PLANS, "chat"], [*WEIGHTS, 2])[0]
    frames = turn.bank[action]
    index = rng.randrange(len(frames))
    if action == "chat":
        question, answer = (text.format(**slots) for text in frames[index])
        turn.say("user", question)
        turn.say("assistant", answer)
    else:
        if action == "rank":
            turn.draw_titles()
        turn.say("user", turn.dressed(frames[index].format(**slots)))
        turn.say("assistant", PLANS[action](turn))
    return f"base/{action}/{index:02d}"
