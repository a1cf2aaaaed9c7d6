"""The report: one object from which every renderer draws. Schema `attnpack.report/1`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from attnpack.pack.kinds import Note
from attnpack.terms import Match, Proof, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from attnpack.calls import Raised
    from attnpack.pack.kinds import Comparison

SCHEMA = "attnpack.report/1"


@dataclass(frozen=True)
class Spot:
    """The expression at fault in its line, and how it is known."""

    column: int
    """of its first character; columns count from 1"""
    end_column: int
    """the one after its last character in that line"""
    expression: str
    """as it stands there, on one line"""
    proof: Proof
    answers: int = 0
    """with `replaced`: how many answers are right with the right value there: all of them"""


@dataclass(frozen=True)
class NamedBug:
    """A diagnosis: one bug id and where it sits. Bugs that are `together` explain it together."""

    id: str
    match: Match
    file: str | None = None
    line: int | None = None
    together: bool = False
    spot: Spot | None = None


@dataclass(frozen=True)
class CheckReport:
    """One stage of one exercise."""

    stage: str
    status: Status
    message: str = ""
    bugs: tuple[NamedBug, ...] = ()
    comparison: Comparison | None = None
    raised: Raised | None = None
    probe: str | None = None
    """the key of the failing probe, for `repro` and `debug`"""
    advice: str = ""
    """what to do, where the card of the bug says it less well"""
    caret: tuple[int, int] | None = None
    """columns of the traceback's last line that Python could not read"""
    would_pass: bool = False
    """of a stage that is skipped since an earlier one did not pass: it would have"""


@dataclass(frozen=True)
class ExerciseReport:
    """One exercise: its stages in order, what it printed, what stood in for earlier ones."""

    name: str
    status: Status
    checks: tuple[CheckReport, ...] = ()
    stand_ins: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    output: str = ""
    skipped_because: str | None = None
    file: str | None = None
    """the file that defines it"""
    line: int | None = None
    """where its definition starts"""
    chapter: str = ""
    """of the pack"""

    @property
    def failing(self) -> CheckReport | None:
        """The first stage that did not pass."""
        for check in self.checks:
            if check.status in (Status.FAILED, Status.ERROR, Status.NOT_STARTED):
                return check
        return None


@dataclass(frozen=True)
class Report:
    """The outcome of checking one submission."""

    attnpack: str
    pack: str | Callable[[], str]
    """the hash of the pack, or what computes it: it takes time, and only JSON holds it"""
    isolation: str
    submission: str
    backend: str
    seed: int
    exercises: tuple[ExerciseReport, ...] = field(default=())

    @property
    def passed(self) -> bool:
        """Every exercise asked for passed."""
        return bool(self.exercises) and all(e.status is Status.PASSED for e in self.exercises)

    @property
    def score(self) -> float:
        """The share of exercises passed, 0 to 1."""
        if not self.exercises:
            return 0.0
        return sum(e.status is Status.PASSED for e in self.exercises) / len(self.exercises)

    def to_json(self) -> dict[str, Any]:
        """The report as `check --json` prints it (CONTRACT: docs/report.md)."""
        return {
            "schema": SCHEMA,
            "attnpack": self.attnpack,
            "pack": self.pack if isinstance(self.pack, str) else self.pack(),
            "isolation": self.isolation,
            "submission": self.submission,
            "backend": self.backend,
            "seed": self.seed,
            "passed": self.passed,
            "score": round(self.score, 3),
            "exercises": [_exercise(e) for e in self.exercises],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Report:
        """The report that `to_json` wrote, as far as it was written."""
        return cls(
            attnpack=data["attnpack"],
            pack=data["pack"],
            isolation=data["isolation"],
            submission=data["submission"],
            backend=data["backend"],
            seed=data["seed"],
            exercises=tuple(_read_exercise(e) for e in data["exercises"]),
        )


def _exercise(exercise: ExerciseReport) -> dict[str, Any]:
    return {
        "name": exercise.name,
        "chapter": exercise.chapter,
        "status": exercise.status.value,
        "stand_ins": list(exercise.stand_ins),
        "notes": [note.id for note in exercise.notes],
        "note_details": [_note(note) for note in exercise.notes],
        "output": exercise.output,
        "skipped_because": exercise.skipped_because,
        "checks": [_check(c) for c in exercise.checks],
    }


def _note(note: Note) -> dict[str, Any]:
    return {"id": note.id, "text": note.text, "file": note.file, "line": note.line}


def _check(check: CheckReport) -> dict[str, Any]:
    said: dict[str, Any] = {
        "stage": check.stage,
        "status": check.status.value,
        "message": check.message,
        "bugs": [_bug(b) for b in check.bugs],
    }
    if check.would_pass:
        said["would_pass"] = True
    return said


def _bug(bug: NamedBug) -> dict[str, Any]:
    named: dict[str, Any] = {
        "id": bug.id,
        "match": bug.match.value,
        "file": bug.file,
        "line": bug.line,
    }
    if bug.together:
        named["together"] = True
    if bug.spot is not None:
        named |= {
            "column": bug.spot.column,
            "end_column": bug.spot.end_column,
            "expression": bug.spot.expression,
            "proof": bug.spot.proof.value,
            "right_with_it": bug.spot.answers,
        }
    return named


def _read_exercise(data: Mapping[str, Any]) -> ExerciseReport:
    return ExerciseReport(
        name=data["name"],
        status=Status(data["status"]),
        checks=tuple(_read_check(c) for c in data["checks"]),
        stand_ins=tuple(data["stand_ins"]),
        notes=tuple(Note(**note) for note in data["note_details"]),
        output=data["output"],
        skipped_because=data["skipped_because"],
        chapter=data.get("chapter", ""),
    )


def _read_check(data: Mapping[str, Any]) -> CheckReport:
    return CheckReport(
        stage=data["stage"],
        status=Status(data["status"]),
        message=data["message"],
        bugs=tuple(_read_bug(b) for b in data["bugs"]),
        would_pass=data.get("would_pass", False),
    )


def _read_bug(data: Mapping[str, Any]) -> NamedBug:
    return NamedBug(
        id=data["id"],
        match=Match(data["match"]),
        file=data["file"],
        line=data["line"],
        together=data.get("together", False),
        spot=_read_spot(data) if data.get("column") else None,
    )


def _read_spot(data: Mapping[str, Any]) -> Spot:
    proof = Proof(data["proof"])
    answers = data.get("right_with_it", 0)
    return Spot(data["column"], data["end_column"], data["expression"], proof, answers)
