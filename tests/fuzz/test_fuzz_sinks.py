"""Any text out of a submission in any report: readers that are not ours find text, no command."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import html5lib
from effort import examples
from hypothesis import example, given
from hypothesis import strategies as st

from attnpack import pack
from attnpack.calls import Frame, Raised
from attnpack.grade.marks import mark
from attnpack.grade.overrides import Override, Overrides
from attnpack.grade.results import Cohort, Result, Terms
from attnpack.grade.roster import Roster, Student
from attnpack.grade.rubric import Rubric
from attnpack.pack.kinds import Comparison, Note
from attnpack.report import fragment, github, glyphs, record, sinks, tables, terminal
from attnpack.report.classroom import classroom
from attnpack.report.cohort import cohort_page
from attnpack.report.gradescope import gradescope
from attnpack.report.junit import junit
from attnpack.report.markup import join, page, table, tag
from attnpack.report.model import CheckReport, ExerciseReport, NamedBug, Report
from attnpack.report.page import feedback_page
from attnpack.report.untrusted import capped, one_line, printable
from attnpack.terms import Match, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTROL = {"Cc", "Cs"}
TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

pieces = st.sampled_from([
    "\x1b", "\x1b[31m", "\x1b]0;t\x07", "\x1b]8;;http://x\x1b\\", "\x9b31m", "\x90q\x9c", "\x1b[",
    "\x1bP", "\x07", "\b", "\x7f", "\0", "\r", "\n", "\r\n", "\t", "\v", "\f", "\x85", "\u2028",
    "\u2029", "\u202e", "\u2066", "\u200e", "\ufeff", "\ufffe", "\uffff", "\ud800", "\udc80",
    "\U0001f431", "\u0301", "<script>alert(1)</script>", "</pre>", "<img src=x onerror=alert(1)>",
    "]]>", "<!--", "-->", "<![CDATA[", "&", "&lt;", "&#60;", '"', "'", "`", "</style>", "</title>",
    "javascript:", "\x00<b>", "<\x00b>", "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\t=1", "＝1",
    ",", ";", "|", "\\", " ", "x", "::error::boo", "\n::error file=a,line=1::boo", "##[error]boo",
    "\n::stop-commands::x\n", "%0A::error::", "::set-output name=a::b", "[a](http://x)", "**b**",
    "$x$", "~~~", "https://x", "#1", "@someone", "{{7*7}}",
])  # fmt: skip
texts = st.lists(pieces | st.text(max_size=6), max_size=6).map("".join) | st.text()
many = examples(250)


def harmless(text: str) -> None:
    """No control sequence, nothing that turns the text's direction."""
    for character in text:
        assert character in "\n\t" or unicodedata.category(character) not in CONTROL
    assert not TURNING.search(text)


@many
@given(texts)
@example("\x1b]" + "x" * 10_000)
@example("\x1b[" * 500)
@example("x" * 5000)
def test_no_sink_lets_a_control_sequence_through(text: str) -> None:
    one_liners = [
        sinks.line(text), sinks.for_markdown(text), sinks.for_command(text),
        sinks.for_property(text), sinks.for_csv(text), one_line(text),
    ]  # fmt: skip
    for shown in one_liners:
        harmless(shown)
        assert "\n" not in shown
    for shown in (
        sinks.plain(text),
        sinks.for_html(text),
        sinks.for_xml(text),
        sinks.for_json(text),
    ):
        harmless(shown)
    for shown in (printable(text), capped(text)):
        harmless(shown)
        assert "\t" not in shown


@many
@given(texts)
def test_html_holds_the_text_as_text_and_nothing_else(text: str) -> None:
    body = join(
        [tag("p", text, class_=text, data_x=text), table(text, [text, "x"], [[text, text]])]
    )
    document = _parsed(page(text, body))
    shown = sinks.plain(text)
    paragraph = document.find(".//p")
    assert (paragraph.text or "") == shown
    assert paragraph.attrib == {"class": shown, "data-x": shown}
    assert (document.find(".//title").text or "") == shown
    assert _form(document) == _form(_parsed(page("x", _sample())))


def _sample() -> str:
    return join([tag("p", "x", class_="x", data_x="x"), table("x", ["x", "x"], [["x", "x"]])])


def _parsed(text: str) -> ET.Element:
    return html5lib.HTMLParser(namespaceHTMLElements=False, strict=True).parse(text)


def _form(document: ET.Element) -> list[tuple[str, ...]]:
    """Elements and the names of their attributes; a text may not change them."""
    return [(str(element.tag), *sorted(element.attrib)) for element in document.iter()]


@many
@given(texts)
@example("\x0b=1")
@example("\u200b=1")
@example(" =1")
@example("\x1b[31m=1")
def test_csv_holds_one_cell_that_is_no_formula(text: str) -> None:
    [row] = list(csv.reader(io.StringIO(tables._csv([[text, 1.5, None]]), newline="")))
    assert row == [sinks.for_csv(text), "1.5", ""]
    assert not row[0].startswith(FORMULA)


@many
@given(texts)
def test_xml_holds_the_text(text: str) -> None:
    element = ET.Element("a", name=sinks.line(text))
    element.text = sinks.for_xml(text)
    read = ET.fromstring(ET.tostring(element, "unicode"))
    assert (read.text or "") == sinks.for_xml(text)
    assert read.attrib["name"] == sinks.line(text)


@many
@given(texts)
def test_markdown_keeps_to_its_cell(text: str) -> None:
    shown = sinks.for_markdown(text)
    assert not set(re.sub(r"&#\d+;", "", shown)) & set("|<>`*_[]()\\#@!&~$:")


def obeyed(log: str) -> Iterator[tuple[str, str]]:
    """The commands that a runner of GitHub's finds in a log: name and properties."""
    stopped = ""
    for line in re.split(r"\r\n|\r|\n", log):
        command = re.match(r"\s*::([^\s:]+)\s*([^:]*)::", line) or re.search(r"##\[(\w*)()", line)
        if stopped:
            stopped = "" if line.strip() == f"::{stopped}::" else stopped
        elif line.startswith("::stop-commands::"):
            stopped = line.removeprefix("::stop-commands::")
        elif command:
            yield command[1], command[2]


@many
@given(texts)
def test_a_guarded_text_commands_nothing(text: str) -> None:
    assert list(obeyed(github.guarded(text))) == []


@many
@given(texts)
def test_a_text_in_a_command_stays_in_its_place(text: str) -> None:
    name, message = sinks.for_property(text), sinks.for_command(text)
    log = f"::error file={name},line=3,title={name}::{message}\n"
    assert list(obeyed(log)) == [("error", f"file={name},line=3,title={name}")]


def exercise(name: str, status: Status, text: str) -> ExerciseReport:
    """The text in all that a submission has a say in."""
    said = f"m{text}"
    bug = NamedBug("softmax-over-queries", Match.EXACT, f"{text}.py", 3)
    raised = Raised(said, said, (Frame(said, 3, said, said),))
    comparison = Comparison("softmax(scores)", (2,), (2,), said, (0,), 0.5, 0.25, 0.25, 1, 2)
    checks = (
        CheckReport("shapes", Status.PASSED),
        CheckReport("row_sums", status, said, (bug,), comparison),
        CheckReport("values", Status.ERROR, "", (bug,), None, raised),
        CheckReport("mask", Status.SKIPPED, said),
    )
    noted = (Note("x", said, said, 3),)
    return ExerciseReport(name, status, checks, ("attention_scores",), noted, f"o{text}")


def cohort(text: str) -> Cohort:
    """Two submissions, one of them unreadable, with the text wherever one can be."""
    rubric = Rubric({"softmax": 1.0, "causal_mask": 2.0}, f"a{text}", hidden=frozenset({"mask"}))
    jane = Student(f"n{text}", text, text, text, text, text)
    overrides = Overrides([Override(f"s{text}", "softmax", 1.0, f"r{text}")])
    exercises = (
        exercise("softmax", Status.FAILED, text),
        exercise("causal_mask", Status.ERROR, text),
    )
    report = Report("0", "p", "full", f"s{text}", "numpy", 1, exercises)
    given_mark = mark(f"s{text}", report, "failed", rubric, overrides)
    judged = Result(
        f"s{text}", "a", f"n{text}", (jane,), "failed", given_mark, report, hints=(f"f{text}",)
    )
    none = mark("b", None, "unreadable", rubric, Overrides())
    unread = Result(f"u{text}", "b", f"m{text}", (), "unreadable", none, problem=f"p{text}")
    return Cohort(Terms("0", "p", "r", "s"), rubric, Roster([jane]), (judged, unread))


HARMLESS = cohort("x")
BUGS = pack.load().bugs()


@examples(60)
@given(texts)
def test_every_report_of_a_cohort_has_the_form_that_it_has_with_harmless_texts(text: str) -> None:
    whole = cohort(text)
    _pages_keep_their_form(whole)
    _tables_keep_their_form(whole)
    read, usual = (ET.fromstring(junit(one).encode()) for one in (whole, HARMLESS))
    assert _form(read) == _form(usual)
    for result, other in zip(whole.results, HARMLESS.results, strict=True):
        harmless(github.log(whole, result))
        commands = [name for name, _ in obeyed(github.log(whole, result))]
        assert commands == [name for name, _ in obeyed(github.log(HARMLESS, other))]
        for write in (classroom, gradescope):
            assert (
                json.loads(write(whole, result)).keys() == json.loads(write(HARMLESS, other)).keys()
            )
        json.dumps(record.record(whole, result)).encode("ascii")


def _pages_keep_their_form(whole: Cohort) -> None:
    for at in range(len(whole.results)):
        ours, usual = (feedback_page(one, one.results[at], BUGS) for one in (whole, HARMLESS))
        harmless(ours)
        assert _form(_parsed(ours)) == _form(_parsed(usual))
    harmless(cohort_page(whole, BUGS))
    assert _form(_parsed(cohort_page(whole, BUGS))) == _form(_parsed(cohort_page(HARMLESS, BUGS)))


def _tables_keep_their_form(whole: Cohort) -> None:
    for write in (tables.grades, tables.canvas, tables.moodle):
        rows, usual = (
            list(csv.reader(io.StringIO(write(one), newline=""))) for one in (whole, HARMLESS)
        )
        assert [len(row) for row in rows] == [len(row) for row in usual]
        assert not any(cell.startswith(FORMULA) for row in rows for cell in row)
        harmless(write(whole))
    lines, usual_lines = github.summary(whole).split("\n"), github.summary(HARMLESS).split("\n")
    assert [line.count("|") for line in lines] == [line.count("|") for line in usual_lines]


@examples(40)
@given(texts)
def test_the_panel_and_the_notebooks_page_say_the_text_and_do_nothing(text: str) -> None:
    for at in (0, 1):
        ours, usual = (_view(one, at) for one in (text, "x"))
        harmless(terminal.as_text(terminal.Page(ours), width=80))
        harmless(fragment.of_report(ours))
        assert _form(_fragment(ours)) == _form(_fragment(usual))


def _fragment(view: terminal.View) -> ET.Element:
    """The piece in a page of its own, where a style may not stand in the body."""
    markup = re.sub(r"<style>[^<]*</style>", "", fragment.of_report(view), count=1)
    return _parsed(f"<!DOCTYPE html><title>x</title>{markup}")


def _view(text: str, at: int) -> terminal.View:
    """One exercise: a wrong answer, or an exception."""
    whole = exercise("softmax", (Status.FAILED, Status.ERROR)[at], text)
    one = replace(whole, checks=whole.checks[at + 1 :])
    report = Report("0", "p", "full", text, "numpy", 1, (one,))
    cards = {name: bug.card for name, bug in BUGS.items()}
    sources = {f"{text}.py": f"a\n{text}\n{text}\n"}
    return terminal.View(
        report, pack.load(), cards, sources, ["next"], glyphs.UNICODE, remarks=[f"r{text}"]
    )
