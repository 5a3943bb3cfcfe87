"""What a server says of itself: asked once, before the first chat."""

from dataclasses import dataclass

from canvas.backends.dialect import Dialect, dialect_of
from canvas.backends.endpoint import Endpoint
from canvas.backends.failure import EndpointError, Failure
from canvas.template import BOS
from canvas.toolcall.grammar import TURN_OPEN

_NO_LIST = (404, 405, 501)


@dataclass(frozen=True)
class Served:
    """The model to ask for, the models there are, the tokens that one conversation can have (None:
    unknown), and the server's dialect."""

    model: str
    models: tuple[str, ...]
    window: int | None
    dialect: Dialect


def identify(endpoint: Endpoint, wanted: str | None) -> Served:
    """Ask for the list of models. Raises EndpointError where none is named and not just one served.

    A server without such a list is fine where the model is named: no chat needs it.
    """
    try:
        models = endpoint.get("/models").get("data") or []
    except EndpointError as error:
        if error.failure.status not in _NO_LIST or not wanted:
            raise
        models = []
    windows = {str(model.get("id")): model.get("max_model_len") for model in models}
    if not wanted and len(windows) != 1:
        listed = ", ".join(windows) or "none"
        failure = Failure(f"the server lists these models: {listed}", "name the one to ask")
        raise EndpointError(endpoint.url, failure)
    name = wanted or next(iter(windows))
    return Served(name, tuple(windows), windows.get(name), dialect_of(models))


def adds_bos(endpoint: Endpoint, model: str) -> bool:
    """Whether the server puts a `<bos>` before the prompts that it is given.

    Raises EndpointError where it reads the template's markers as plain text: it would read every
    prompt otherwise than the local backends.
    """
    body = {"model": model, "prompt": BOS + TURN_OPEN, "max_tokens": 1}
    found = (endpoint.post("/completions", body).get("usage") or {}).get("prompt_tokens")
    if found not in (2, 3):
        failure = Failure(
            f"it counts {found} tokens in {BOS}{TURN_OPEN} instead of 2, so that this model or "
            "server does not read the markers of our template",
            "use mode chat",
        )
        raise EndpointError(endpoint.url, failure)
    return found == 3
