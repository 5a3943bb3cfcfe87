"""`canvas chat` and `canvas plan` as they are called, with a server, a calendar file and a pipe."""

import pytest
from click.testing import CliRunner
from icalendar import Calendar

from canvas.cli import main
from tests.chat.script import GYM, PARTY
from tests.live import campus
from tests.live.canvas_server import TOKEN, running

NOTHING = sorted([GYM, PARTY])
READ = ("Read @COURSE1", "2026-03-04T10:00", 60)
WROTE = ("Write", "2026-03-05T10:00", 90)
UNSET = dict.fromkeys(
    ("CANVAS_BASE_URL", "CANVAS_TOKEN", "CALDAV_URL", "CANVAS_ICS", "OPENAI_API_KEY", "TZ")
)


@pytest.fixture
def canvas(endpoint, calendar):
    """Run `canvas` for a made-up student who has the calendar, with lines from a pipe."""

    def run(command, *arguments, lines=(), **environ):
        options = ["--endpoint", endpoint, "--calendar", str(calendar), "--demo", "7"]
        text = "".join(f"{line}\n" for line in lines)
        return CliRunner(env=UNSET | environ).invoke(
            main, [command, *options, *map(str, arguments)], input=text
        )

    return run


def flat(text):
    """The text with every run of spaces and line breaks as one space."""
    return " ".join(text.split())


def titles(path):
    return sorted(str(e["summary"]) for e in Calendar.from_ical(path.read_bytes()).walk("VEVENT"))


class TestChat:
    def test_a_conversation_from_a_pipe(self, canvas):
        result = canvas("chat", lines=["hello", "", "/help", "hello again", "/quit", "never read"])
        assert result.exit_code == 0, result.output
        assert result.output.count("Hello.") == 2
        assert "/export FILE" in result.output
        assert "made-up student (seed 7)" in result.output
        assert "never read" not in result.output

    def test_what_is_called_is_shown_with_its_result(self, canvas):
        out = canvas("chat", lines=["move", "n"]).output
        assert "* calendar.list_events start=2026-03-02, end=2026-03-08" in out
        assert "2 events: Gym, Party" in out
        wrong = canvas("chat", lines=["wrong"]).output
        assert "refused: unknown course; known: " in wrong

    def test_only_a_yes_writes(self, canvas, calendar, held):
        before = calendar.read_bytes()
        for lines in (["read", "n"], ["move", "n"], ["delete", "n"], ["delete"], ["read", "ok"]):
            result = canvas("chat", lines=lines)
            assert (result.exit_code, result.output.count("[y]es")) == (0, 1), result.output
            assert calendar.read_bytes() == before
        assert canvas("chat", lines=["read", "y"]).exit_code == 0
        assert held() == sorted([*NOTHING, READ])

    def test_yes_covers_additions_only(self, canvas, held):
        result = canvas("chat", "--yes", lines=["all", "n", "n", "delete", "move"])
        assert result.exit_code == 0
        assert held() == sorted([*NOTHING, READ, WROTE])

    def test_what_was_agreed_to_is_exported_at_once(self, canvas, tmp_path):
        path = tmp_path / "plan.ics"
        result = canvas("chat", "--ics", path, lines=["both", "n", "y", "/undo", "read", "y"])
        assert "1 event written to" in result.output
        assert titles(path) == ["Read @COURSE1"]

    def test_export_by_command(self, canvas, tmp_path):
        path = tmp_path / "plan.ics"
        lines = ["/export", f"/export {path}", "both", "y", "y", f"/export {path}"]
        out = canvas("chat", lines=lines).output
        assert "Name the file" in out
        assert "Nothing was agreed to yet" in out
        assert titles(path) == ["Read @COURSE1", "Write"]

    def test_undo(self, canvas, held):
        out = canvas("chat", lines=["/undo", "delete", "y", "/undo", "/undo"]).output
        assert held() == NOTHING
        assert out.count("Nothing was agreed to that could be taken back.") == 2
        assert 'taking it back: add "Party"' in flat(out)

    def test_the_week(self, canvas):
        lines = ["both", "y", "y", "/week 2026-03-02", "/week soon", "/week +9999999"]
        out = canvas("chat", lines=lines).output
        assert "* 10:00-11:00 Read @COURSE1" in flat(out)
        assert "Mar 18:00-19:00 Gym" in flat(out)
        assert "'soon' is no date like 2026-03-04 or +1." in out
        assert "'+9999999' is no date" in out

    def test_before_several_questions_the_week_shows_the_proposals(self, canvas):
        out = canvas("chat", lines=["all", *"nnnn"]).output
        for line in ("+ 10:00-11:00 Read @COURSE1", "- 18:00-19:00 Gym", "- 20:00-22:00 Party"):
            assert line in flat(out)

    def test_an_unknown_command_is_said(self, canvas):
        assert "/nonsense is no command" in canvas("chat", lines=["/nonsense now"]).output

    @pytest.mark.parametrize(
        ("request_", "said"),
        [
            ("silence", "The model gave no answer. Say it in other words."),
            ("endless", "The model took too many steps. Ask for less at once."),
        ],
    )
    def test_no_answer_is_said_and_ends_nothing(self, canvas, request_, said):
        out = canvas("chat", lines=[request_, "hello"]).output
        assert said in out
        assert out.rstrip().endswith("you>")
        assert "Hello." in out

    def test_text_of_the_model_steers_nothing(self, canvas):
        out = canvas("chat", lines=["trap"]).output
        assert "\x1b" not in out
        assert "[b]Hi" in out

    def test_input_that_is_no_text(self, endpoint):
        result = CliRunner(env=UNSET).invoke(
            main, ["chat", "--endpoint", endpoint], input=b"hello \xff\x1b[2J\nhello\n"
        )
        assert result.exit_code == 0
        assert result.output.count("Hello.") == 2
        assert "\x1b" not in result.output


class TestPlan:
    def test_it_prints_the_plan_and_changes_nothing(self, canvas, calendar):
        before = calendar.read_bytes()
        result = canvas("plan", "all of it")
        assert result.exit_code == 0, result.output
        assert calendar.read_bytes() == before
        assert "All done." in result.output
        assert "4 proposals; nothing is done yet:" in result.output
        assert "+ 10:00-11:00 Read @COURSE1" in flat(result.output)
        assert '? delete "Party"' in result.output
        assert "This was not carried out" in result.output

    def test_additions_are_exported(self, canvas, calendar, tmp_path):
        before, path = calendar.read_bytes(), tmp_path / "out.ics"
        assert canvas("plan", "all", "--ics", path).exit_code == 0
        assert titles(path) == ["Read @COURSE1", "Write"]
        assert calendar.read_bytes() == before

    def test_yes_adds_and_does_no_more(self, canvas, held, tmp_path):
        path = tmp_path / "out.ics"
        result = canvas("plan", "all", "--yes", "--ics", path)
        assert held() == sorted([*NOTHING, READ, WROTE])
        assert "2 added" in result.output
        assert "Changes and deletions were not carried out" in result.output

    def test_without_an_answer_it_fails(self, canvas):
        result = canvas("plan", "silence")
        assert result.exit_code == 1
        assert "gave no answer" in result.output

    def test_words_need_no_quotes(self, canvas, script):
        canvas("plan", "hello", "there")
        assert script.asked[0][-1]["content"] == "hello there"


class TestOwnCanvas:
    @pytest.fixture
    def own(self, endpoint, tmp_path):
        """Run `canvas` for the student on the Canvas server of the tests."""
        with running() as server:
            campus.fill(server)

            def run(*arguments, lines=()):
                environ = {"CANVAS_BASE_URL": server.url, "CANVAS_TOKEN": TOKEN}
                text = "".join(f"{line}\n" for line in lines)
                return CliRunner(env=UNSET | environ).invoke(
                    main, ["chat", "--endpoint", endpoint, *map(str, arguments)], input=text
                )

            yield run

    def test_the_model_sees_tokens_and_the_student_names(self, own, script):
        out = own(lines=["grade for BIOL 201 with Dr. Jane Smith"]).output
        assert "score 88.4, letter B+" in out
        assert "You have 91.5 in BIOL-201-01." in out
        assert "grade for @COURSE1 with @PERSON" in str(script.asked[0])
        assert not [s for s in campus.SECRETS if any(s in str(asked) for asked in script.asked)]

    def test_without_a_calendar_that_is_said(self, own, tmp_path):
        out = own(lines=["/week"]).output
        assert "No calendar (--calendar): events are forgotten" in flat(out)
        assert list(tmp_path.glob("*.ics")) == []

    def test_without_canvas_that_is_said(self, endpoint, calendar, script):
        for environ, options in ({}, ["--calendar", str(calendar)]), ({"CANVAS_ICS": calendar}, []):
            result = CliRunner(env=UNSET | {k: str(v) for k, v in environ.items()}).invoke(
                main, ["chat", "--endpoint", endpoint, *options], input="move\n"
            )
            assert "No Canvas (CANVAS_BASE_URL, CANVAS_TOKEN)" in flat(result.output)
            assert "made-up" not in result.output
            assert "2 events: Gym, Party" in result.output

    def test_with_its_own_calendar(self, own, calendar):
        out = own("--calendar", calendar, lines=["hello"]).output
        assert "made-up" not in out
        assert "No calendar" not in out


class TestFaults:
    """One plain line with a remedy, exit code 1, and no traceback."""

    @pytest.mark.parametrize(
        ("options", "environ", "said"),
        [
            (["--model", "no.gguf"], {}, "`make repro` trains the nano model"),
            (["--endpoint", "http://127.0.0.1:9/v1", "--model", "x"], {}, "start it, or check"),
            (["--endpoint", "nonsense"], {}, "write http://HOST:PORT/v1"),
            (["--calendar", "no/such/folder/x.ics"], {}, "Give one in a folder"),
            (["--calendar", "."], {}, "Give one in a folder"),
            ([], {"CANVAS_TOKEN": "x"}, "Set CANVAS_BASE_URL to your Canvas"),
            ([], {"CANVAS_BASE_URL": "http://canvas.example.edu", "CANVAS_TOKEN": "x"}, "https://"),
            (["--ics", "no/such/folder/x.ics"], {}, "its folder is not there"),
        ],
    )
    @pytest.mark.parametrize("command", ["chat", "plan"])
    def test_what_cannot_be_used(self, tmp_path, monkeypatch, command, options, environ, said):
        monkeypatch.chdir(tmp_path)
        request = ["hello"] if command == "plan" else []
        result = CliRunner(env=UNSET | environ).invoke(
            main, [command, *options, *request], input="hello\n"
        )
        assert said in flat(result.output)
        assert "Traceback" not in result.output
        assert isinstance(result.exception, SystemExit | None)

    def test_a_model_that_is_none(self, tmp_path):
        path = tmp_path / "broken.gguf"
        path.write_bytes(b"GGUF but not really")
        result = CliRunner(env=UNSET).invoke(main, ["plan", "hello", "--model", str(path)])
        assert result.exit_code == 1
        assert "broken.gguf cannot be loaded" in flat(result.output)
        assert isinstance(result.exception, SystemExit)

    def test_the_calendar_is_not_an_export(self, canvas, calendar):
        before = calendar.read_bytes()
        result = canvas("chat", "--ics", calendar, lines=["read", "y"])
        assert result.exit_code == 1
        assert "choose another name" in flat(result.output)
        assert calendar.read_bytes() == before

    def test_a_calendar_that_is_none(self, endpoint, tmp_path):
        path = tmp_path / "mine.ics"
        path.write_text("Dear diary")
        options = ["--endpoint", endpoint, "--calendar", str(path)]
        result = CliRunner(env=UNSET).invoke(main, ["chat", *options], input="read\ny\n")
        assert result.exit_code == 1
        assert "is no iCalendar file" in flat(result.output)
        assert path.read_text() == "Dear diary"
