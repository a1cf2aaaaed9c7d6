"""One exercise of a lone file, judged, diagnosed and located in this process."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from textwrap import dedent
from typing import TYPE_CHECKING

import numpy as np

from attnpack import pack
from attnpack.calls import Task
from attnpack.checking.searching import searched
from attnpack.host.inprocess import run_in_process
from attnpack.pack.kinds import Source
from attnpack.terms import Backend, Stage, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.pack.kinds import Suspect

FILE = "attention.py"


@dataclass(frozen=True)
class Outcome:
    """What is said of one exercise."""

    stage: Stage | None
    status: Status
    message: str
    notes: set[str]
    suspects: Sequence[Suspect]
    text: str

    @property
    def name(self) -> str:
        """The first name."""
        return self.suspects[0].id

    @property
    def line(self) -> str:
        """The text of the line that is blamed."""
        number = self.suspects[0].line
        return "" if number is None else self.text.splitlines()[number - 1].strip()


def submit(
    text: str, exercise: str, backend: str, seed: int = 0, *, placed: bool = True
) -> Outcome:
    """Judge, and where it fails also name and locate; not `placed`: the name is enough."""
    text = dedent(text)
    load = pack.load()
    rng = np.random.default_rng([seed, zlib.crc32(exercise.encode())])
    plan = load.plan(exercise, Backend(backend), rng)
    transcript = run_in_process(_task(text, exercise, backend, plan.questions))
    judgement = load.judge(plan, transcript)
    notes = {note.id for note in judgement.notes}
    first = next((v for v in judgement.verdicts if v.status is not Status.PASSED), None)
    if first is None:
        return Outcome(None, Status.PASSED, "", notes, (), text)
    others = {each.name: FILE for each in load.exercises if each.name != exercise}
    source = Source({FILE: text}, FILE, others)
    suspects = load.diagnose(plan, transcript, first, source)
    if not placed:
        return Outcome(first.stage, first.status, first.message, notes, suspects, text)
    questions = tuple(load.trace_plan(plan, transcript, first, suspects))
    traced = run_in_process(_task(text, exercise, backend, questions)) if questions else transcript
    suspects = load.locate(plan, transcript, traced, first, suspects, source)
    task = _task(text, exercise, backend, ())
    search = load.places(plan, transcript, first, suspects, source)
    suspects = searched(search, task, run_in_process)
    return Outcome(first.stage, first.status, first.message, notes, suspects, text)


def _task(text: str, exercise: str, backend: str, questions: Sequence[object]) -> Task:
    return Task(exercise, FILE, {FILE: text}, backend, tuple(questions))  # type: ignore[arg-type]
