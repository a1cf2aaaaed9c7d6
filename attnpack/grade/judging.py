"""One submission judged: what goes to a judge, what comes back, all of it plain data."""

from __future__ import annotations

import hashlib
import io
import json
import time
import tokenize
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from attnpack.grade.similar import shapes_of
from attnpack.report.model import Report
from attnpack.terms import UNRECOGNISED, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from attnpack.report.model import CheckReport, ExerciseReport


@dataclass(frozen=True)
class Job:
    """One submission to judge."""

    submission: str
    """the SHA-256 of its sources"""
    form: str
    """folder, file or notebook"""
    sources: Mapping[str, str]
    entries: Mapping[str, str]
    """exercise -> the file that defines it"""
    cells: Sequence[Sequence[int]]
    """of a notebook: number and first line of each cell"""
    backend: str
    seed: int
    common_seed: int
    """the same for the whole cohort: with it, equal wrong code gives equal wrong numbers"""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Job:
        """From `to_json`."""
        return cls(**data)


@dataclass(frozen=True)
class Judged:
    """What came of a job."""

    report: Report
    wall_s: float
    cpu_s: float
    lines: Mapping[str, str] = field(default_factory=dict)
    """ "file:line" -> the learner's line that a diagnosis points to, without its comment"""
    clusters: Mapping[str, str] = field(default_factory=dict)
    """exercise -> fingerprint of its wrong numbers, for failures no bug explains"""
    shapes: Mapping[str, str] = field(default_factory=dict)
    """exercise -> hash of its definition up to names and layout"""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "report": self.report.to_json(),
            "wall_s": round(self.wall_s, 4),
            "cpu_s": round(self.cpu_s, 4),
            "lines": dict(self.lines),
            "clusters": dict(self.clusters),
            "shapes": dict(self.shapes),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Judged:
        """From `to_json`."""
        return cls(**{**data, "report": Report.from_json(data["report"])})


@dataclass(frozen=True)
class Settings:
    """How a judge is to be made, on this machine or on another."""

    factory: str
    """MODULE:FUNCTION, called with these settings"""
    require: str | None = None
    """the weakest isolation tier to judge under"""
    deadline_s: float | None = None
    """CPU seconds for one call of the learner's code"""

    def to_json(self) -> str:
        """As one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Settings:
        """From `to_json`."""
        return cls(**json.loads(text))


class InfrastructureFaultError(Exception):
    """The machine or attnpack failed, not the submission: the job may be tried again."""


class Judge(Protocol):
    """Checks submissions one after the other."""

    def check(self, job: Job, seed: int, exercises: Sequence[str] | None) -> Report:
        """Judge one submission; raises InfrastructureFaultError."""
        ...

    def close(self) -> None:
        """End what it started."""
        ...


def judge_job(judge: Judge, job: Job) -> Judged:
    """Judge one submission and gather what the cohort's page needs of it."""
    wall, cpu = time.perf_counter(), time.process_time()
    report = judge.check(job, job.seed, None)
    clusters = _clusters(judge, job, report)
    started = [e.name for e in report.exercises if e.status is not Status.NOT_STARTED]
    return Judged(
        report=report,
        wall_s=time.perf_counter() - wall,
        cpu_s=time.process_time() - cpu,
        lines=dict(_named_lines(report, job.sources)),
        clusters=clusters,
        shapes=shapes_of(job.sources.values(), started),
    )


def _clusters(judge: Judge, job: Job, report: Report) -> dict[str, str]:
    """Failures that no bug explains, judged again with the cohort's common numbers."""
    puzzling = [e.name for e in report.exercises if _is_unrecognised(e.failing)]
    if not puzzling:
        return {}
    again = judge.check(job, job.common_seed, puzzling)
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
            facts += [_rounded(value) for value in asdict(check.comparison).values()]
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
