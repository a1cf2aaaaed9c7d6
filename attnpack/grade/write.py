"""Every output of a run, written beside its ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.report import (
    classroom,
    cohort,
    github,
    gradescope,
    junit,
    page,
    record,
    tables,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from attnpack.grade.results import Cohort, Result
    from attnpack.pack.texts import Bug

    Form = Callable[[Cohort, Result], str]

PER_SUBMISSION: dict[str, tuple[Form, str]] = {
    "reports": (record.record, ".json"),
    "gradescope": (gradescope.gradescope, ".json"),
    "classroom": (classroom.classroom, ".json"),
    "github": (github.log, ".txt"),
}
"""folder -> how one of its files is made, and its ending"""


def write_outputs(out: Path, results: Cohort, bugs: Mapping[str, Bug]) -> None:
    """Write all forms of all results; files of submissions that are gone are removed."""
    for folder, (form, suffix) in PER_SUBMISSION.items():
        texts = {f"{r.name}{suffix}": form(results, r) for r in results.results}
        _fill(out / folder, texts, suffix)
    pages = {f"{r.name}.html": page.feedback_page(results, r, bugs) for r in results.results}
    _fill(out / "feedback", pages, ".html")
    _put(out / "grades.csv", tables.grades(results))
    if results.roster.students:
        _put(out / "canvas.csv", tables.canvas(results))
        _put(out / "moodle.csv", tables.moodle(results))
    _put(out / "junit.xml", junit.junit(results))
    _put(out / "summary.md", github.summary(results))
    _put(out / "cohort.html", cohort.cohort_page(results, bugs))


def _fill(folder: Path, texts: Mapping[str, str], suffix: str) -> None:
    folder.mkdir(exist_ok=True)
    for path in folder.glob(f"*{suffix}"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        _put(folder / name, text)


def _put(path: Path, text: str) -> None:
    """Write whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, "utf-8", newline="\n")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
