"""The report as a terminal shows it."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import samples
from rich.console import Console

from attnpack import pack
from attnpack.report import glyphs, terminal
from attnpack.report.model import CheckReport, ExerciseReport, NamedBug
from attnpack.submission.notebook import Cell
from attnpack.submission.places import FILES, Places
from attnpack.terms import Match, Status

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attnpack.report.model import Report

NEXT = ("Next: mend softmax.py:6, then type: attnpack check", "Help: attnpack hint softmax")


def view(
    report: Report, signs: glyphs.Glyphs = glyphs.UNICODE, places: Places = FILES
) -> terminal.View:
    return terminal.View(report, pack.load(), samples.CARDS, samples.SOURCES, NEXT, signs, places)


def printed(
    shown: terminal.View, width: int = 80, encoding: str = "utf-8", **options: object
) -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    console = Console(
        file=stream, width=width, markup=False, highlight=False, legacy_windows=False, **options
    )
    console.print(terminal.Page(shown))
    stream.flush()
    return raw.getvalue().decode(encoding)


def drawn(report: Report, width: int = 80, **options: object) -> str:
    return printed(view(report), width, **options)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("name", samples.REPORTS)
def test_each_report_looks_as_it_did(
    name: str, width: int, golden: Callable[[str, str], None]
) -> None:
    golden(f"terminal/{name}-{width}.txt", drawn(samples.REPORTS[name], width))


@pytest.mark.parametrize("width", [30, 46, 60])
@pytest.mark.parametrize("name", samples.REPORTS)
def test_in_a_narrow_terminal_nothing_is_cut_and_ascii_is_enough(name: str, width: int) -> None:
    text = printed(view(samples.REPORTS[name], glyphs.ASCII), width, encoding="ascii")
    assert max(len(line) for line in text.splitlines()) <= width
    for exercise in samples.REPORTS[name].exercises:
        assert exercise.name[:8] in text


@pytest.mark.parametrize("name", samples.REPORTS)
def test_each_report_looks_as_it_did_in_a_narrow_terminal(
    name: str, golden: Callable[[str, str], None]
) -> None:
    golden(f"terminal/{name}-60.txt", drawn(samples.REPORTS[name], 60))


@pytest.mark.parametrize("name", samples.REPORTS)
def test_each_report_looks_as_it_did_in_ascii(
    name: str, golden: Callable[[str, str], None]
) -> None:
    text = printed(view(samples.REPORTS[name], glyphs.ASCII), encoding="ascii")
    golden(f"terminal/{name}-80-ascii.txt", text)


def test_the_colours_are_as_they_were(golden: Callable[[str, str], None]) -> None:
    text = drawn(samples.STOPPED, force_terminal=True, color_system="standard")
    golden("terminal/stopped-80-colour.txt", text)


def test_no_color_leaves_no_colour_and_loses_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = drawn(samples.STOPPED, force_terminal=True, color_system="standard")
    colours = re.findall(r"\x1b\[[0-9;]*3[0-7][0-9;]*m", text)
    assert colours == []
    assert re.sub(r"\x1b\[[0-9;]*m", "", text) == drawn(samples.STOPPED)


def test_a_pipe_gets_no_control_sequence() -> None:
    assert "\x1b" not in drawn(samples.MIXED)


@pytest.mark.parametrize("name", samples.REPORTS)
def test_eighty_columns_are_enough_and_nothing_is_cut(name: str) -> None:
    text = drawn(samples.REPORTS[name], 80)
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "…" not in text


def test_every_mark_of_the_table_is_explained_in_words() -> None:
    text = drawn(samples.MIXED)
    legend = next(line for line in text.splitlines() if "✓ passed   ✗ failed" in line)
    assert "! error" in legend
    assert "· not started" in legend


def test_the_panel_names_both_bugs_that_explain_it_together() -> None:
    text = drawn(samples.report(samples.TWO_BUGS))
    assert "missing scaling (scale-missing)" in text
    assert "softmax over the queries (softmax-over-queries)" in text
    assert "attention_scores.py:5" in text
    assert "softmax.py:7" in text


def test_numbers_that_differ_little_are_written_so_that_they_differ() -> None:
    text = drawn(samples.STOPPED)
    assert "0.25 at [0, 0]" in text
    assert "0.25000000010000001 at [0, 0]" in text


def test_the_learners_line_is_shown_with_its_neighbours() -> None:
    text = drawn(samples.STOPPED)
    assert "❯ 6 │     e = np.exp(scores - scores.max(axis=0, keepdims=True))" in text
    assert "  4 │ def softmax(scores):" in text


def test_a_traceback_shows_the_learners_frames_only() -> None:
    text = drawn(samples.REPORTS["raises"])
    assert "multi_head_attention.py:22, in split" in text
    assert "return x.reshape(B, T, h)" in text
    assert "ValueError: cannot reshape array of size 70" in text


def test_what_the_code_printed_cannot_steer_the_terminal() -> None:
    text = drawn(samples.STOPPED)
    assert "red text" in text
    assert "title" not in text


def test_a_flood_of_output_is_cut_with_a_mark() -> None:
    text = drawn(samples.MIXED)
    assert text.count("  hello") == 20
    assert "[... 60 more characters; all of them: --json]" in text


def test_a_wrong_exercise_comes_before_one_that_is_not_written() -> None:
    text = drawn(samples.MIXED)
    assert "✗ scaled_dot_product_attention: scaling" in text
    assert "also MultiHeadAttention: shapes, raises" in text


def test_an_exercise_that_is_not_written_says_where_to_write_it() -> None:
    text = drawn(samples.REPORTS["not-started"])
    assert "define it in causal_mask.py" in " ".join(text.split())


def test_an_unknown_bug_says_so_and_shows_no_card() -> None:
    bug = NamedBug("unrecognised", Match.UNKNOWN)
    check = CheckReport("values", Status.FAILED, "5 of 35 numbers differ", (bug,))
    text = drawn(samples.report(ExerciseReport("softmax", Status.FAILED, (check,))))
    assert "no bug in the catalogue gives these numbers" in text
    assert "what to do" not in text


def test_a_bug_without_a_line_says_that_it_has_none() -> None:
    bug = NamedBug("scale-missing", Match.EXACT)
    check = CheckReport("scaling", Status.FAILED, "every score is twice too large", (bug,))
    text = drawn(samples.report(ExerciseReport("attention_scores", Status.FAILED, (check,))))
    assert "The line could not be traced" in text


def test_in_a_notebook_lines_are_counted_cell_by_cell() -> None:
    bug = NamedBug("softmax-over-queries", Match.EXACT, "work.ipynb", 6)
    check = CheckReport("values", Status.FAILED, bugs=(bug,))
    report = samples.report(ExerciseReport("softmax", Status.FAILED, (check,)))
    shown = view(report, places=Places(cells=(Cell(1, 1), Cell(2, 4))))
    text = printed(replace(shown, sources={"work.ipynb": samples.SOFTMAX}))
    assert "cell 2, line 3" in text
    assert "❯ 3 │     e = np.exp(" in text


def test_terminals_that_have_links_get_one_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "softmax.py").write_text(samples.SOFTMAX)
    shown = view(samples.STOPPED, places=Places(folder=tmp_path))
    link = (tmp_path / "softmax.py").resolve().as_uri()
    assert link in printed(shown, force_terminal=True)
    assert link not in printed(shown)


@pytest.mark.parametrize(
    ("encoding", "signs"),
    [
        ("utf-8", glyphs.UNICODE),
        ("ascii", glyphs.ASCII),
        ("cp1252", glyphs.ASCII),
        ("no-such-encoding", glyphs.ASCII),
        (None, glyphs.ASCII),
    ],
)
def test_signs_follow_what_the_encoding_can_write(
    encoding: str | None, signs: glyphs.Glyphs
) -> None:
    assert glyphs.for_encoding(encoding) is signs


@pytest.mark.parametrize(("signs", "mark"), [(glyphs.UNICODE, "(✓)"), (glyphs.ASCII, "(ok)")])
def test_a_check_that_would_pass_is_told_from_one_that_is_not_reached(
    signs: glyphs.Glyphs, mark: str
) -> None:
    checks = (
        CheckReport("shapes", Status.PASSED),
        CheckReport("scaling", Status.FAILED, "twice too large"),
        CheckReport("causal", Status.SKIPPED, would_pass=True),
        CheckReport("values", Status.SKIPPED),
    )
    report = samples.report(ExerciseReport("SelfAttention", Status.FAILED, checks))
    text = printed(view(report, signs))
    [row] = [line for line in text.splitlines() if line.startswith("SelfAttention")]
    assert row.split()[-2:] == [mark, "-"]
    assert f"{mark} would pass" in text
    assert "- skipped" in text
