"""Exercises in order: ask a guest, judge, diagnose, locate.

The guest warms up while the host imports numpy; the next exercise's questions are under way
while this one is judged. What an exercise takes from an earlier one that did not pass comes
from the reference, in a fresh guest.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from attnpack import __version__
from attnpack.calls import Answer, Outcome, Task, Transcript
from attnpack.checking import own_faults, reporting
from attnpack.checking.patience import asked_again
from attnpack.checking.searching import Found, searched
from attnpack.errors import BadInputError, OwnFaultError, StoppedError
from attnpack.host.pool import GuestPool, Running, open_pool
from attnpack.pack.kinds import Source
from attnpack.report.model import ExerciseReport, Report
from attnpack.terms import Backend, Status

if TYPE_CHECKING:
    from attnpack.calls import Question
    from attnpack.checking.screening import Passed, ShortForm
    from attnpack.pack import Pack
    from attnpack.pack.kinds import Ask, Change, Judgement, Plan, Suspect, Verdict
    from attnpack.pack.texts import Exercise
    from attnpack.submission import Submission
    from attnpack.terms import Backend

PROCESS = "process"
AHEAD = 2
"""exercises whose questions are under way while an earlier one is judged"""

OnExercise = Callable[[ExerciseReport], None]


class GuestFaultError(OwnFaultError):
    """A guest could not do its work through no fault of the learner's: worth another try."""


class Purpose(StrEnum):
    """What a check is for."""

    LEARNING = "learning"
    """a call that ran out of time has its verdict; where attnpack fails, it says so and ends"""
    MARKING = "marking"
    """a mark hangs on it: such a call is asked again, alone, and where attnpack fails on an
    exercise, that one is an error and the others are judged"""


@dataclass(frozen=True)
class Limits:
    """Deadlines in seconds of the guest's processor time."""

    call_s: float = 5.0
    exercise_s: float = 20.0
    purpose: Purpose = Purpose.LEARNING


PATIENCE = Limits(call_s=1.0, exercise_s=6.0)
"""with what is tried in search of a place: what computes for longer is given up"""


def check(
    submission: Submission,
    *,
    backend: Backend,
    seed: int,
    exercises: Sequence[str] | None = None,
    keep_going: bool = False,
    on_exercise: OnExercise | None = None,
    pool: GuestPool | None = None,
    isolation: str = PROCESS,
    limits: Limits | None = None,
    short_form: ShortForm | None = None,
) -> Report:
    """Check a submission: these exercises, or those of the chapters that it is about.

    Guests are taken from the given pool, which stays open; without one, a pool is opened here and
    closed. `on_exercise` is called with the report of each exercise as soon as it is there. With
    a short form, an exercise that passes it is asked nothing else (screening.py).

    Raises BadInputError for an exercise that there is not, GuestFaultError where a guest failed
    for reasons of its own.
    """
    with nullcontext(pool) if pool is not None else open_pool(backend) as guests:
        checking = Checking(submission, backend, seed, guests, limits or Limits(), short_form)
        reports = checking.run(exercises, keep_going=keep_going, on_exercise=on_exercise)
    return Report(
        attnpack=__version__,
        pack=submission.pack.fingerprint,
        isolation=isolation,
        submission=submission.name,
        backend=backend.value,
        seed=seed,
        exercises=tuple(reports),
    )


@dataclass
class Judged:
    """What was asked of one exercise, its answers, and the first failure among them."""

    plan: Plan
    transcript: Transcript
    verdict: Verdict | None
    """the first that did not pass"""
    suspects: Sequence[Suspect] = ()


@dataclass
class Checking:
    """A submission being checked: what was asked, and how each exercise ended."""

    submission: Submission
    backend: Backend
    seed: int
    guests: GuestPool
    limits: Limits
    short_form: ShortForm | None = None
    outcomes: dict[str, Judged] = field(default_factory=dict)
    _status: dict[str, Status] = field(default_factory=dict)
    _plans: dict[str, Plan] = field(default_factory=dict)
    _begun: dict[str, Running] = field(default_factory=dict)
    _screened: dict[str, Passed] = field(default_factory=dict)

    def run(
        self,
        names: Sequence[str] | None,
        *,
        keep_going: bool,
        on_exercise: OnExercise | None = None,
    ) -> list[ExerciseReport]:
        """The reports of the exercises asked for, in the pack's order; of all, where none is named.

        What they use of earlier exercises is judged too, and not reported. Raises BadInputError
        for an exercise that there is not, GuestFaultError as `check` does.
        """
        pack = self.submission.pack
        about = [e.name for chapter in self.submission.chapters for e in chapter.exercises]
        known = [e for e in pack.exercises if self.backend in e.backends]
        wanted = set(names) if names else {e.name for e in known if e.name in about}
        unknown = wanted - {exercise.name for exercise in known}
        if unknown:
            raise BadInputError(_why_unknown(min(unknown), pack, self.backend))
        needed = wanted | {name for e in known if e.name in wanted for name in e.needs}
        in_order = [exercise for exercise in known if exercise.name in needed]
        self._screen(in_order)
        try:
            return self._in_order(in_order, wanted, keep_going=keep_going, on_exercise=on_exercise)
        finally:
            for running in self._begun.values():
                running.cancel()

    def _screen(self, exercises: Sequence[Exercise], failed: str | None = None) -> None:
        """Ask the short form about the exercises that were not judged yet; note which pass it.

        Once `failed` did not pass, only those that use it are asked again, now with the
        reference in its place. Without a short form nothing is asked.
        """
        if self.short_form is None:
            return
        left = [
            e.name
            for e in exercises
            if self.submission.started(e.name)
            and e.name not in {*self._screened, *self._status}
            and (failed is None or failed in self._failed_needs(e))
        ]
        if not left:
            return
        from attnpack.checking.screening import Screening

        deadline = self.limits.call_s
        screening = Screening(self.submission, self.backend, self.short_form, self.seed, deadline)
        stand_ins = [n for n, status in self._status.items() if status is not Status.PASSED]
        self._screened |= screening.passed(left, self.guests, self._references(stand_ins))

    def _in_order(
        self,
        in_order: Sequence[Exercise],
        wanted: set[str],
        *,
        keep_going: bool,
        on_exercise: OnExercise | None,
    ) -> list[ExerciseReport]:
        reports: list[ExerciseReport] = []
        stopped: str | None = None
        for position, exercise in enumerate(in_order):
            if stopped is not None:
                report = reporting.skipped(self.submission, exercise, self.backend, stopped)
            else:
                self._begin_ahead(in_order[position : position + 1 + AHEAD])
                report = self._exercise(exercise)
                if report.status is not Status.PASSED:
                    self._screen(in_order, exercise.name)
            if exercise.name not in wanted:
                continue
            reports.append(report)
            if on_exercise is not None:
                on_exercise(report)
            if not keep_going and stopped is None and report.status is not Status.PASSED:
                stopped = exercise.name
        return reports

    def _begin_ahead(self, exercises: Sequence[Exercise]) -> None:
        """Put questions under way that are sure to be asked as they stand."""
        for exercise in exercises:
            known = (self._begun, self._status, self._screened)
            startable = not any(exercise.name in each for each in known)
            if startable and self.submission.started(exercise.name):
                if self._failed_needs(exercise) or self._doubtful_needs(exercise):
                    continue
                self._begun[exercise.name] = self.guests.begin(self._task(exercise, {}))

    def _failed_needs(self, exercise: Exercise) -> list[str]:
        """Earlier exercises that did not pass and that this one's files mention."""
        failed = [name for name in exercise.needs if self._fails(name)]
        text = "\n".join(self.submission.needed.values())
        return [name for name in failed if re.search(rf"\b{name}\b", text)]

    def _fails(self, name: str) -> bool:
        return self._status.get(name, Status.PASSED) is not Status.PASSED

    def _doubtful_needs(self, exercise: Exercise) -> bool:
        """Whether an earlier one is likely to fail: the short form was not passed."""
        if self.short_form is None:
            return False
        return any(n not in self._status and n not in self._screened for n in exercise.needs)

    def _task(self, exercise: Exercise, stand_ins: Mapping[str, str]) -> Task:
        plan = self._plan(exercise.name)
        return Task(
            exercise=exercise.name,
            entry=self.submission.entries[exercise.name],
            sources=self.submission.needed,
            backend=self.backend.value,
            questions=plan.questions,
            stand_ins=stand_ins,
            homes=self.submission.entries if stand_ins else {},
            deadline_s=self.limits.call_s,
            total_s=self.limits.exercise_s,
        )

    def _plan(self, name: str) -> Plan:
        if name not in self._plans:
            import numpy as np

            rng = np.random.default_rng([self.seed, zlib.crc32(name.encode())])
            self._plans[name] = self.submission.pack.plan(name, self.backend, rng)
        return self._plans[name]

    def _exercise(self, exercise: Exercise) -> ExerciseReport:
        if not self.submission.started(exercise.name):
            self._status[exercise.name] = Status.NOT_STARTED
            return reporting.not_started(self.submission, exercise, self.backend)
        if exercise.name in self._screened:
            passed = self._screened[exercise.name]
            self._status[exercise.name] = Status.PASSED
            return reporting.judged(self.submission, exercise, passed.judgement, passed.transcript)
        transcript = self._transcript(exercise)
        plan = self._plan(exercise.name)
        judgement = self._judgement(exercise, plan, transcript)
        verdict = reporting.first_failing(judgement)
        self.outcomes[exercise.name] = Judged(plan, transcript, verdict)
        self._status[exercise.name] = Status.PASSED if verdict is None else verdict.status
        suspects: Sequence[Suspect] = ()
        if verdict is not None and verdict.status is not Status.NOT_STARTED:
            suspects = self._suspects(exercise, plan, transcript, verdict)
            self.outcomes[exercise.name] = Judged(plan, transcript, verdict, suspects)
        return reporting.judged(self.submission, exercise, judgement, transcript, suspects)

    def _judgement(self, exercise: Exercise, plan: Plan, transcript: Transcript) -> Judgement:
        try:
            return self.submission.pack.judge(plan, transcript)
        except Exception as error:
            if self.limits.purpose is Purpose.LEARNING:
                raise
            said = own_faults.tell(error, f"{self.submission.name}, {exercise.name}")
            return own_faults.not_judged(exercise.stages_on(self.backend), said)

    def _suspects(
        self, exercise: Exercise, plan: Plan, transcript: Transcript, verdict: Verdict
    ) -> Sequence[Suspect]:
        try:
            source = self._source(exercise)
            suspects = self.submission.pack.diagnose(plan, transcript, verdict, source)
            return self._located(exercise, plan, transcript, verdict, suspects)
        except (OwnFaultError, StoppedError):
            raise
        except Exception as error:
            if self.limits.purpose is Purpose.LEARNING:
                raise
            own_faults.tell(error, f"{self.submission.name}, {exercise.name}")
            return ()

    def _transcript(self, exercise: Exercise) -> Transcript:
        begun = self._begun.pop(exercise.name, None)
        names = self._failed_needs(exercise)
        if names or begun is None:
            if begun is not None:
                begun.cancel()
            begun = self.guests.begin(self._task(exercise, self._references(names)))
        transcript = self.guests.finished(begun)
        if self.limits.purpose is Purpose.MARKING:
            task = self._task(exercise, self._references(names))
            transcript = asked_again(task, transcript, self._alone)
        if transcript.fault is not None:
            raise GuestFaultError(transcript.fault)
        return transcript

    def _alone(self, task: Task) -> Transcript:
        """A task with no other guest beside it; what was begun ahead begins anew later."""
        for running in self._begun.values():
            running.cancel()
        self._begun.clear()
        return self.guests.run(task)

    def _references(self, names: Sequence[str]) -> dict[str, str]:
        """Texts that stand in for exercises, and for what they use where that failed, too."""
        pack = self.submission.pack
        used = [n for name in names for n in pack.exercise(name).needs if self._fails(n)]
        names = list(dict.fromkeys([*names, *used]))
        paths = {n: pack.reference_path(self.backend.value, pack.exercise(n).file) for n in names}
        return {name: path.read_text(encoding="utf-8") for name, path in paths.items()}

    def _located(
        self,
        exercise: Exercise,
        plan: Plan,
        transcript: Transcript,
        verdict: Verdict,
        suspects: Sequence[Suspect],
    ) -> Sequence[Suspect]:
        known = self.submission.pack
        questions = known.trace_plan(plan, transcript, verdict, suspects)
        traced = self.traced(exercise.name, questions) if questions else _NOTHING_TRACED
        source = self._source(exercise)
        located = known.locate(plan, transcript, traced, verdict, suspects, source)
        return self.driven(exercise, known.places(plan, transcript, verdict, located, source))

    def _source(self, exercise: Exercise) -> Source:
        others = {n: f for n, f in self.submission.entries.items() if n != exercise.name}
        return Source(self.submission.needed, self.submission.entries[exercise.name], others)

    def change(self, name: str) -> Change | None:
        """One small change after which a checked exercise passes; None where none was found.

        None also where it passes, or is not started: nothing is made that the learner did not.
        """
        outcome, exercise = self.outcomes.get(name), self.submission.pack.exercise(name)
        if outcome is None or outcome.verdict is None:
            return None
        if outcome.verdict.status is Status.NOT_STARTED:
            return None
        place = next((s.place for s in outcome.suspects if s.place is not None), None)
        source, near = self._source(exercise), None if place is None else place.span
        pack = self.submission.pack
        search = pack.change(outcome.plan, outcome.transcript, outcome.verdict, source, near)
        return self.driven(exercise, search)

    def driven(self, exercise: Exercise, search: Generator[Ask, Transcript, Found]) -> Found:
        """Answer what a search asks, each time in a fresh guest, and give what it finds."""
        task = self._task(exercise, self._references(self._failed_needs(exercise)))
        patient = replace(
            task,
            deadline_s=min(PATIENCE.call_s, self.limits.call_s),
            total_s=min(PATIENCE.exercise_s, self.limits.exercise_s),
        )
        return searched(search, patient, self.guests.run)

    def traced(self, name: str, questions: Sequence[Question]) -> Transcript:
        """Other questions about an exercise that was checked before, in a fresh guest."""
        exercise = self.submission.pack.exercise(name)
        task = self._task(exercise, self._references(self._failed_needs(exercise)))
        return self.guests.run(replace(task, questions=tuple(questions)))


def _why_unknown(name: str, pack: Pack, backend: Backend) -> str:
    """Why an exercise cannot be checked: there is none of that name, or not in this backend."""
    found = next((e for e in pack.exercises if e.name == name), None)
    if found is None:
        return f"There is no exercise {name}: see attnpack list"
    others = " or ".join(found.backends)
    return f"{name} is written in {others}, not in {backend}: see attnpack list"


_NOTHING_TRACED = Transcript(Answer("", Outcome.NOT_REACHED), {})
