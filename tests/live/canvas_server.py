"""A small Canvas on loopback: real HTTP, Canvas's JSON shapes, pages, quotas and bad moments."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

TOKEN = "1234~AbCdEfGhIjKlMnOpQrStUvWxYz0123456789secret"
PROFILE = {
    "id": 4711,
    "name": "Ana Lopez",
    "short_name": "Ana",
    "sortable_name": "Lopez, Ana",
    "title": None,
    "bio": None,
    "primary_email": "alopez@example.edu",
    "login_id": "alopez",
    "avatar_url": "https://canvas.example.edu/images/messages/avatar-50.png",
    "calendar": {"ics": "https://canvas.example.edu/feeds/calendars/user_abc.ics"},
    "time_zone": "America/Denver",
    "locale": None,
    "effective_locale": "en",
}


def course(id_: int, code: str, name: str, **fields) -> dict:
    """A course of `GET /api/v1/courses?include[]=term,teachers,total_scores,syllabus_body`."""
    enrollment = {
        "type": "student",
        "role": "StudentEnrollment",
        "role_id": 3,
        "user_id": 4711,
        "enrollment_state": "active",
        "limit_privileges_to_course_section": False,
        "has_grading_periods": False,
        "computed_current_score": fields.pop("score", None),
        "computed_current_grade": fields.pop("grade", None),
        "computed_final_score": 12.5,
        "computed_final_grade": "F",
    }
    return {
        "id": id_,
        "name": name,
        "account_id": 1,
        "uuid": f"uuid{id_}",
        "start_at": None,
        "grading_standard_id": None,
        "is_public": False,
        "created_at": "2025-11-03T18:21:09Z",
        "course_code": code,
        "default_view": "modules",
        "root_account_id": 1,
        "enrollment_term_id": 9,
        "end_at": None,
        "public_syllabus": False,
        "apply_assignment_group_weights": True,
        "syllabus_body": None,
        "calendar": {"ics": f"https://canvas.example.edu/feeds/calendars/course_{id_}.ics"},
        "time_zone": "America/Denver",
        "term": {"id": 9, "name": "Spring 2026", "start_at": None, "end_at": None},
        "teachers": [],
        "enrollments": [enrollment],
        "hide_final_grades": False,
        "workflow_state": "available",
        "restrict_enrollments_to_course_dates": False,
    } | fields


def teacher(id_: int, name: str) -> dict:
    """One of a course's `teachers`."""
    return {
        "id": id_,
        "anonymous_id": f"x{id_}",
        "display_name": name,
        "avatar_image_url": "https://canvas.example.edu/images/messages/avatar-50.png",
        "html_url": f"https://canvas.example.edu/courses/1/users/{id_}",
        "pronouns": None,
    }


def assignment(id_: int, course_id: int, name: str, due: str | None, **fields) -> dict:
    """An assignment of `GET /api/v1/courses/:id/assignments?include[]=submission`."""
    submission = {
        "id": id_ * 10,
        "body": None,
        "url": None,
        "grade": None,
        "score": None,
        "submitted_at": None,
        "assignment_id": id_,
        "user_id": 4711,
        "submission_type": None,
        "workflow_state": "unsubmitted",
        "grade_matches_current_submission": True,
        "graded_at": None,
        "grader_id": None,
        "attempt": None,
        "cached_due_date": due,
        "excused": None,
        "late_policy_status": None,
        "points_deducted": None,
        "grading_period_id": None,
        "extra_attempts": None,
        "posted_at": None,
        "redo_request": False,
        "late": False,
        "missing": False,
        "seconds_late": 0,
        "entered_grade": None,
        "entered_score": None,
    } | fields.pop("submission", {})
    return {
        "id": id_,
        "description": "<p>Do it.</p>",
        "due_at": due,
        "unlock_at": None,
        "lock_at": None,
        "points_possible": 10.0,
        "grading_type": "points",
        "assignment_group_id": 5,
        "created_at": "2026-01-05T18:00:00Z",
        "updated_at": "2026-01-05T18:00:00Z",
        "peer_reviews": False,
        "position": 1,
        "omit_from_final_grade": False,
        "course_id": course_id,
        "name": name,
        "submission_types": ["online_upload"],
        "has_submitted_submissions": False,
        "due_date_required": False,
        "max_name_length": 255,
        "is_quiz_assignment": False,
        "can_duplicate": True,
        "workflow_state": "published",
        "html_url": f"https://canvas.example.edu/courses/{course_id}/assignments/{id_}",
        "published": True,
        "locked_for_user": False,
        "submission": submission,
    } | fields


def planned(row: dict, kind: str = "assignment", **flags) -> dict:
    """The planner's item of an assignment: `GET /api/v1/planner/items`."""
    flags = {
        "submitted": False,
        "excused": False,
        "graded": False,
        "posted_at": None,
        "late": False,
        "missing": False,
        "needs_grading": False,
        "has_feedback": False,
        "redo_request": False,
    } | flags
    thing = {
        "id": row["id"] if kind == "assignment" else row["id"] + 5000,
        "title": row["name"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "points_possible": row["points_possible"],
        "due_at": row["due_at"],
    }
    if kind != "assignment":
        thing["assignment_id"] = row["id"]
    return {
        "context_type": "Course",
        "course_id": row["course_id"],
        "plannable_id": thing["id"],
        "planner_override": None,
        "plannable_type": kind,
        "new_activity": False,
        "submissions": flags,
        "plannable_date": row["due_at"],
        "plannable": thing,
        "html_url": f"/courses/{row['course_id']}/assignments/{row['id']}",
        "context_name": "A Course",
        "context_image": None,
    }


def announcement(course_id: int, title: str, posted: str, message: str, author: str) -> dict:
    """An announcement of `GET /api/v1/announcements`."""
    return {
        "id": abs(hash(title)) % 10**6,
        "title": title,
        "last_reply_at": posted,
        "created_at": posted,
        "delayed_post_at": None,
        "posted_at": posted,
        "assignment_id": None,
        "root_topic_id": None,
        "position": 1,
        "podcast_has_student_posts": False,
        "discussion_type": "side_comment",
        "lock_at": None,
        "is_section_specific": False,
        "user_name": author,
        "discussion_subentry_count": 0,
        "author": {"id": 3, "display_name": author, "html_url": "https://canvas.example.edu/u/3"},
        "html_url": f"https://canvas.example.edu/courses/{course_id}/discussion_topics/9",
        "url": f"https://canvas.example.edu/courses/{course_id}/discussion_topics/9",
        "message": message,
        "read_state": "unread",
        "context_code": f"course_{course_id}",
    }


class Canvas:
    """The server's content and its moods.

    `routes` has the rows of each path, in full; a list is sent in pages. `moods` is consumed by the
    next requests, one each: a (status, body, headers), "drop" (no answer), "cut" (half a body), ""
    (none). `asked` has every request's path and query.
    """

    def __init__(self, url: str):
        self.url = url
        self.routes: dict[str, list | dict] = {"users/self/profile": PROFILE}
        self.forbidden: set[str] = set()
        self.moods: list[tuple[int, str, dict[str, str]] | str] = []
        self.quota = 700.0
        self.page = 100
        self.link_host = url
        self.asked: list[tuple[str, dict[str, list[str]]]] = []
        self.methods: set[str] = set()

    @property
    def paths(self) -> list[str]:
        """Paths asked for, in order."""
        return [path for path, _ in self.asked]


LIMITED = (403, "403 Forbidden (Rate Limit Exceeded)\n", {"X-Rate-Limit-Remaining": "0.0"})
LIMITED_429 = (429, "", {"X-Rate-Limit-Remaining": "0.0", "Retry-After": "1"})
BUSY = (503, "<html>Down for maintenance</html>", {})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    canvas: Canvas

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        path, query = parts.path.removeprefix("/api/v1/"), parse_qs(parts.query)
        self.canvas.asked.append((path, query))
        self.canvas.methods.add(self.command)
        mood = self.canvas.moods.pop(0) if self.canvas.moods else ""
        if mood == "drop":
            self.close_connection = True
        elif isinstance(mood, tuple):
            self._send(*mood)
        elif self.headers["Authorization"] != f"Bearer {TOKEN}":
            error = {"errors": [{"message": "Invalid access token."}]}
            self._send(401, json.dumps(error), {"WWW-Authenticate": 'Bearer realm="canvas-lms"'})
        elif path in self.canvas.forbidden:
            error = {
                "status": "unauthorized",
                "errors": [{"message": "user not authorized to perform that action"}],
            }
            self._send(401, json.dumps(error))
        elif path not in self.canvas.routes:
            error = {"errors": [{"message": "The specified resource does not exist."}]}
            self._send(404, json.dumps(error))
        else:
            body, headers = self._page(path, query, parts.query)
            self._send(200, body, headers, cut=mood == "cut")

    do_POST = do_PUT = do_DELETE = do_PATCH = do_GET

    def _page(self, path: str, query: dict, raw: str) -> tuple[str, dict[str, str]]:
        """One page and its Link header; places are bookmarks, as they are in the planner."""
        rows = self._found(path, query)
        if isinstance(rows, dict):
            return json.dumps(rows), {}
        size = min(int(query.get("per_page", ["10"])[0]), self.canvas.page)
        at = int(base64.b64decode(query["page"][0].removeprefix("bookmark:"))) if (
            "page" in query) else 0  # fmt: skip
        places = {"current": at, "first": 0}
        if at + size < len(rows):
            places["next"] = at + size
        links = ",".join(
            f'<{self.canvas.link_host}/api/v1/{path}?{self._query(raw, place)}>; rel="{rel}"'
            for rel, place in places.items()
        )
        return json.dumps(rows[at : at + size]), {"Link": links}

    def _found(self, path: str, query: dict) -> list | dict:
        """The rows of a path; those of the courses asked for, where it is about several."""
        rows = self.canvas.routes[path]
        if "context_codes[]" in query:
            rows = [row for row in rows if row["context_code"] in query["context_codes[]"]]
        if "start_date" in query and path == "planner/items":
            first, last = query["start_date"][0], query["end_date"][0]
            rows = [row for row in rows if first <= (row["plannable_date"] or "") <= last]
        return rows

    def _query(self, raw: str, place: int) -> str:
        bookmark = "bookmark:" + base64.b64encode(str(place).encode()).decode()
        kept = [(k, v) for k, values in parse_qs(raw).items() for v in values if k != "page"]
        return urlencode([*kept, ("page", bookmark)])

    def _send(
        self, status: int, body: str, headers: dict[str, str] | None = None, cut: bool = False
    ) -> None:
        content = body.encode()
        self.send_response(status)
        quota = {"X-Rate-Limit-Remaining": str(self.canvas.quota), "X-Request-Cost": "0.06"}
        kind = {"Content-Type": "application/json; charset=utf-8"}
        for name, value in (quota | kind | (headers or {})).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if cut else content)
        if cut:
            self.close_connection = True

    def log_message(self, format: str, *args) -> None:
        """Say nothing."""


@contextmanager
def running() -> Iterator[Canvas]:
    """Start the server in a thread, and stop it."""
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    handler.canvas = Canvas(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield handler.canvas
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
