"""Read a reply while it is generated: calls as they end, text as soon as it is safe to show."""

from collections import deque
from collections.abc import Iterable
from typing import Literal, NamedTuple

from canvas.toolcall.grammar import (
    CALL_CLOSE,
    CALL_OPEN,
    CHANNEL_CLOSE,
    CHANNEL_OPEN,
    QUOTE,
    RESPONSE_CLOSE,
    RESPONSE_OPEN,
    TURN_OPEN,
    ToolCall,
)
from canvas.toolcall.lexer import Lexer, Stripped, Token
from canvas.toolcall.reply import LABEL, STOPS, STRAYS, ParsedReply
from canvas.toolcall.scanner import read_call

# Where a call or a thought that is not closed ends.
_TURNS = {TURN_OPEN, "<turn|>"}
_BOUNDARIES = {CALL_OPEN, CALL_CLOSE, RESPONSE_OPEN, CHANNEL_OPEN, *_TURNS}
_MARKERS = {*_BOUNDARIES, CHANNEL_CLOSE, RESPONSE_CLOSE, QUOTE, *STOPS, *STRAYS}
# Of the last of these openers the colon is not a part.
_DRIFTED = ("<|tool_call|>", "<tool_call>", "<tool_call:")
_MODEL = "model\n"


class Event(NamedTuple):
    """What has become certain: more `text` to show or of a thought, or a `call`, whole or not."""

    kind: Literal["content", "thinking", "call"]
    text: str = ""
    call: ToolCall | None = None


class StreamParser:
    """Reads one reply in any chunks, in linear time, as `parse_reply` reads it whole.

    The texts of all "content" events make the reply's content: never a marker, nor a part of one,
    of a thought or of a call. A call is certain at its end, one in a thought where the thought ends
    unclosed. in_thought: the prompt has opened the thought (`<|channel>thought`). Without it, text
    in front of a first `<channel|>` is content, which parse_reply takes for thinking.
    """

    def __init__(self, *, lenient: bool = False, in_thought: bool = False):
        self._lenient = lenient
        self._openers = {CALL_OPEN, *_DRIFTED} if lenient else {CALL_OPEN}
        self._lexer = Lexer(_MARKERS | self._openers)
        self._queue: deque[Token] = deque()
        self._events: list[Event] = []
        self._calls: list[ToolCall] = []
        self._texts: dict[str, list[str]] = {"content": [], "thinking": []}
        self._content, self._thought = Stripped(), Stripped()
        self._pieces: list[str] = []  # of a call, or of the undecided part of a thought
        self._take = self._at_start
        self._role: str | None = None  # what stands behind `<|turn>`
        if in_thought:
            self._open_thought()

    def feed(self, chunk: str) -> list[Event]:
        """What `chunk`, the next part of the text, makes certain."""
        return self._run(self._lexer.feed(chunk))

    def close(self) -> list[Event]:
        """What the end of the text makes certain."""
        events = self._run(self._lexer.close())
        while self._take not in (self._at_start, self._in_text, self._at_end):
            if self._take == self._in_call:
                self._end_call()
            else:
                self._leave_thought()
            events += self._run(())
        return events

    def reply(self) -> ParsedReply:
        """What has become certain so far; behind `close`, the whole reply."""
        thinking, content = ("".join(self._texts[kind]) for kind in ("thinking", "content"))
        return ParsedReply(thinking, content, list(self._calls))

    def _run(self, tokens: Iterable[Token]) -> list[Event]:
        self._queue.extend(tokens)
        while self._queue:
            self._take(*self._queue.popleft())
        events, self._events = self._events, []
        return events

    # ---- Where the text stands; each takes the next token ----

    def _at_start(self, token: str, marker: bool) -> None:
        """Before anything but `<bos>`, `<pad>` and the opening of the model's turn."""
        if self._role is not None:
            role = self._role + token
            if not marker and role.startswith(_MODEL):
                self._role = None
                self._again(role.removeprefix(_MODEL))
            elif not marker and _MODEL.startswith(role):
                self._role = role
            else:
                self._take = self._at_end
        elif marker and token == TURN_OPEN:
            self._role = ""
        elif not (marker and token in ("<bos>", "<pad>")):
            self._take = self._in_text
            self._in_text(token, marker)

    def _in_text(self, token: str, marker: bool) -> None:
        if not marker:
            self._say("content", self._content.add(token))
        elif token in self._openers:
            self._take, self._pieces = self._in_call, [token]
            self._quoted = False
        elif token == CHANNEL_OPEN:
            self._open_thought()
        elif token in STOPS or token == RESPONSE_OPEN:
            self._take = self._at_end

    def _in_call(self, token: str, marker: bool) -> None:
        self._pieces.append(token)
        if marker and token == QUOTE:
            self._quoted = not self._quoted
        elif marker and token in _BOUNDARIES and not self._quoted:
            self._end_call()

    def _in_thought(self, token: str, marker: bool) -> None:
        """Up to the first boundary all is thinking, what follows only if the thought is closed."""
        kind = token if marker else ""
        if kind == CHANNEL_CLOSE:
            self._think("".join(self._pieces))
            self._close_thought()
        elif kind == CHANNEL_OPEN or kind in _TURNS:
            self._pieces.append(token)
            self._leave_thought()
        elif self._pieces or kind in _BOUNDARIES:
            self._pieces.append(token)
            if kind == RESPONSE_OPEN:
                self._take, self._quoted, self._blank = self._in_response, False, True
        else:
            self._think(token)

    def _in_response(self, token: str, marker: bool) -> None:
        """A tool response in a thought, opaque unless the turn stops right behind its opener."""
        self._pieces.append(token)
        if marker and token == QUOTE:
            self._quoted = not self._quoted
        elif marker and token == RESPONSE_CLOSE and not self._quoted:
            self._take = self._in_thought
        elif marker and token in _TURNS and self._blank:
            self._leave_thought()
        self._blank = self._blank and not marker and not token.strip()

    def _at_end(self, token: str, marker: bool) -> None:
        """Behind the end of the turn nothing is the model's word."""

    # ---- What they do ----

    def _end_call(self) -> None:
        text = "".join(self._pieces)
        behind = len(self._pieces[0].rstrip(":"))
        call, end = read_call(text, 0, behind, self._lenient)
        self._calls.append(call)
        self._events.append(Event("call", call=call))
        self._take, self._pieces = self._in_text, []
        self._again(text[end:])

    def _open_thought(self) -> None:
        self._take, self._pieces = self._in_thought, []
        self._thought, self._label = Stripped(), ""

    def _think(self, text: str) -> None:
        """More of a thought; the label at its beginning is no part of it."""
        if self._label is not None:
            text = self._label + text
            if len(text) < len(LABEL) and LABEL.startswith(text):
                self._label = text
                return
            text, self._label = text.removeprefix(LABEL), None
        fresh = not self._thought.started
        certain = self._thought.add(text)
        apart = "\n" if certain and fresh and self._texts["thinking"] else ""
        self._say("thinking", apart + certain)

    def _close_thought(self) -> None:
        if self._label and self._label != LABEL.strip():
            label, self._label = self._label, None
            self._think(label)
        self._take, self._pieces = self._in_text, []

    def _leave_thought(self) -> None:
        """A thought that is not closed ends at its first boundary; what follows is read again."""
        text = "".join(self._pieces)
        self._close_thought()
        self._again(text)

    def _again(self, text: str) -> None:
        self._queue.extendleft(reversed([*self._lexer.split(text)]))

    def _say(self, kind: Literal["content", "thinking"], text: str) -> None:
        if text:
            self._texts[kind].append(text)
            self._events.append(Event(kind, text))
