"""One user turn of the nano base's reading: what it is about, and what its tools return."""

import random
import re
from datetime import date, timedelta

from canvas import io
from canvas.coursework import draw_assignment, draw_course
from canvas.nano.services import Tool, make_tool

KINDS = ["RUSH", "BULK", "GIFT", "TRIAL", "ASGN", "QUIZ", "DISC", "EXAM"]
SYLLABLES = re.findall("..", "babebodadedofifogagokakilalilomamimonanenopaporarirosasitato")
LETTERS = "ABCDEFGHKLMNPQRSTUVWXYZ"


class Turn:
    """One user turn: its slots and messages; tools that it calls are added to `needed`."""

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
            "id": self.identifier(),
            "date": str(day),
            "start": str(day),
            "end": str(day + timedelta(days=rng.randrange(1, 15))),
            "time": clock_time(rng),
            "number": rng.choice(
                [rng.randrange(2, 10), rng.randrange(2, 13) * 5, rng.randrange(100)]
            ),
            "kind": rng.choice(KINDS),
            "title": self._title(),
        }

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
            "id": self.identifier,
            "day": self.day,
            "moment": lambda: f"{self.day()}T{clock_time(rng)}",
            "number": lambda: rng.choice([rng.randrange(1, 200), round(rng.uniform(40, 100), 1)]),
            "state": lambda: rng.choice(self.bank["states"]),
            "kind": lambda: rng.choice(KINDS),
            "place": lambda: f"{rng.choice(self.bank['words'])} {rng.randrange(1, 400)}",
            "words": lambda: f"{_word(rng)} {_word(rng).lower()} {self.day()} {clock_time(rng)}.",
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
                self.day,
                lambda: f"{rng.choice(['Mon', 'Tue', 'Wed', 'Thu', 'Fri'])} {clock_time(rng)}",
                lambda: f"@PERSON{rng.randrange(1, 100)}",
                lambda: rng.choice(LETTERS) + rng.choice(["", "+", "-"]),
                lambda: f"{rng.randrange(2, 60)}% a {rng.choice(['day', 'week', 'piece'])}",
            ]
        )()

    def say(self, role: str, content: str) -> None:
        """Enter a message of text."""
        self.messages.append({"role": role, "content": content})

    def dressed(self, text: str) -> str:
        """The text, at times with an opener before it or a closer behind it."""
        opener = self.rng.choice(self.bank["openers"]) + " " if self.rng.random() < 0.3 else ""
        closer = " " + self.rng.choice(self.bank["closers"]) if self.rng.random() < 0.3 else ""
        return f"{opener}{text}{closer}"

    def draw_titles(self) -> None:
        """Fill the slots `list` and `titles` with two or three titles."""
        self.slots["list"] = [self._title() for _ in range(self.rng.choice([2, 2, 3]))]
        self.slots["titles"] = " or ".join(f'"{title}"' for title in self.slots["list"])

    def identifier(self) -> str:
        """An id such as `@PARCEL7` or `P7`."""
        number = self.rng.randrange(1, 100)
        letters = self.noun["one"].upper()
        return f"@{letters}{number}" if self.rng.random() < 0.6 else f"{letters[0]}{number}"

    def day(self) -> str:
        """A date of the coming sixty days."""
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


def clock_time(rng: random.Random) -> str:
    """A time of day between 07:00 and 21:45."""
    return f"{rng.randrange(7, 22):02d}:{rng.choice([0, 0, 15, 30, 45]):02d}"


def _word(rng: random.Random) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 3))).capitalize()
