"""What the nano base reads: conversations about made-up services with made-up tools.

A stand-in for the broad pretraining of a real checkpoint: it teaches the chat and tool-call
format, to pick a tool by its declaration, and to copy ids, dates, numbers and titles from prompt
and result. It knows no tool and no wording of the study planner; fine-tuning adds those.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from canvas import io, seeds
from canvas.coursework import draw_assignment, draw_course

KINDS = ["RUSH", "BULK", "GIFT", "TRIAL", "ASGN", "QUIZ", "DISC", "EXAM"]
SYLLABLES = re.findall("..", "babebodadedofifogagokakilalilomamimonanenopaporarirosasitato")
LETTERS = "ABCDEFGHKLMNPQRSTUVWXYZ"


@dataclass(frozen=True)
class Tool:
    """One made-up function: what it does (`action`), on which noun, and its JSON schema."""

    action: str
    noun: dict
    name: str
    description: str
    arguments: dict[str, str]

    def declaration(self) -> dict:
        """The tool in the OpenAI function format."""
        properties = {name: {"type": kind} for name, kind in self.arguments.items()}
        for name, schema in properties.items():
            if schema["type"] == "array":
                properties[name] = {"type": "array", "items": {"type": "string"}}
        parameters = {"type": "object", "properties": properties, "required": list(self.arguments)}
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}


def rows(count: int, seed: int, bank: dict) -> Iterator[dict]:
    """`count` rows {"text_id", "wording", "messages", "tools"}; each by seed and place."""
    for index in range(count):
        rng = seeds.rng("base", seed, index)
        wording, messages, tools = conversation(rng, bank)
        yield {
            "text_id": f"base-{index}",
            "wording": wording,
            "messages": messages,
            "tools": tools,
        }


def load_bank(path: Path) -> dict:
    """The word bank, data/wordings/base.yaml."""
    return io.read_yaml(path)


def conversation(rng: random.Random, bank: dict) -> tuple[list[str], list[dict], list[dict]]:
    """One conversation of one to three user turns: (wording ids, messages, tools)."""
    now = date(2024, 1, 1) + timedelta(days=rng.randrange(1200))
    clock = f"{now}T{_time(rng)} {now:%a}"
    messages = [{"role": "system", "content": f"{rng.choice(bank['systems'])} Now: {clock}."}]
    needed: list[Tool] = []
    wordings = []
    for _ in range(rng.choices([1, 2, 3], [5, 3, 2])[0]):
        turn = Turn(rng, bank, now, needed)
        wordings.append(turn.play())
        messages += turn.messages
    tools = list({tool.name: tool for tool in needed}.values())
    declared = rng.randint(4, 6)
    while len(tools) < declared:
        noun = rng.choice(tools).noun if tools and rng.random() < 0.5 else rng.choice(bank["nouns"])
        other = make_tool(rng, bank, rng.choice(ACTIONS), noun)
        if other.name not in {tool.name for tool in tools}:
            tools.append(other)
    rng.shuffle(tools)
    return wordings, messages, [tool.declaration() for tool in tools]


def make_tool(rng: random.Random, bank: dict, action: str, noun: dict) -> Tool:
    """A tool for `action` on `noun`: its name, description and argument names vary by seed."""
    one, many = noun["one"], noun["many"]
    service = seeds.rng(one).choice(bank["services"])
    arguments = {
        "get": {one: "string"},
        "overview": {},
        "inside": {"owner": "string"},
        "between": {"start": "string", "end": "string"},
        "days": {"days": "integer"},
        "slot": {"date": "string", "minutes": "integer"},
        "create": {"title": "string", "start": "string", "minutes": "integer"},
        "move": {one: "string", "start": "string"},
        "resize": {one: "string", "minutes": "integer"},
        "remove": {one: "string"},
        "count": {"until": "string", "count": "integer"},
        "measure": {"type": "string", "value": "number"},
        "rank": {"items": "array"},
    }[action]
    name, description = {
        "get": (f"get_{one}", f"{', '.join(noun['fields'][:3])} of one {one}"),
        "overview": (f"list_{many}", f"all {many}"),
        "inside": (f"{many}_of", f"{many} of one owner"),
        "between": (f"{many}_between", f"{many} between two dates"),
        "days": (f"next_{many}", f"{many} of the next days"),
        "slot": (f"free_{one}", f"times when a {one} is free"),
        "create": (f"add_{one}", f"enter a new {one}"),
        "move": (f"move_{one}", f"give a {one} another start"),
        "resize": (f"resize_{one}", f"change the length of a {one}"),
        "remove": (f"remove_{one}", f"take a {one} away"),
        "count": (f"spread_{many}", f"dates for a number of {many} before a day"),
        "measure": (f"size_{one}", f"advised size of a {one}"),
        "rank": (f"rank_{many}", f"which of some {many} comes first"),
    }[action]
    return Tool(action, noun, f"{service}.{name}", description, arguments)


class Turn:
    """One user turn and its answer; tools it needs are added to `needed`."""

    def __init__(self, rng: random.Random, bank: dict, now: date, needed: list[Tool]):
        self.rng, self.bank, self.now, self.needed = rng, bank, now, needed
        again = needed and rng.random() < 0.5
        self.noun = rng.choice(needed).noun if again else rng.choice(bank["nouns"])
        self.messages: list[dict] = []
        day = now + timedelta(days=rng.randrange(1, 60))
        self.slots = {
            "noun": self.noun["one"],
            "many": self.noun["many"],
            "field": rng.choice(self.noun["fields"][:3]),
            "id": self._id(),
            "date": str(day),
            "start": str(day),
            "end": str(day + timedelta(days=rng.randrange(1, 15))),
            "time": _time(rng),
            "number": rng.choice(
                [rng.randrange(2, 10), rng.randrange(2, 13) * 5, rng.randrange(100)]
            ),
            "kind": rng.choice(KINDS),
            "title": self._title(),
        }

    def play(self) -> str:
        """Write the turn's messages; returns the wording's id."""
        action = self.rng.choices([*PLANS, "chat"], [*WEIGHTS, 2])[0]
        frames = self.bank[action]
        index = self.rng.randrange(len(frames))
        if action == "chat":
            question, answer = (text.format(**self.slots) for text in frames[index])
            self._say("user", question)
            self._say("assistant", answer)
        else:
            if action == "rank":
                self._draw_titles()
            self._say("user", self._dressed(frames[index].format(**self.slots)))
            self._say("assistant", PLANS[action](self))
        return f"base/{action}/{index:02d}"

    def call(self, action: str, result: object, **arguments: object) -> None:
        """A call of the tool for `action`, and its result."""
        tool = make_tool(self.rng, self.bank, action, self.noun)
        self.needed.append(tool)
        arguments = dict(zip(tool.arguments, arguments.values(), strict=True))
        function = {"name": tool.name, "arguments": arguments}
        calls = [{"type": "function", "function": function}]
        self.messages.append({"role": "assistant", "content": "", "tool_calls": calls})
        self.messages.append({"role": "tool", "name": tool.name, "content": io.dumps(result)})

    def entries(self, key: str = "title") -> list[dict]:
        """Two to four entries of a list, the wanted title among them at a random place.

        Every entry carries an id and a date, or none of both and up to two other keys.
        """
        rng, count = self.rng, self.rng.randint(1, 4)
        keys = rng.choice([["id", "date"], rng.sample(list(self.bank["keys"]), rng.randint(1, 3))])
        return self._entries(key, keys, count)

    def wanted(self) -> list[dict]:
        """Entries with id and date, for requests that go on with one of them."""
        return self._entries("title", ["id", "date"], self.rng.randint(2, 4))

    def _entries(self, key: str, keys: list[str], count: int) -> list[dict]:
        kinds = self.bank["keys"]
        found = [
            {key: self._title()} | {name: self._of_kind(kinds[name]) for name in keys}
            for _ in range(count)
        ]
        found[self.rng.randrange(count)][key] = self.slots["title"]
        return found

    def _of_kind(self, kind: str) -> object:
        rng = self.rng
        return {
            "id": self._id,
            "day": self._day,
            "moment": lambda: f"{self._day()}T{_time(rng)}",
            "number": lambda: rng.choice([rng.randrange(1, 200), round(rng.uniform(40, 100), 1)]),
            "state": lambda: rng.choice(self.bank["states"]),
            "kind": lambda: rng.choice(KINDS),
            "place": lambda: f"{rng.choice(self.bank['words'])} {rng.randrange(1, 400)}",
            "words": lambda: f"{_word(rng)} {_word(rng).lower()} {self._day()} {_time(rng)}.",
        }[kind]()

    def value(self, field: str) -> object:
        """A value for a field, of a random kind: number, words, date, time, person or code."""
        rng = self.rng
        return rng.choice(
            [
                lambda: rng.randrange(1000),
                lambda: round(rng.uniform(1, 100), 1),
                lambda: f"{rng.choice(self.bank['words'])} {rng.randrange(1, 400)}",
                lambda: f"{_word(rng)} {_word(rng)}",
                self._day,
                lambda: f"{rng.choice(['Mon', 'Tue', 'Wed', 'Thu', 'Fri'])} {_time(rng)}",
                lambda: f"@PERSON{rng.randrange(1, 100)}",
                lambda: rng.choice(LETTERS) + rng.choice(["", "+", "-"]),
                lambda: f"{rng.randrange(2, 60)}% a {rng.choice(['day', 'week', 'piece'])}",
            ]
        )()

    def _say(self, role: str, content: str) -> None:
        self.messages.append({"role": role, "content": content})

    def _dressed(self, text: str) -> str:
        opener = self.rng.choice(self.bank["openers"]) + " " if self.rng.random() < 0.3 else ""
        closer = " " + self.rng.choice(self.bank["closers"]) if self.rng.random() < 0.3 else ""
        return f"{opener}{text}{closer}"

    def _draw_titles(self) -> None:
        self.slots["list"] = [self._title() for _ in range(self.rng.choice([2, 2, 3]))]
        self.slots["titles"] = " or ".join(f'"{title}"' for title in self.slots["list"])

    def _id(self) -> str:
        number = self.rng.randrange(1, 100)
        letters = self.noun["one"].upper()
        return f"@{letters}{number}" if self.rng.random() < 0.6 else f"{letters[0]}{number}"

    def _day(self) -> str:
        return str(self.now + timedelta(days=self.rng.randrange(1, 60)))

    def _title(self) -> str:
        rng, bank = self.rng, self.bank
        if rng.random() < 0.5:
            course = draw_course(rng)
            if rng.random() < 0.2:
                return course["name"]
            return draw_assignment(rng, course["topics"])["title"]
        first = rng.choice(bank["words"]) if rng.random() < 0.6 else _word(rng)
        thing = rng.choice(bank["things"]) if rng.random() < 0.8 else _word(rng)
        tail = rng.choice(
            ["", "", f" {rng.randrange(1, 20)}", f": {_word(rng)} {_word(rng).lower()}"]
        )
        return rng.choice([f"{first} {thing}", f"{thing} {first}", thing]) + tail


def _time(rng: random.Random) -> str:
    return f"{rng.randrange(7, 22):02d}:{rng.choice([0, 0, 15, 30, 45]):02d}"


def _word(rng: random.Random) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 3))).capitalize()


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
    result = {"id": turn._id(), "title": slots["title"], "start": start}
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
    days = sorted(turn._day() for _ in range(turn.rng.randint(2, 4)))
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
