"""The labelled submissions of tests/cases, and what a run of the checks says of each.

`tests/cases/labels.json` names, for every file and every exercise, the status that is right, the
stages that may be the first to say so, the ids that are acceptable names, and the lines.
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnpack import submission as submissions
from attnpack.checking import runner
from attnpack.terms import Backend, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attnpack.checking.screening import ShortForm
    from attnpack.host.pool import GuestPool
    from attnpack.report.model import CheckReport, ExerciseReport, NamedBug, Report

FOLDER = Path(__file__).parent.parent / "tests" / "cases"
SEED = 7291
SHORT = runner.Limits(call_s=0.5, exercise_s=1.5)
"""for the cases that never return"""


@dataclass(frozen=True)
class Expected:
    """What the label says of one exercise."""

    case: str
    exercise: str
    statuses: tuple[Status, ...]
    """any of these is right"""
    stages: tuple[str, ...] = ()
    """any of these may be the first that did not pass"""
    bugs: tuple[str, ...] = ()
    """any of these is an acceptable first name"""
    together: tuple[str, ...] = ()
    """two ids that only together explain the numbers"""
    lines: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def wrong(self) -> bool:
        """Whether it must not pass."""
        return Status.PASSED not in self.statuses

    def __str__(self) -> str:
        """As a test's id."""
        return f"{self.case}-{self.exercise}"


@dataclass(frozen=True)
class Case:
    """One labelled submission."""

    name: str
    backend: Backend
    right: bool
    never_returns: bool
    expected: tuple[Expected, ...]

    @property
    def path(self) -> Path:
        """The learner's file."""
        return FOLDER / self.name

    def __str__(self) -> str:
        """As a test's id."""
        return self.name


def cases(backend: Backend | None = None) -> list[Case]:
    """Every labelled submission, or those of one backend, in the order of their names."""
    labels = json.loads((FOLDER / "labels.json").read_text(encoding="utf-8"))
    every = [_case(name, label) for name, label in sorted(labels.items())]
    return [case for case in every if backend in (None, case.backend)]


def check(
    case: Case, pool: GuestPool, seed: int = SEED, short_form: ShortForm | None = None
) -> Report:
    """What the checks say of the exercises that a case's label names, in guests of the pool."""
    return runner.check(
        submissions.load(case.path),
        backend=case.backend,
        seed=seed,
        exercises=[expected.exercise for expected in case.expected],
        keep_going=True,
        pool=pool,
        limits=SHORT if case.never_returns else None,
        short_form=short_form,
    )


def first_failing(exercise: ExerciseReport) -> CheckReport:
    """The stage that did not pass. Raises where all did."""
    failing = exercise.failing
    if failing is None:
        raise ValueError(f"{exercise.name} passed")
    return failing


def named_together(bugs: tuple[NamedBug, ...]) -> set[str]:
    """The ids that were named as a pair."""
    return {bug.id for bug in bugs if bug.together}


def faulty_lines(expected: Expected) -> range:
    """The lines of the definition that the label calls faulty."""
    tree = ast.parse((FOLDER / expected.case).read_bytes())
    named = [node for node in tree.body if getattr(node, "name", None) == expected.exercise]
    definition = named[-1]
    return range(definition.lineno, (definition.end_lineno or definition.lineno) + 1)


def _case(name: str, label: Mapping[str, Any]) -> Case:
    return Case(
        name,
        Backend(label["backend"]),
        label["right"],
        "timeout" in label.get("flags", ()),
        tuple(_expected(name, label["expect"])),
    )


def _expected(case: str, expect: Mapping[str, Mapping[str, Any]]) -> Iterator[Expected]:
    for exercise, label in expect.items():
        statuses = label.get("status_any_of", [label["status"]])
        yield Expected(
            case,
            exercise,
            tuple(Status(status) for status in statuses),
            tuple(label.get("stage_any_of", ())),
            tuple(label.get("bugs", ())),
            tuple(label.get("bugs_all", ())),
            tuple(label.get("lines", ())),
            tuple(label.get("notes", ())),
        )
