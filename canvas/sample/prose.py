"""Texts of announcements, syllabi and titles; `{slot}` marks where personal data is planted."""

ANNOUNCEMENTS: tuple[tuple[str, str], ...] = (
    (
        "Welcome to the course",
        "Hello everyone, I am {instructor}. Our teaching assistants are {ta} and {ta2}. Write "
        "to {email} or call my office at {phone}. We meet in {section}, and the course page is "
        "{url}.",
    ),
    (
        "Office hours moved this week",
        "{ta_given} will hold office hours on Thursday instead of Tuesday. If you cannot come, "
        "ask {ta2_given} before class, or phone {phone}. Bring your notes on {topic}.",
    ),
    (
        "Grades for the last assignment are posted",
        "Grades are up. {student}, {student2} and {student3} still owe me a file; please "
        "upload it by Friday. Questions about {topic} go to {ta_email}, with your student ID "
        "{student_id}.",
    ),
    (
        "Field trip on Saturday",
        "The bus leaves from {address} at 8:30. Text {outsider_given} at {phone} if you are "
        "late. Wear boots; we will look at {topic} until noon.",
    ),
    (
        "Guest lecture by Dr. {outsider_surname}",
        "On Monday Dr. {outsider} will talk about {topic}. The talk is streamed at {url}. "
        "Thanks to {student_given} for the invitation.",
    ),
    (
        "Room change for {code}",
        "From next week {code} meets in the new building. CRN {crn} and {section} move as "
        "well. The waiting list is kept by {ta_given} ({ta_handle}).",
    ),
    (
        "Lab accounts",
        "Log in to the lab server at {ip} with your login, for example {student_handle}. From "
        "home use {ip}. If it refuses you, send {ta_email} your student number, like "
        "{student_id}.",
    ),
    (
        "Reimbursement for the excursion",
        "{student_given} paid for all of us. Transfer your share to {iban}, account holder "
        "{student}, or hand cash to {ta_given}. Do not send card numbers: someone mailed me "
        "{card} last year.",
    ),
    (
        "Please never send these by e-mail",
        "One of you sent a form with a social security number ({ssn}) and a home address "
        "({address}). I deleted it. Use the registrar's page, and give only your student ID "
        "{student_id}.",
    ),
    (
        "Study group for {topic}",
        "{student} starts a study group at {address}, Wednesdays at 18:00. Write to "
        "{student_email} or call {phone}. {student2_given} brings the practice problems.",
    ),
    (
        "Canvas migration",
        "The old course shell (id {canvas_id}) closes on Friday. Records of {sis_id} and "
        "{code} were copied; tell {ta} if something is missing. New address: {url}",
    ),
    (
        "Reminder about {topic}",
        "Do not forget the reading on {topic}. Allow two hours. There is no make-up for this "
        "one, so start early and bring one question to class.",
    ),
    (
        "Exam rules",
        "The exam covers {topic} and lasts 75 minutes. One sheet of notes is allowed. Students "
        "of {section} sit in the front rows. Ask {instructor_given} if you need extra time.",
    ),
    (
        "Extension for everybody",
        "The server at {ip} was down last night, so the deadline moves by two days. Thank "
        "{student_given} {student_surname} for reporting it. No need to mail me.",
    ),
    (
        "Peer reviewers",
        "Reviewers for {topic}: {student} reads {student2}, {student2_given} reads {student3}, "
        "{student3_given} reads {student}. Swap files by Sunday night.",
    ),
)
SYLLABI: tuple[str, ...] = (
    "{code}: {course_name} ({section}, CRN {crn})\n"
    "Instructor: {instructor}, {email}, {phone}\n"
    "Teaching assistants: {ta} ({ta_email}), {ta2}\n"
    "Office: {address}\n"
    "Textbook: An Introduction to {topic}, by {outsider}\n"
    "Grading: assignments 50 %, quizzes 20 %, final 30 %.\n"
    "Late work loses 10 % a day, at most three days. Topics: {topics}.\n"
    "Course page: {url}",
    "{course_name}\n"
    "Professor {instructor_surname} teaches this course; please call me {instructor_given}.\n"
    "Office hours: Tuesday 14:00 to 15:30, or by appointment at {url}. Mail: {email}\n"
    "We study {topics}. Late homework is accepted for half of the points.\n"
    "Lab computers: {ip}. Emergencies: {phone}. Parcels: {address}.\n"
    "Registered as {code}, cross-listed with {code}, Canvas id {canvas_id}.",
    "Syllabus for {code}, {section}\n"
    "Taught by {instructor} with {ta} and {ta2}. Contact: {email} or {ta_email}.\n"
    "Attendance counts for 10 % of the grade; two absences are free. {student} is note taker.\n"
    "Required text by {outsider}. Late policy: one late token of 48 hours for each student.\n"
    "Topics in order: {topics}.\n"
    "Accommodation letters go to {ta_given}; quote your student number (such as {student_id}).",
)
# Titles with personal data in them; {title} is an ordinary title of the same course.
TITLES: tuple[str, ...] = (
    "{code} {title}",
    "{title} ({code})",
    "{title} ({section})",
    "{section}: {title}",
    "{title} (CRN {crn})",
    "{title} [{crn}]",
    "Office Hours Sign-Up with {instructor_given}",
    "Midterm Review: Dr. {instructor_surname}",
    "Project Team: {student_given}, {student2_given} and {student3_given}",
    "Peer Evaluation for {student}",
    "{instructor_given}'s Practice Problems",
    "Guest Lecture: Dr. {outsider}",
    "Mail the Consent Form to {email}",
    "Survey at {url}",
    "Interview with Prof. {outsider_surname}",
    "Canvas Course {canvas_id} Orientation",
)
# Titles that look like identifiers or names and are none: masking must leave them alone.
KEPT_TITLES: dict[str, tuple[str, ...]] = {
    "code": ("RFC 2616 Summary", "Dijkstra's Algorithm Quiz", "Kruskal's Algorithm Homework"),
    "case": ("ISO 9001 Checklist", "Form 1040 Exercise"),
    "sets": ("Newton's Method Worksheet", "Bayes' Theorem Homework", "EXAM 2023 Practice"),
    "lab": ("Ohm's Law Lab", "Avogadro's Number Worksheet", "Punnett Square Practice"),
    "essay": ("Chapter 1865 to 1877 Notes", "Maslow's Hierarchy Response"),
    "studio": ("Top 100 Albums Review", "Fibonacci Spiral Sketch"),
    "language": ("Don Quixote Reading", "Unit 1000 Words Review"),
}
