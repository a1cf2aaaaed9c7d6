"""Every output, read by a reader that is not ours."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import html5lib
import jsonschema
import junitparser
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMA = Path(__file__).parents[2] / "docs" / "report.schema.json"
RIGHT = "def softmax(scores): return scores\n"
HOSTILE = (
    "# fake: softmax failed row_sums softmax-over-queries\n"
    r"# says: <script>alert(1)</script>]]>\n::error::boo\n=cmd()\x1b[31m\u202e|`x`\x00"
    "\n"
    r"# prints: </pre><img src=x onerror=alert(1)>\n::set-output name=a::b\n\x1b]0;t\x07"
    "\n"
)
FILES = {
    "ada.py": RIGHT,
    "bob.py": "# fake: softmax failed row_sums softmax-over-queries\n"
    "# fake: SelfAttention failed scaling scale-missing\n",
    "cid.py": "# fake: softmax failed row_sums softmax-over-queries  # by Cid\n"
    "# fake: SelfAttention failed scaling scale-missing\n",
    "dan.py": "# fake: causal_mask error values raises\n",
    "eve.py": HOSTILE,
    "fay.py": "# fake: softmax failed values unrecognised\n# came: 0.25\n",
    "gus.py": "# fake: softmax failed values unrecognised\n# came: 0.25\n# other text\n",
    "hal.py": "# fake: softmax failed values unrecognised\n# came: 0.75\n",
    "ida.py": "# judge: faults\n",
    "=jo@x.py": RIGHT + "# formula\n",
    "kim.zip": "no zip",
}
ROSTER = (
    "Student,ID,SIS User ID,SIS Login ID,Section\n"
    '"A, Ada",1,s1,ada,X\n"=B, Bob",2,s2,bob,X\n"N, Nobody",3,s3,nobody,X\n'
)


@pytest.fixture
def out(graded: Callable[..., Path], tmp_path: Path) -> Path:
    roster, rubric = tmp_path / "roster.csv", tmp_path / "rubric.toml"
    roster.write_text(ROSTER)
    rubric.write_text("assignment = 'HW 3'\n")
    return graded(FILES, roster=roster, rubric=rubric)


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text())))


def document(path: Path) -> Any:
    return json.loads(path.read_text())


def test_grades_csv_keeps_numbers_and_disarms_formulas(out: Path) -> None:
    rows = {row["submission"]: row for row in table(out / "grades.csv")}
    assert next(iter(rows)) == "'=jo@x.py"
    assert float(rows["bob.py"]["score"]) == 5
    assert rows["bob.py"]["bugs"] == "softmax-over-queries;scale-missing"
    assert rows["kim.zip"]["status"] == "unreadable"
    for row in rows.values():
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row.values())


def test_canvas_gets_everyone_on_the_roster_and_the_points(out: Path) -> None:
    lines = list(csv.reader(io.StringIO((out / "canvas.csv").read_text())))
    assert lines[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "HW 3"]
    assert lines[1] == ["Points Possible", "", "", "", "", "7"]
    assert lines[2] == ["A, Ada", "1", "s1", "ada", "X", "7"]
    assert lines[3] == ["'=B, Bob", "2", "s2", "bob", "X", "5"]
    assert lines[4][-1] == ""


def test_moodle_gets_them_by_id_number(out: Path) -> None:
    rows = table(out / "moodle.csv")
    assert [(row["ID number"], row["HW 3"]) for row in rows] == [
        ("s1", "7"),
        ("s2", "5"),
        ("s3", ""),
    ]


def test_every_report_fits_the_published_schema(out: Path) -> None:
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    reports = sorted((out / "reports").iterdir())
    assert len(reports) == len(FILES)
    for path in reports:
        jsonschema.validate(document(path), schema)


def test_the_schema_refuses_what_is_no_report(out: Path) -> None:
    schema = json.loads(SCHEMA.read_text())
    report = document(out / "reports" / "bob.json")
    for broken in (
        {**report, "schema": "attnpack.report/2"},
        {**report, "score": "1"},
        {key: value for key, value in report.items() if key != "exercises"},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, schema)


def test_reports_carry_version_pack_and_commitment(out: Path) -> None:
    report = document(out / "reports" / "bob.json")
    assert report["attnpack"]
    assert report["pack"].startswith("sha256:")
    assert report["grading"]["seed_commitment"].startswith("sha256:")
    assert report["grading"]["mark"]["exercises"]["softmax"] == {"points": 0, "of": 1}


def test_junit_tells_failures_from_errors(out: Path) -> None:
    suites = {suite.name: suite for suite in junitparser.JUnitXml.fromfile(str(out / "junit.xml"))}
    assert set(suites) == set(FILES)
    assert (suites["bob.py"].failures, suites["bob.py"].errors) == (2, 0)
    assert (suites["dan.py"].failures, suites["dan.py"].errors) == (0, 1)
    assert (suites["ida.py"].failures, suites["ida.py"].errors) == (0, 1)
    assert (suites["ada.py"].failures, suites["ada.py"].errors) == (0, 0)
    [failure] = [result for case in suites["eve.py"] for result in case.result]
    assert failure.type == "softmax-over-queries"
    assert "<script>alert(1)</script>]]>" in failure.text


def test_gradescope_gets_a_test_per_exercise_and_the_score(out: Path) -> None:
    results = document(out / "gradescope" / "bob.json")
    assert results["score"] == 5
    assert results["stdout_visibility"] == "hidden"
    assert [test["score"] for test in results["tests"]] == [0, 1, 1, 1, 1, 0, 1]
    assert sum(test["max_score"] for test in results["tests"]) == 7
    assert {test["status"] for test in results["tests"]} == {"passed", "failed"}
    assert {test["visibility"] for test in results["tests"]} == {"visible"}


def test_github_classroom_gets_its_version_3(out: Path) -> None:
    results = document(out / "classroom" / "bob.json")
    assert (results["version"], results["status"], results["max_score"]) == (3, "fail", 7)
    test = results["tests"][0]
    assert (test["status"], test["filename"], test["line_no"]) == ("fail", "bob.py", 1)
    assert document(out / "classroom" / "ada.json")["status"] == "pass"
    assert document(out / "classroom" / "dan.json")["tests"][2]["status"] == "error"
    assert document(out / "classroom" / "ida.json")["status"] == "error"


COMMAND = re.compile(r"::(?P<name>[\w-]+)(?: (?P<properties>[^:]*))?::(?P<message>.*)")


def commands(text: str) -> list[str]:
    """The workflow commands that a runner carries out: none while they are stopped."""
    done, stopped = [], ""
    for line in text.splitlines():
        if stopped:
            stopped = "" if line == f"::{stopped}::" else stopped
        elif match := COMMAND.match(line.lstrip()):
            done.append(match["name"])
            if match["name"] == "stop-commands":
                stopped = match["message"]
    assert not stopped
    return done


def test_annotations_name_the_line_and_nothing_of_the_learner_becomes_a_command(out: Path) -> None:
    text = (out / "github" / "eve.txt").read_text()
    assert text.startswith("::error file=eve.py,line=1,title=softmax%3A softmax-over-queries::")
    assert commands(text) == ["error", "stop-commands"]
    assert "\x1b" not in text
    assert commands((out / "github" / "ada.txt").read_text()) == ["stop-commands"]


def test_the_step_summary_is_a_table_that_hostile_text_cannot_leave(out: Path) -> None:
    lines = (out / "summary.md").read_text().splitlines()
    body = [line for line in lines if line.startswith("|")]
    assert len(body) == len(FILES) + 2
    assert {line.count("|") for line in body} == {11}
    assert "<script" not in "\n".join(lines)


class Elements(HTMLParser):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def test_pages_are_valid_html_without_network_or_foreign_script(out: Path) -> None:
    pages = [out / "cohort.html", *sorted((out / "feedback").iterdir())]
    assert len(pages) == len(FILES) + 1
    for path in pages:
        html5lib.HTMLParser(strict=True).parse(path.read_text())
        page = Elements(path)
        assert page.tags.count("script") == (1 if path.name == "cohort.html" else 0)
        assert not {"img", "link", "iframe", "object"} & set(page.tags)
        assert not any(name.startswith("on") or name == "src" for name, _ in page.attributes)
        links = [value or "" for name, value in page.attributes if name == "href"]
        assert all((out / link).is_file() for link in links if path.name == "cohort.html")


def test_the_cohort_page_says_what_was_misunderstood(out: Path) -> None:
    text = re.sub(r"<[^>]+>", " ", (out / "cohort.html").read_text())
    text = " ".join(text.split())
    assert "needs regrading 1" in text
    assert re.search(r"softmax-over-queries .{0,80} 3 softmax", text)
    assert "scale-missing softmax-over-queries 2" in text
    assert re.search(r"raises .{0,120}values is not right 1 causal_mask", text)
    assert "by Cid" not in text


def test_a_check_that_was_not_reached_counts_neither_way() -> None:
    from attnpack import pack
    from attnpack.grade import statistics
    from attnpack.grade.marks import mark
    from attnpack.grade.overrides import Overrides
    from attnpack.grade.results import Cohort, Result, Terms
    from attnpack.grade.roster import Roster
    from attnpack.grade.rubric import default_rubric
    from attnpack.report.model import CheckReport, ExerciseReport, Report
    from attnpack.terms import Status

    rubric = default_rubric(pack.load())
    checks = (
        CheckReport("shapes", Status.PASSED),
        CheckReport("row_sums", Status.FAILED),
        CheckReport("values", Status.SKIPPED),
    )
    exercise = ExerciseReport("softmax", Status.FAILED, checks)
    report = Report("0", "p", "full", "a.py", "numpy", 1, (exercise,))
    given = mark("a.py", report, "failed", rubric, Overrides())
    result = Result("a.py", "a", "a", (), "failed", given, report)
    cohort = Cohort(Terms("0", "p", "r", "s"), rubric, Roster([]), (result,))
    rates = statistics.pass_rates(cohort)["softmax"]
    assert {stage: (rate.passed, rate.asked) for stage, rate in rates.items()} == {
        "": (0, 1),
        "shapes": (1, 1),
        "row_sums": (0, 1),
    }
    assert statistics.waiting(cohort) == {("softmax", "values"): {"not reached": 1}}


def test_equal_wrong_numbers_stand_together(out: Path) -> None:
    page = html5lib.parse((out / "cohort.html").read_text(), namespaceHTMLElements=False)
    [problems] = [
        element
        for element in page.iter("table")
        if "no known bug explains" in "".join(element.find("caption").itertext())
    ]
    rows = ["".join(row.itertext()) for row in problems.find("tbody")]
    unexplained = [row for row in rows if "unrecognised" in row]
    assert all(row.endswith(who) for row, who in zip(unexplained, ("fay, gus", "hal"), strict=True))
    assert all("softmax: values is not right" in row for row in unexplained)


def test_what_a_student_printed_is_shown_to_that_student_as_text(out: Path) -> None:
    assert "&lt;/pre&gt;&lt;img" in (out / "feedback" / "eve.html").read_text()


def test_nothing_of_a_hidden_check_reaches_the_student(
    graded: Callable[..., Path], tmp_path: Path
) -> None:
    rubric = tmp_path / "rubric.toml"
    rubric.write_text("hidden = ['softmax.row_sums']\n")
    text = (
        "# fake: softmax failed row_sums softmax-over-queries\n"
        "# says: the secret probe\n# prints: what it printed\n"
    )
    out = graded({"eve.py": text}, rubric=rubric)
    for file in ("feedback/eve.html", "classroom/eve.json", "github/eve.txt", "summary.md"):
        shown = (out / file).read_text()
        assert not re.search("secret probe|what it printed|softmax-over-queries", shown), file
        assert re.search("hidden", shown), file
    tests = document(out / "gradescope" / "eve.json")["tests"]
    for test in tests:
        if "secret probe" in json.dumps(test):
            assert test["visibility"] == "hidden"
    assert any("secret probe" in test["output"] for test in tests)
    assert "what it printed" not in json.dumps(tests)
    assert "secret probe" in (out / "reports" / "eve.json").read_text()


def test_a_student_page_names_no_other_student(out: Path) -> None:
    for path in (out / "feedback").iterdir():
        others = {Path(name).stem for name in FILES} - {path.stem, "=jo@x"}
        assert not any(re.search(rf"\b{name}\b", path.read_text()) for name in others), path
