"""Any OpenAI-compatible server as a backend: vLLM, llama-server, Ollama, llama_cpp.server."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from functools import cached_property
from threading import Event
from typing import Any, Literal

from canvas.backends.assembly import Assembly
from canvas.backends.base import Backend, Conversation, Reply, Request
from canvas.backends.endpoint import Endpoint
from canvas.backends.failure import EndpointError, Failure
from canvas.backends.served import Served, adds_bos, identify
from canvas.backends.turns import prompt_text, visible
from canvas.backends.wire import Limits, messages_out, read_chat, read_text
from canvas.io import BadInput
from canvas.template import BOS
from canvas.toolcall.grammar import RESPONSE_OPEN, TURN_CLOSE

MODES = ("auto", "chat", "raw")


class OpenAIBackend(Backend):
    """Replies of the server at `url` (`http://HOST:PORT/v1`), from `model` or the only one it has.

    Mode `chat` hands over the history structured and takes the calls that the server reads, or
    reads them from the text. `raw` renders the prompt with `canvas.template` and reads the calls
    from its continuation, so that prompt and calls are those of the local backends (a call that the
    model repeats from a tool's result stays inert): for models trained on that template. `auto` is
    `raw` where the server's chat cannot carry calls, else `chat`. `extra` goes into every request,
    over what the server's dialect sets.

    A key comes from the environment variable `key_from`. Raises EndpointError (a BadInput) on a
    server that cannot be used; `Endpoint` explains `timeout`, `retries` and `backoff`.
    """

    def __init__(
        self,
        url: str,
        model: str | None = None,
        *,
        mode: Literal["auto", "chat", "raw"] = "auto",
        lenient: bool = False,
        timeout: float = 120.0,
        retries: int = 4,
        backoff: float = 0.5,
        concurrency: int = 8,
        key_from: str = "OPENAI_API_KEY",
        extra: Mapping[str, Any] | None = None,
    ):
        if mode not in MODES:
            raise BadInput("mode", f"no mode {mode!r}", remedy=f"use one of: {', '.join(MODES)}")
        self._endpoint = Endpoint(
            url,
            timeout=timeout,
            retries=retries,
            backoff=backoff,
            connections=concurrency,
            variable=key_from,
        )
        self._model, self._mode, self._lenient = model, mode, lenient
        self._concurrency, self._extra = concurrency, dict(extra or {})

    @cached_property
    def served(self) -> Served:
        """What the server says of itself, asked once."""
        return identify(self._endpoint, self._model)

    @cached_property
    def mode(self) -> Literal["chat", "raw"]:
        """How the server is asked."""
        if self._mode == "auto":
            return "raw" if self.served.dialect.raw else "chat"
        return self._mode

    @cached_property
    def _adds_bos(self) -> bool:
        return adds_bos(self._endpoint, self.served.model)

    def chat(self, messages: list[dict], tools: list[dict], **sampling) -> Reply:
        """The next model turn; finish `error` where the prompt does not fit.

        Sampling keys as of every backend. Raises EndpointError on anything else that goes wrong.
        """
        path, body = self._request(messages, tools, **sampling)
        try:
            answer = self._endpoint.post(path, body)
        except EndpointError as error:
            return self._misfit(error)
        return self._read(answer, body)

    def chat_many(self, requests: Sequence[Request], **sampling) -> list[Reply]:
        """Replies in the order of `requests`, at most `concurrency` on the way at a time."""
        return self._at_once(lambda request, _: self.chat(*request, **sampling), requests)

    def converse(self, conversations: Sequence[Conversation], **sampling) -> list[Any]:
        """What the conversations return, `concurrency` of them held at a time, each in a thread."""

        def hold(conversation: Conversation, stopped: Event) -> Any:
            reply = None
            while not stopped.is_set():
                try:
                    request = conversation.send(reply)
                except StopIteration as end:
                    return end.value
                reply = self.chat(*request, **sampling)

        return self._at_once(hold, conversations)

    def _at_once(self, work: Callable[[Any, Event], Any], items: Sequence[Any]) -> list[Any]:
        """What `work` makes of each item, in order; the first error stops all."""
        if items:  # the server is asked here what it is, not by every thread
            _ = self._adds_bos if self.mode == "raw" else self.served
        stopped, pool = Event(), ThreadPoolExecutor(max_workers=self._concurrency)
        try:
            waiting = [pool.submit(work, item, stopped) for item in items]
            for done in wait(waiting, return_when=FIRST_EXCEPTION).done:
                done.result()
            return [done.result() for done in waiting]
        finally:
            stopped.set()
            pool.shutdown(cancel_futures=True)

    def stream(self, messages: list[dict], tools: list[dict], **sampling) -> Iterator[str | Reply]:
        """Pieces of the visible text as they come, and last the Reply."""
        path, body = self._request(messages, tools, **sampling)
        streamed = body | {"stream": True, "stream_options": {"include_usage": True}}
        assembly = Assembly()
        try:
            chunks = self._endpoint.stream(path, streamed)
            yield from visible(assembly.add(chunk) for chunk in chunks)
        except EndpointError as error:
            yield self._misfit(error)
            return
        if not assembly.begun:
            # llama_cpp.server starts a stream before it finds that it cannot answer; this says why.
            yield from super().stream(messages, tools, **sampling)
            return
        if not assembly.ended:
            raise self._error("the stream ended before the turn did", "see the server's log")
        yield self._read(assembly.whole(), body)

    def close(self) -> None:
        """Close the connections to the server."""
        self._endpoint.close()

    def _request(
        self,
        messages: list[dict],
        tools: list[dict],
        *,
        temperature: float = 0.0,
        seed: int = 0,
        max_tokens: int = 256,
    ) -> tuple[str, dict]:
        """Path and body of one request."""
        served = self.served
        body = {
            "model": served.model,
            "temperature": temperature,
            "seed": seed,
            "max_tokens": min(max_tokens, served.window or max_tokens),
            **served.dialect.extra,
            **self._extra,
        }
        if self.mode == "raw":
            prompt = prompt_text(messages, tools)
            body["prompt"] = prompt.removeprefix(BOS) if self._adds_bos else prompt
            body["stop"] = [TURN_CLOSE, RESPONSE_OPEN]
            return "/completions", body
        if served.dialect.raw and any(message.get("tool_calls") for message in messages):
            raise self._error(f"the chat of {served.dialect.name} loses calls", "use mode raw")
        body["messages"] = messages_out(messages, served.dialect.arguments_as_text)
        if tools:
            body["tools"] = tools
        return "/chat/completions", body

    def _read(self, answer: dict, body: dict) -> Reply:
        try:
            if self.mode == "raw":
                return read_text(answer, self._lenient)
            limits = Limits(body["max_tokens"], self.served.window)
            return read_chat(answer, limits, self._lenient)
        except ValueError as error:
            problem = str(error)
        raise self._error(problem, "check that the server is OpenAI-compatible")

    def _misfit(self, error: EndpointError) -> Reply:
        """The reply to a prompt that did not fit. Raises every other error."""
        if error.too_long:
            return Reply(error.failure.detail, finish="error")
        if error.failure.status == 404 and self.served.models:
            listed = ", ".join(self.served.models)
            raise self._error(error.failure.reason, f"ask for a model it has: {listed}")
        raise error

    def _error(self, reason: str, remedy: str) -> EndpointError:
        return EndpointError(self._endpoint.url, Failure(reason, remedy))
