"""A cohort of submissions whose texts and names attack whoever reads the marks."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from attnpack.grade.corpus import Targets, corpus

if not sys.platform.startswith("linux"):
    pytest.skip("the corpus is for Linux", allow_module_level=True)

pytestmark = pytest.mark.exhaustive

ATTACKS = (
    "csv_formula", "fakejson", "false_lines", "html", "no_text", "terminal", "workflow_commands",
    "wrong_types", "zip_names",
)  # fmt: skip
NAMES = (
    "=cmd|calc!A1.py",
    "+1,2.py",
    "<img src=x onerror=alert(1)>.py",
    "::error::owned.py",
    "\x1b[31mred.py",
    "\u202eevil.py",
    "new\nline.py",
    "a'\"&b.py",
)
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The folder of marks, and what grading said."""
    place = tmp_path_factory.mktemp("cohort")
    handed_in = place / "submissions"
    handed_in.mkdir()
    by_name = {attack.name: attack for attack in corpus()}
    for name in ATTACKS:
        (handed_in / by_name[name].file).write_bytes(by_name[name].content(Targets()))
    for name in NAMES:
        (handed_in / name).write_text("def softmax(scores):\n    raise ValueError(__file__)\n")
    command = [sys.executable, "-m", "attnpack", "grade", str(handed_in)]
    command += ["--out", str(place / "marks"), "--jobs", "1", "--deadline-s", "0.5"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr
    return place / "marks", done.stdout + done.stderr


class Page(HTMLParser):
    """What a page would run or fetch."""

    def __init__(self):
        super().__init__()
        self.active = []
        self.scripts = []
        self._in_script = False

    def handle_starttag(self, tag, attrs):
        self._in_script = tag == "script"
        if tag in ("iframe", "object", "embed", "base", "link", "form") or tag == "img":
            self.active.append((tag, attrs))
        for name, value in attrs:
            if name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                self.active.append((tag, name, value))

    def handle_endtag(self, tag):
        self._in_script = False

    def handle_data(self, data):
        if self._in_script:
            self.scripts.append(data)


def test_every_submission_has_a_row_without_a_mark(graded):
    marks, _ = graded
    rows = list(csv.DictReader(io.StringIO((marks / "grades.csv").read_text("utf-8-sig"))))
    assert len(rows) == len(ATTACKS) + len(NAMES)
    assert {float(row["score"]) for row in rows} == {0.0}


def test_no_page_holds_anything_that_acts(graded):
    marks, _ = graded
    pages = [marks / "cohort.html", *(marks / "feedback").glob("*.html")]
    assert len(pages) == 1 + len(ATTACKS) + len(NAMES)
    for path in pages:
        page = Page()
        page.feed(path.read_text("utf-8"))
        assert page.active == [], path
        assert not any("owned" in script or "alert" in script for script in page.scripts), path


def test_no_cell_of_a_table_begins_a_formula(graded):
    marks, _ = graded
    for path in marks.glob("*.csv"):
        for row in csv.reader(io.StringIO(path.read_text("utf-8"), newline="")):
            for cell in row:
                number = re.fullmatch(r"-?\d+(\.\d+)?", cell)
                assert number or not cell.startswith(("=", "+", "-", "@", "\t", "\r")), path


def test_no_text_holds_control_sequences(graded):
    marks, said = graded
    assert not CONTROL.search(said)
    for pattern in ("*.csv", "*.md", "github/*", "feedback/*"):
        for path in marks.glob(pattern):
            assert not CONTROL.search(path.read_text("utf-8")), path


def test_no_workflow_command_of_a_submission_is_obeyed(graded):
    marks, said = graded
    texts = [said, (marks / "summary.md").read_text("utf-8")]
    texts += [path.read_text("utf-8") for path in (marks / "github").iterdir()]
    for text in texts:
        stopped = None
        for line in text.splitlines():
            command = re.match(r"\s*(?:::([\w-]+)[^:]*::|##(?:vso)?\[)", line)
            if stopped and line.strip() == f"::{stopped}::":
                stopped = None
            elif not stopped and (stops := re.fullmatch(r"::stop-commands::(\S+)", line)):
                stopped = stops[1]
            elif command and not stopped:
                assert command[1] in ("error", "warning", "notice", "group", "endgroup"), line
                assert "file=grade.py" not in line.split("::")[1], line


def test_every_machine_readable_report_can_be_read(graded):
    marks, _ = graded
    rows = csv.DictReader(io.StringIO((marks / "grades.csv").read_text("utf-8-sig")))
    names = {row["submission"] for row in rows}
    reports = [json.loads(path.read_text("utf-8")) for path in (marks / "reports").iterdir()]
    assert len(reports) == len(names)
    assert not any(report["passed"] for report in reports)
    for path in (marks / "classroom").iterdir():
        assert json.loads(path.read_text("utf-8")), path
    suites = ET.parse(marks / "junit.xml").getroot()
    assert len(list(suites.iter("testsuite"))) == len(names)
