"""A student's semester on the Canvas server of the tests, on Wednesday 4 March 2026."""

from tests.live.canvas_server import Canvas, announcement, assignment, course, planned, teacher

BIOLOGY, DESIGN, SEMINAR = 20177, 20178, 20305
SYLLABUS = """<h2>BIOL-201: Introduction to Biology</h2><p>Dr. Jane Smith, jsmith@example.edu,
(540) 231-6000</p><h3>Office hours</h3><p>Tuesday 13:00-14:30, with Prof. Smith</p>
<h3>Late work</h3><ul><li>10% off per day, at most 5 days; CHEM 101 rules do not apply.</li></ul>
<p>Textbook: Foundations of Cells, edition 3</p><script>alert("x")</script>"""
NEWS = """<p>Class on 2026-03-09 meets in <b>Room 301</b>, says Jane Smith.</p>
<p>Chidi Okafor opens the BIOL 201 lab: https://zoom.example.com/j/555 or cokafor@example.edu</p>"""
# Everything that must never reach a model.
SECRETS = (
    "BIOL", "CS3704", "CS 3704", "CHEM 101", "Jane", "Smith", "Okafor", "Chidi", "Lopez", "zoom",
    "jsmith", "cokafor", "231-6000", "20177", "20178", "SMNR",
)  # fmt: skip


def fill(canvas: Canvas) -> None:
    """Give the server the semester."""
    hand_in = {"submitted_at": "2026-03-03T10:00:00Z", "workflow_state": "submitted"}
    graded = hand_in | {"workflow_state": "graded", "grade": "9", "score": 9.0}
    lab = assignment(1, BIOLOGY, "Lab Report: Cells", "2026-03-06T06:59:59Z", points_possible=30)
    quiz = assignment(
        2, BIOLOGY, "Quiz 1", "2026-03-05T16:00:00Z",
        submission_types=["online_quiz"], is_quiz_assignment=True,
    )  # fmt: skip
    exam = assignment(
        3, BIOLOGY, "BIOL 201 Midterm Exam", "2026-03-20T16:00:00Z", submission_types=["on_paper"]
    )
    old = assignment(4, BIOLOGY, "Essay 1", "2026-02-20T06:59:59Z", submission={"missing": True})
    done = assignment(5, DESIGN, "Homework 1", "2026-03-07T06:59:59Z", submission=hand_in)
    quiz2 = assignment(6, DESIGN, "Quiz 1", "2026-03-10T16:00:00Z", submission=graded)
    talk = assignment(
        7, DESIGN, "Ask Chidi Okafor", "2026-03-09T06:59:59Z",
        submission_types=["discussion_topic"],
    )  # fmt: skip
    undated = assignment(8, DESIGN, "Reading list", None)
    hidden = assignment(9, DESIGN, "Draft", "2026-03-09T06:59:59Z", published=False)
    canvas.routes |= {
        "courses": [
            course(
                SEMINAR, "SMNR-1", "Writing", term={"id": 1, "name": "Default Term"},
                teachers=[teacher(5, "Bo Chen")],
            ),
            course(
                BIOLOGY, "BIOL-201-01", "BIOL-201-01: Introduction to Biology", score=88.4,
                grade="B+", syllabus_body=SYLLABUS, teachers=[teacher(3, "Dr. Jane Smith")],
            ),
            course(
                DESIGN, "CS3704", "Software Design", teachers=[teacher(4, "Okafor, Chidi")],
                syllabus_body="<p>All of it is in the repository.</p>",
            ),
            {"id": 20999, "access_restricted_by_date": True},
        ],
        f"courses/{BIOLOGY}/assignments": [lab, quiz, exam, old],
        f"courses/{DESIGN}/assignments": [done, quiz2, talk, undated, hidden],
        f"courses/{SEMINAR}/assignments": [],
        "announcements": [
            announcement(BIOLOGY, "Room Change", "2026-03-02T15:00:30Z", NEWS, "Dr. Jane Smith"),
            announcement(BIOLOGY, "Welcome", "2026-01-12T15:00:00Z", "<p>Hi.</p>", "Mary Roe"),
            announcement(DESIGN, "Slides", "2026-03-03T15:00:00Z", "Mary Roe has them.", "TA Team"),
        ],
        "planner/items": [
            planned(old, missing=True),
            planned(quiz, "quiz"),
            planned(lab),
            planned(done, submitted=True),
            planned(talk, "discussion_topic"),
            planned(quiz2, "quiz", submitted=True, graded=True),
            planned(exam),
            planned(lab) | {"plannable_type": "wiki_page"},
            planned(lab) | {"course_id": None, "context_type": "User"},
        ],
    }  # fmt: skip
