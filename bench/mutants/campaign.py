"""A mutant through the checks: killed, and by which name, or survived."""

from __future__ import annotations

import contextlib
import signal
import warnings
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from attnpack.pack.checks import stages

from attnpack import pack
from attnpack.calls import Task
from attnpack.host.inprocess import run_in_process
from attnpack.terms import Backend, Match, Status
from bench.mutants.mutate import Mutant, mutants

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from attnpack.calls import Transcript
    from attnpack.pack.kinds import Plan, Suspect, Verdict
    from attnpack.pack.texts import Exercise

SEED = 7291
PATIENCE_S = 20
NO_DIAGNOSIS = ("raises", "ends-process", "never-returns")


class Fate(StrEnum):
    """What came of a mutant."""

    NAMED = "named"
    """killed, and a bug of the catalogue reproduces its numbers or is recognised outright"""
    LIKELY = "likely"
    RAISED = "raised"
    """killed by an exception: the learner is shown it"""
    MISSHAPEN = "misshapen"
    """killed by its shape, its form or a missing matrix: the message says which"""
    NAMELESS = "nameless"
    SURVIVED = "survived"


@dataclass(frozen=True)
class Outcome:
    """One mutant and what the checks made of it."""

    exercise: str
    mutant: Mutant
    fate: Fate
    bugs: tuple[str, ...] = ()
    passes_short_form: bool = False


def campaign(backend: Backend, seed: int = SEED, names: Collection[str] = ()) -> Iterator[Outcome]:
    """Every mutant of the named solutions of a backend, or of all; each judged in its exercise."""
    for exercise in _written_in(backend):
        if names and exercise.name not in names:
            continue
        source = pack.load().reference_path(backend, exercise.file).read_text(encoding="utf-8")
        for mutant in mutants(source):
            yield outcome(backend, exercise, mutant, seed)


def _written_in(backend: Backend) -> list[Exercise]:
    return [exercise for exercise in pack.load().exercises if backend in exercise.backends]


def survives(backend: Backend, one: Outcome, seeds: int) -> bool:
    """Whether a mutant gives the right answer to fresh numbers, seed after seed."""
    exercise = next(e for e in pack.load().exercises if e.name == one.exercise)
    return all(
        outcome(backend, exercise, one.mutant, SEED + 1 + seed).fate is Fate.SURVIVED
        for seed in range(seeds)
    )


def outcome(backend: Backend, exercise: Exercise, mutant: Mutant, seed: int = SEED) -> Outcome:
    """One mutant through the checks and the short form, in this process."""
    known, rng = pack.load(), np.random.default_rng(seed)
    short = known.short_plan(exercise.name, backend, rng)
    passes = _failing(short, _asked(short, exercise, mutant)) is None
    plan = known.plan(exercise.name, backend, rng)
    transcript = _asked(plan, exercise, mutant)
    verdict = _failing(plan, transcript)
    if verdict is None:
        return Outcome(exercise.name, mutant, Fate.SURVIVED, passes_short_form=passes)
    suspects = known.diagnose(plan, transcript, verdict)
    ids = tuple(suspect.id for suspect in suspects)
    return Outcome(exercise.name, mutant, _fate(verdict, suspects[0]), ids, passes)


def _asked(plan: Plan, exercise: Exercise, mutant: Mutant) -> Transcript:
    backend = plan.backend.value
    written = _written_in(plan.backend)
    others = {e.file: pack.load().reference_path(backend, e.file) for e in written}
    sources = {file: path.read_text(encoding="utf-8") for file, path in others.items()}
    mutated = {**sources, exercise.file: mutant.source}
    task = Task(exercise.name, exercise.file, mutated, backend, plan.questions)
    with patience(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run_in_process(task)


def _failing(plan: Plan, transcript: Transcript) -> Verdict | None:
    verdicts = pack.load().judge(plan, transcript).verdicts
    return next((v for v in verdicts if v.status is not Status.PASSED), None)


def _fate(verdict: Verdict, first: Suspect) -> Fate:
    if first.id in NO_DIAGNOSIS:
        return Fate.RAISED
    by_match = {Match.EXACT: Fate.NAMED, Match.LIKELY: Fate.LIKELY}
    nameless = Fate.MISSHAPEN if verdict.stage == stages.SHAPES else Fate.NAMELESS
    return by_match.get(Match(first.match), nameless)


@contextlib.contextmanager
def patience() -> Iterator[None]:
    """Ends a mutant that loops, where the system has alarms."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise TimeoutError("the mutant does not return")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
