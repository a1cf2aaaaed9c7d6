"""What attnpack says of an unseen submission, asked in this process."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from fragments import ORDER

from attnpack import pack
from attnpack.calls import Task
from attnpack.checking.searching import searched
from attnpack.host.inprocess import run_in_process
from attnpack.pack.kinds import Source
from attnpack.terms import Backend, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fragments import Unseen

    from attnpack.pack.kinds import Suspect, Verdict

FILE = "attention.py"


@dataclass(frozen=True)
class Said:
    """What did not pass, and the names given."""

    failing: dict[str, Verdict]
    suspects: Sequence[Suspect]

    def right(self, case: Unseen) -> bool:
        """Only the faulty exercise fails, and the name is right."""
        return list(self.failing) == [case.exercise] and self.named(case)

    def line(self, case: Unseen) -> bool:
        """The first suspect's line is one of the bug's."""
        return bool(self.suspects) and self.suspects[0].line in case.lines

    def named(self, case: Unseen) -> bool:
        """The first name is acceptable; of a pair, both are named."""
        ids = [suspect.id for suspect in self.suspects]
        if not ids or ids[0] not in case.ids:
            return False
        together = {suspect.id for suspect in self.suspects if suspect.together}
        return all(together & set(names) for names in case.together)


def passes_short_form(case: Unseen, seed: int = 0) -> bool:
    """Whether grading would ask the faulty exercise nothing else."""
    load = pack.load()
    plan = load.short_plan(case.exercise, Backend(case.backend), np.random.default_rng(seed))
    sources = {FILE: case.source}
    task = Task(case.exercise, FILE, sources, case.backend, plan.questions)
    verdicts = load.judge(plan, run_in_process(task)).verdicts
    return all(verdict.status is Status.PASSED for verdict in verdicts)


def ask(case: Unseen, *, seed: int = 0, only_faulty: bool = False, traced: bool = False) -> Said:
    """Judge the exercises in order and diagnose the faulty one; `traced` finds its place too."""
    load = pack.load()
    failing: dict[str, Verdict] = {}
    stand_ins: dict[str, str] = {}
    suspects: Sequence[Suspect] = ()
    for exercise in load.exercises:
        if only_faulty and exercise.name != case.exercise:
            continue
        rng = np.random.default_rng([seed, zlib.crc32(exercise.name.encode())])
        plan = load.plan(exercise.name, Backend(case.backend), rng)
        sources = {FILE: case.source}
        task = Task(
            exercise.name,
            FILE,
            sources,
            case.backend,
            plan.questions,
            stand_ins=stand_ins,
        )
        transcript = run_in_process(task)
        verdicts = load.judge(plan, transcript).verdicts
        verdict = next((v for v in verdicts if v.status is not Status.PASSED), None)
        if verdict is None:
            continue
        failing[exercise.name] = verdict
        reference = pack.load().reference_path(case.backend, exercise.file)
        stand_ins = {**stand_ins, exercise.name: reference.read_text(encoding="utf-8")}
        if exercise.name == case.exercise:
            others = {name: FILE for name in ORDER if name != exercise.name}
            source = Source(sources, FILE, others)
            suspects = load.diagnose(plan, transcript, verdict, source)
            if traced:
                questions = tuple(load.trace_plan(plan, transcript, verdict, suspects))
                again = run_in_process(replace(task, questions=questions))
                suspects = load.locate(plan, transcript, again, verdict, suspects, source)
                search = load.places(plan, transcript, verdict, suspects, source)
                suspects = searched(search, task, run_in_process)
    return Said(failing, suspects)
