"""What the checks say of a right submission beyond what it has earned."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attnpack import pack
from attnpack.calls import Task
from attnpack.host.inprocess import run_in_process
from attnpack.terms import Backend, Status

if TYPE_CHECKING:
    from variants import Combined


@dataclass(frozen=True)
class Alarm:
    """What was wrongly said of one exercise of a right submission."""

    backend: str
    seed: int
    exercise: str
    variant: str
    beside: str
    said: str

    def __str__(self) -> str:
        return (
            f"{self.backend} seed {self.seed} {self.exercise}\n"
            f"    variant: {self.variant}\n    beside:  {self.beside}\n    said:    {self.said}"
        )


def alarms(combined: Combined, exercise: str, seed: int) -> list[Alarm]:
    """A stage that does not pass, a note not earned, a note earned and not given."""
    variant = combined.variant(exercise)
    beside = " | ".join(f"{s}: {combined.variant(s).name}" for s in variant.siblings)
    said = _said(combined, exercise, variant.backend, seed)
    return [Alarm(variant.backend, seed, exercise, variant.name, beside, each) for each in said]


def _said(combined: Combined, exercise: str, backend: str, seed: int) -> list[str]:
    rng = np.random.default_rng([seed, zlib.crc32(exercise.encode())])
    plan = pack.load().plan(exercise, Backend(backend), rng)
    task = Task(exercise, combined.entry(exercise), combined.sources, backend, plan.questions)
    transcript = run_in_process(task)
    judgement = pack.load().judge(plan, transcript)
    said = [
        f"{verdict.stage} {verdict.status}: {verdict.message}"
        for verdict in judgement.verdicts
        if verdict.status not in (Status.PASSED, Status.SKIPPED)
    ]
    noted = {note.id for note in judgement.notes}
    said += [f"noted: {note}" for note in sorted(noted - combined.allowed_notes(exercise))]
    expected = combined.variant(exercise).notes
    return said + [f"not noted: {note}" for note in sorted(expected - noted)]
