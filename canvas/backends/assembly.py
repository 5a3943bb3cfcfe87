"""A streamed answer, put together as if it had come whole."""


class Assembly:
    """Collects the chunks of one answer, of a chat or of a completion."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._calls: list[dict] = []
        self._places: dict[int, dict] = {}
        self._finish: str | None = None
        self._usage: dict = {}

    @property
    def begun(self) -> bool:
        """Whether any chunk has come."""
        return bool(self._texts)

    @property
    def ended(self) -> bool:
        """Whether a chunk said why the turn ended; a stream that stops before was cut."""
        return self._finish is not None

    def add(self, chunk: dict) -> str:
        """Take in one chunk; returns the new text in it."""
        self._usage = chunk.get("usage") or self._usage
        choice = next(iter(chunk.get("choices") or []), {})
        self._finish = choice.get("finish_reason") or self._finish
        delta = choice.get("delta") or {}
        self._thoughts.append(delta.get("reasoning_content") or delta.get("reasoning") or "")
        for part in delta.get("tool_calls") or []:
            self._add_call(part)
        text = delta.get("content") or choice.get("text") or ""
        self._texts.append(text)
        return text

    def _add_call(self, part: dict) -> None:
        """A piece of a call: its arguments come in parts; an id of its own begins another call,
        whatever its index (Ollama gives every call the index 0)."""
        place, call = part.get("index") or 0, part.get("function") or {}
        known = self._places.get(place)
        if known is None or (part.get("id") and known["id"] and part["id"] != known["id"]):
            known = {"id": part.get("id"), "name": [], "arguments": []}
            self._places[place] = known
            self._calls.append(known)
        for key in ("name", "arguments"):
            known[key].append(call.get(key) or "")

    def whole(self) -> dict:
        """The answer in the form of one that was not streamed."""
        text = "".join(self._texts)
        calls = [{key: "".join(call[key]) for key in ("name", "arguments")} for call in self._calls]
        message = {
            "content": text,
            "reasoning_content": "".join(self._thoughts),
            "tool_calls": [{"function": function} for function in calls],
        }
        choice = {"message": message, "text": text, "finish_reason": self._finish}
        return {"choices": [choice], "usage": self._usage}
