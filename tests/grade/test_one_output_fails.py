"""Where attnpack fails at a page or a row, that one says so, and all else is written."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest

from attnpack.grade import results, write
from attnpack.report import cohort, github, junit, page, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

WRONG = "# fake: softmax failed values softmax-over-queries\n"
FILES = {"ada.py": "x = 1\n", "bob.py": WRONG, "cid.py": "x = 3\n"}
SCORES = {"ada.py": "7", "bob.py": "6", "cid.py": "7"}
STEMS = ["ada", "bob", "cid"]


def fails_for_bob(monkeypatch: pytest.MonkeyPatch, place: object, name: str) -> None:
    """A fault of our own that one submission meets."""
    ordinary = getattr(place, name)

    def faulty(*given: object, **named: object) -> object:
        for each in given:
            met = each["submission"] if isinstance(each, dict) else getattr(each, "submission", "")
            if met == "bob.py":
                raise KeyError("nobody thought of it")
        return ordinary(*given, **named)

    monkeypatch.setattr(place, name, faulty)


def rows(out: Path) -> dict[str, dict[str, str]]:
    text = (out / "grades.csv").read_text("utf-8-sig")
    return {row["submission"]: row for row in csv.DictReader(io.StringIO(text))}


def stems(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.iterdir())


def test_a_feedback_page_that_cannot_be_made_says_so(
    graded: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    fails_for_bob(monkeypatch, page, "student_view")
    out = graded(FILES)
    assert stems(out / "feedback") == STEMS
    bob = (out / "feedback" / "bob.html").read_text()
    assert "attnpack failed while it wrote this (KeyError)" in bob
    assert "6 of 7" in bob
    assert "attnpack failed" not in (out / "feedback" / "ada.html").read_text()
    assert {name: row["score"] for name, row in rows(out).items()} == SCORES
    assert (out / "cohort.html").exists()
    assert "KeyError: 'nobody thought of it'" in capfd.readouterr().err


@pytest.mark.parametrize("folder", write.PER_SUBMISSION)
def test_a_file_that_cannot_be_made_is_missing_and_is_named(
    graded: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    folder: str,
) -> None:
    form, suffix = write.PER_SUBMISSION[folder]

    def faulty(cohort: results.Cohort, result: results.Result) -> str:
        return form(cohort, result) if result.submission != "bob.py" else "\ud800"

    monkeypatch.setitem(write.PER_SUBMISSION, folder, (faulty, suffix))
    out = graded(FILES)
    assert stems(out / folder) == ["ada", "cid"]
    assert stems(out / "feedback") == STEMS
    assert rows(out).keys() == FILES.keys()
    told = capfd.readouterr()
    assert "UnicodeEncodeError" in told.err
    assert f"{folder}/bob{suffix}" in told.out


@pytest.mark.parametrize("name", ["grades.csv", "junit.xml", "summary.md", "cohort.html"])
def test_a_whole_file_that_cannot_be_made_is_named_and_the_others_are_written(
    graded: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    name: str,
) -> None:
    def faulty(*_: object) -> str:
        raise KeyError("nobody thought of it")

    place, form = {
        "grades.csv": (tables, "grades"),
        "junit.xml": (junit, "junit"),
        "summary.md": (github, "summary"),
        "cohort.html": (cohort, "cohort_page"),
    }[name]
    monkeypatch.setattr(place, form, faulty)
    out = graded(FILES)
    whole = {"grades.csv", "junit.xml", "summary.md", "cohort.html"}
    assert {path.name for path in out.iterdir()} & whole == whole - {name}
    assert stems(out / "feedback") == STEMS
    assert name in capfd.readouterr().out


@pytest.mark.parametrize(
    ("place", "part"),
    [(tables, "_grades_row"), (junit, "_suite"), (github, "_row"), (results, "relabelled")],
)
def test_one_row_that_cannot_be_made_costs_no_other(
    graded: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    place: object,
    part: str,
) -> None:
    if part == "relabelled":  # it is given the report and the name
        ordinary = results.relabelled

        def faulty(report, submission, shown):  # type: ignore[no-untyped-def]
            if submission == "bob.py":
                raise KeyError("nobody thought of it")
            return ordinary(report, submission, shown)

        monkeypatch.setattr(results, part, faulty)
    else:
        fails_for_bob(monkeypatch, place, part)
    out = graded(FILES)
    found = rows(out)
    assert list(found) == list(FILES)
    assert (found["ada.py"]["score"], found["cid.py"]["score"]) == ("7", "7")
    for name in ("junit.xml", "summary.md", "cohort.html"):
        text = (out / name).read_text()
        assert all(stem in text for stem in STEMS), name
    assert "KeyError" in capfd.readouterr().err


def test_a_row_that_cannot_be_made_keeps_its_mark(
    graded: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    fails_for_bob(monkeypatch, tables, "_grades_row")
    bob = rows(graded(FILES))["bob.py"]
    assert (bob["score"], bob["max_score"], bob["status"]) == ("6", "7", "failed")
    assert "attnpack failed while it wrote this" in bob["problem"]
    capfd.readouterr()


def test_a_section_of_the_cohort_that_cannot_be_made_says_so(
    graded: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def faulty(*_: object) -> Iterator[object]:
        raise KeyError("nobody thought of it")

    monkeypatch.setattr(cohort.statistics, "problems", faulty)
    text = (graded(FILES) / "cohort.html").read_text()
    assert "attnpack failed while it wrote this (KeyError)" in text
    assert "Pass rate per exercise and check" in text
    assert "All submissions" in text
    capfd.readouterr()
