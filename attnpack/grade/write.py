"""Every output of a run, written beside its ledger."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from attnpack.checking import own_faults
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
    from collections.abc import Callable, Iterator, Mapping
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


def write_outputs(out: Path, results: Cohort, bugs: Mapping[str, Bug]) -> tuple[str, ...]:
    """Write all forms of all results, the marks first; files of what is gone are removed.

    Where attnpack fails at one of them, that is told and ends no other. Gives the names of the
    files that are missing for it.
    """
    written = [_write(out, name, partial(form, results)) for name, form in _marks(results)]
    for folder, (form, suffix) in PER_SUBMISSION.items():
        forms = {f"{r.name}{suffix}": partial(form, results, r) for r in results.results}
        written += _fill(out, folder, forms, suffix)
    pages = {f"{r.name}.html": partial(_feedback, results, r, bugs) for r in results.results}
    written += _fill(out, "feedback", pages, ".html")
    written += [
        _write(out, "junit.xml", lambda: junit.junit(results)),
        _write(out, "summary.md", lambda: github.summary(results)),
        _write(out, "cohort.html", lambda: cohort.cohort_page(results, bugs)),
    ]
    return tuple(name for name in written if name)


def _marks(results: Cohort) -> Iterator[tuple[str, Callable[[Cohort], str]]]:
    yield "grades.csv", tables.grades
    if results.roster.students:
        yield "canvas.csv", tables.canvas
        yield "moodle.csv", tables.moodle


def _feedback(results: Cohort, result: Result, bugs: Mapping[str, Bug]) -> str:
    return own_faults.fenced(
        lambda: page.feedback_page(results, result, bugs),
        lambda said: page.unmade_page(results, result, said),
        result.submission,
    )


def _fill(
    out: Path, folder: str, forms: Mapping[str, Callable[[], str]], suffix: str
) -> Iterator[str]:
    """Write a folder's files and remove what is none of them; the names of those missing."""
    (out / folder).mkdir(exist_ok=True)
    for path in (out / folder).glob(f"*{suffix}"):
        if path.name not in forms:
            path.unlink()
    for name, form in forms.items():
        yield _write(out, f"{folder}/{name}", form)


def _write(out: Path, name: str, form: Callable[[], str]) -> str:
    """Write one file. Where attnpack fails to make it there is none: its name is given back."""
    made = own_faults.fenced(lambda: form().encode(), lambda _: None, name)
    if made is None:
        (out / name).unlink(missing_ok=True)
        return name
    _put(out / name, made)
    return ""


def _put(path: Path, content: bytes) -> None:
    """Write whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
