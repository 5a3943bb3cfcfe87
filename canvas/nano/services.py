"""Made-up services: functions on nouns of a word bank, declared as the planner's tools are."""

import random
from dataclasses import dataclass

from canvas import seeds


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
