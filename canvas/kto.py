"""KTO rows: single calls, desirable from sessions that passed, undesirable where one went wrong."""

from collections.abc import Iterable, Iterator

from canvas import seeds, trajectory


def build(sessions: Iterable[dict]) -> list[dict]:
    """Rows sorted by id: each call of a passing session, the deviating call of a failed one.

    `deviation` of a failed session is {"kind", "message": index of the message that went wrong}. A
    failed session gives no row where that is no call, or where it has no deviation (a contributed
    recording does not say what was wrong); neither does one that cannot be rendered.
    """
    rows = {row["row_id"]: row for session in sessions for row in _rows(session)}
    return [rows[row_id] for row_id in sorted(rows)]


def _rows(session: dict) -> Iterator[dict]:
    if trajectory.fault(session["messages"], session["tools"]) is not None:
        return
    passed = trajectory.passed(session)
    for index in _calls(session["messages"]) if passed else _deviation(session):
        message = session["messages"][index]
        key = trajectory.session_key(session)
        yield {
            "row_id": f"kto-{seeds.stable_hash(key, index):016x}",
            "wording": trajectory.wording_key(session),
            "tool": message["tool_calls"][0]["function"]["name"],
            "prompt": session["messages"][:index],
            "completion": [message],
            "label": passed,
            "tools": session["tools"],
        }


def _calls(messages: list[dict]) -> list[int]:
    return [index for index, message in enumerate(messages) if message.get("tool_calls")]


def _deviation(session: dict) -> list[int]:
    wrong = (session.get("deviation") or {}).get("message")
    return [index for index in _calls(session["messages"]) if index == wrong]
