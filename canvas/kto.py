"""KTO rows: single calls, desirable from sessions that passed, undesirable where one went wrong."""

from collections.abc import Iterable, Iterator

from canvas import seeds, trajectory


def build(sessions: Iterable[dict], keep_desirable: float = 1.0) -> list[dict]:
    """Rows sorted by id: calls of passing sessions, the deviating call of each failed one.

    `keep_desirable` is the share of desirable calls taken, by stable hash: mistakes are rare.

    `deviation` of a failed session is {"kind", "message": index of the message that went wrong}. A
    failed session gives no row where that is no call, or where it has no deviation (a contributed
    recording does not say what was wrong); neither does one that cannot be rendered.
    """
    rows = {row["row_id"]: row for session in sessions for row in _rows(session, keep_desirable)}
    return [rows[row_id] for row_id in sorted(rows)]


def _rows(session: dict, keep_desirable: float) -> Iterator[dict]:
    messages, key = session["messages"], trajectory.session_key(session)
    passed = trajectory.passed(session)
    ids = {index: f"kto-{seeds.stable_hash(key, index):016x}" for index in _calls(messages)}
    if passed:
        taken = [i for i in ids if seeds.stable_fraction("desirable", ids[i]) < keep_desirable]
    else:
        taken = [i for i in ids if i == (session.get("deviation") or {}).get("message")]
    if not taken or trajectory.fault(messages, session["tools"]) is not None:
        return
    for index in taken:
        yield {
            "row_id": ids[index],
            "wording": trajectory.wording_key(session),
            "tool": messages[index]["tool_calls"][0]["function"]["name"],
            "prompt": messages[:index],
            "completion": [messages[index]],
            "label": passed,
            "tools": session["tools"],
        }


def _calls(messages: list[dict]) -> list[int]:
    return [index for index, message in enumerate(messages) if message.get("tool_calls")]
