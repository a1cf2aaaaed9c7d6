"""In a worker: one submission judged, and what the cohort's page needs of it."""

from __future__ import annotations

import hashlib
import io
import json
import re
import time
import tokenize
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from attnpack import pack as packs
from attnpack.checking import own_faults
from attnpack.grade.archive import UnreadableError
from attnpack.grade.fingerprints import fingerprints
from attnpack.grade.jobs import InfrastructureFaultError, Job, Judged
from attnpack.grade.loading import load_with_names
from attnpack.grade.ready_made import hints
from attnpack.grade.relabel import relabelled, renamed
from attnpack.grade.similar import shapes_of
from attnpack.grade.withholding import withheld
from attnpack.submission import forget
from attnpack.terms import UNRECOGNISED, Backend, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from attnpack.grade.choosing import Chosen
    from attnpack.pack import Pack
    from attnpack.report.model import CheckReport, ExerciseReport, NamedBug, Report
    from attnpack.submission import Submission
    from attnpack.submission.notebook import Cell


_PLACE = re.compile(r"\(([^()\n]{1,200}?\.ipynb(?: \(cell \d+\))?), line (\d{1,9})")
Found = TypeVar("Found")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{8,16}\b")


class Judge(Protocol):
    """Checks submissions one after the other."""

    def check(
        self,
        submission: Submission,
        backend: Backend,
        seed: int,
        exercises: Sequence[str] | None,
        short_seed: int | None = None,
    ) -> Report:
        """Judge one submission, with a short form where there is a seed for one.

        Raises InfrastructureFaultError.
        """
        ...

    def close(self) -> None:
        """End what it started."""
        ...


def judge_job(judge: Judge, job: Job) -> Judged:
    """Load and judge one submission."""
    wall, cpu = time.perf_counter(), time.process_time()
    judged = _fenced(judge, job, packs.load(job.pack))
    forget()  # the next submission is another text: memory stays flat
    return replace(judged, wall_s=time.perf_counter() - wall, cpu_s=time.process_time() - cpu)


def _fenced(judge: Judge, job: Job, pack: Pack) -> Judged:
    """A failure of attnpack's own costs this submission its mark, and us a report; never the run.

    Raises InfrastructureFaultError: the machine's failures are worth another try.
    """
    try:
        chosen = load_with_names(job.files, pack)
        return _with_own_names(_judged(judge, chosen.submission, job), chosen)
    except UnreadableError as error:
        return Judged(None, problem=str(error))
    except InfrastructureFaultError:
        raise
    except Exception as error:  # noqa: BLE001  whatever a submission makes go wrong is its own
        return Judged(None, problem=own_faults.tell(error, f"submission {job.submission}"))


def _judged(judge: Judge, submission: Submission, job: Job) -> Judged:
    """All but the times."""
    backend = Backend(job.backend) if job.backend else submission.backend
    asked = _asked_of(submission, backend, job.exercises)
    checked = judge.check(submission, backend, job.seed, asked, job.short_seed)
    report = withheld(_steady(checked), submission)
    started = [e.name for e in report.exercises if e.status is not Status.NOT_STARTED]
    return Judged(
        report=report,
        lines=_or(submission, {}, lambda: dict(_named_lines(report, submission.sources))),
        clusters=_or(submission, {}, lambda: _clusters(judge, submission, job, report)),
        shapes=_or(submission, {}, lambda: shapes_of(submission.sources.values(), started)),
        fingerprints=_or(submission, (), lambda: fingerprints(submission.needed.values())),
        notes=_or(submission, (), lambda: submission.remarks),
        details=_or(submission, {}, lambda: _details(report, submission)),
    )


def _details(report: Report, submission: Submission) -> Mapping[str, Mapping[str, Any]]:
    if report.passed:
        return {}
    from attnpack.grade.details import details

    return details(report, submission)


def _or(submission: Submission, nothing: Found, find: Callable[[], Found]) -> Found:
    """What a page would like to know, no mark hangs on it: nothing, where attnpack fails at it."""
    try:
        return find()
    except InfrastructureFaultError:
        raise
    except Exception as error:  # noqa: BLE001  as above
        own_faults.tell(error, submission.name)
        return nothing


def _with_own_names(judged: Judged, chosen: Chosen) -> Judged:
    """By the student's names for the files; in notebooks by cell, and the line in it."""
    if judged.report is None:
        return judged
    cells = chosen.submission.cells
    placed = _by_cell(judged.report, cells) if cells else judged.report
    lines = {}
    for place, text in judged.lines.items():
        file, _, number = place.rpartition(":")
        file, line = in_cell(file, int(number), cells)
        lines[f"{renamed(file, chosen.shown)}:{line}"] = text
    report = relabelled(placed, placed.submission, chosen.shown)

    def worded(file: str, number: int) -> str:
        file, line = in_cell(file, number, cells)
        return f"{renamed(file, chosen.shown)}, line {line}"

    found: tuple[str, ...] = ()
    if placed.backend == Backend.TORCH:
        own = chosen.submission
        found = _or(own, (), lambda: hints(own.sources, worded))
    return replace(judged, report=report, lines=lines, hints=found)


def _by_cell(report: Report, cells: Sequence[Cell]) -> Report:
    exercises = tuple(
        replace(exercise, checks=tuple(_check_by_cell(check, cells) for check in exercise.checks))
        for exercise in report.exercises
    )
    return replace(report, exercises=exercises)


def _check_by_cell(check: CheckReport, cells: Sequence[Cell]) -> CheckReport:
    def moved(bug: NamedBug) -> NamedBug:
        if not (bug.file and bug.line):
            return bug
        file, line = in_cell(bug.file, bug.line, cells)
        return replace(bug, file=file, line=line)

    def said(found: re.Match[str]) -> str:
        file, line = in_cell(found[1], int(found[2]), cells)
        return f"({file}, line {line}"

    message = _PLACE.sub(said, check.message)
    return replace(check, message=message, bugs=tuple(map(moved, check.bugs)))


def in_cell(file: str, line: int, cells: Sequence[Cell]) -> tuple[str, int]:
    """`work.ipynb` and a line of all its code, as `work.ipynb (cell 3)` and a line of that cell."""
    name = file.partition(" (")[0]
    if name.endswith(".ipynb"):
        for cell in reversed(cells):
            if line >= cell.first_line:
                return f"{name} (cell {cell.number})", line - cell.first_line + 1
    return file, line


def _asked_of(
    submission: Submission, backend: Backend, names: Sequence[str] | None
) -> list[str] | None:
    """Those of the exercises that can be written in this backend: the others earn nothing."""
    if names is None:
        return None
    return [name for name in names if backend in submission.pack.exercise(name).backends]


def _steady(report: Report) -> Report:
    """Without memory addresses in the learner's texts: they differ from process to process."""
    exercises = tuple(
        replace(
            exercise,
            output=_ADDRESS.sub("0x…", exercise.output),
            checks=tuple(
                replace(check, message=_ADDRESS.sub("0x…", check.message))
                for check in exercise.checks
            ),
        )
        for exercise in report.exercises
    )
    return replace(report, exercises=exercises)


def _clusters(judge: Judge, submission: Submission, job: Job, report: Report) -> dict[str, str]:
    """Failures that no bug explains, judged again with the cohort's common numbers."""
    puzzling = [e.name for e in report.exercises if _is_unrecognised(e.failing)]
    if not puzzling:
        return {}
    again = judge.check(submission, Backend(report.backend), job.common_seed, puzzling)
    return {
        exercise.name: _fingerprint(exercise)
        for exercise in again.exercises
        if exercise.name in puzzling and exercise.failing
    }


def _is_unrecognised(failing: CheckReport | None) -> bool:
    return failing is not None and any(bug.id == UNRECOGNISED for bug in failing.bugs)


def _fingerprint(exercise: ExerciseReport) -> str:
    """Equal for equal wrong numbers, to six digits."""
    facts: list[Any] = [exercise.name]
    for check in exercise.checks:
        facts += [check.stage, check.status.value]
        if check.comparison:
            compared = (each.name for each in fields(check.comparison) if each.compare)
            facts += [_rounded(getattr(check.comparison, name)) for name in compared]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:12]


def _rounded(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value


def _named_lines(report: Report, sources: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The learner's lines that the diagnoses point to."""
    for exercise in report.exercises:
        for check in exercise.checks:
            for bug in check.bugs:
                if bug.file and bug.file in sources and bug.line:
                    lines = sources[bug.file].splitlines()
                    if bug.line <= len(lines):
                        text = _without_comment(lines[bug.line - 1].strip())
                        yield f"{bug.file}:{bug.line}", text[:200]


def _without_comment(line: str) -> str:
    """The code of a line; its comment may name the student."""
    end = len(line)
    try:
        for token in tokenize.generate_tokens(io.StringIO(line).readline):
            if token.type == tokenize.COMMENT:
                end = min(end, token.start[1])
    except (tokenize.TokenError, SyntaxError):
        pass  # a line out of a longer statement: what was read of it counts
    return line[:end].rstrip()
