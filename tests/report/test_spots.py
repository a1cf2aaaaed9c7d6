"""The expression at fault is underlined where there is a line, and told where there is none."""

from __future__ import annotations

from dataclasses import replace

from samples import SOURCES

from attnpack.report import failure, feedback, words
from attnpack.report.glyphs import for_encoding
from attnpack.report.model import CheckReport, ExerciseReport, NamedBug, Report, Spot
from attnpack.submission.places import Places
from attnpack.terms import Match, Proof, Status

SPOT = Spot(16, 44, "e.sum(axis=0, keepdims=True)", Proof.REPLACED, 26)
BUG = NamedBug("softmax-over-queries", Match.EXACT, "softmax.py", 7, spot=SPOT)


def test_carets_stand_under_the_expression() -> None:
    source = SOURCES["softmax.py"]
    shown = failure.excerpt(source, 7, for_encoding("utf-8"), Places(), spot=SPOT).plain
    lines = shown.split("\n")
    at = next(number for number, line in enumerate(lines) if "return" in line)
    first = lines[at + 1].index("^")
    assert lines[at][first:].startswith("e.sum(")
    assert set(lines[at + 1].strip()) == {"^"}


def test_what_proves_a_place_is_said_once_and_counted() -> None:
    assert words.proof(SPOT) == "with the right value here, all 26 answers are right"
    assert words.proof(replace(SPOT, proof=Proof.STATED)) == ""
    assert words.proof(None) == ""


def test_a_bug_on_one_line_of_text_has_its_column_and_expression() -> None:
    told = feedback.bug_line(BUG)
    assert "at softmax.py, line 7, column 16: e.sum(axis=0, keepdims=True)" in told
    assert "all 26 answers are right" in told


def test_json_holds_the_place_and_reads_it_back() -> None:
    checks = (CheckReport("row_sums", Status.FAILED, "rows", (BUG,)),)
    report = Report("0.1.0", "p", "process", "work", "numpy", 1, (
        ExerciseReport("softmax", Status.FAILED, checks),
    ))  # fmt: skip
    written = report.to_json()
    bug = written["exercises"][0]["checks"][0]["bugs"][0]
    assert (bug["column"], bug["end_column"], bug["proof"]) == (16, 44, "replaced")
    assert Report.from_json(written).exercises[0].checks[0].bugs[0] == BUG
