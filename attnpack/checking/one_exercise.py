"""One exercise looked at closely: the call that fails, or what each of its lines makes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack.checking.runner import Checking, Limits
from attnpack.host.pool import open_pool
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.calls import Answer, Question
    from attnpack.pack.kinds import Annotation, Change, Comparison, Place
    from attnpack.report.model import ExerciseReport
    from attnpack.submission import Submission
    from attnpack.terms import Backend


@dataclass(frozen=True)
class FailingCall:
    """What to ask so that an exercise fails."""

    questions: tuple[Question, ...]
    """those that lead to the failing one, which is the last"""
    said: str
    """what the check says of it"""
    comparison: Comparison | None


def failing_call(
    submission: Submission, exercise: str, seed: int, *, backend: Backend
) -> FailingCall | None:
    """The first failing call; None where none fails."""
    with open_pool(backend) as guests:
        checking = Checking(submission, backend, seed, guests, Limits())
        checking.run([exercise], keep_going=True)
    outcome = checking.outcomes.get(exercise)
    if outcome is None or outcome.verdict is None or outcome.verdict.probe is None:
        return None
    questions = _leading_to(outcome.plan.questions, outcome.verdict.probe)
    verdict = outcome.verdict
    return FailingCall(questions, verdict.message, verdict.comparison) if questions else None


def one_change(
    submission: Submission, exercise: str, seed: int, *, backend: Backend
) -> Change | None:
    """A small change of the learner's own code after which the exercise passes, if there is one.

    None where it passes already, or is not started. Raises GuestFaultError.
    """
    with open_pool(backend) as guests:
        checking = Checking(submission, backend, seed, guests, Limits())
        checking.run([exercise], keep_going=True)
        return checking.change(exercise)


@dataclass(frozen=True)
class Annotated:
    """What the lines of one exercise make, and what is wrong with it."""

    annotations: Sequence[Annotation]
    ended: Answer
    """how the traced call ended"""
    report: ExerciseReport
    places: Sequence[Place] = ()
    """of the bugs that are named: what an expression was, and what it should have been"""


def annotate(
    submission: Submission, exercise: str, seed: int, *, backend: Backend
) -> Annotated | None:
    """Trace one exercise; None where it is not started. Raises GuestFaultError."""
    known = submission.pack
    with open_pool(backend) as guests:
        checking = Checking(submission, backend, seed, guests, Limits())
        report = checking.run([exercise], keep_going=True)[-1]
        if report.status is Status.NOT_STARTED:
            return None
        import numpy as np

        plan = known.annotation_plan(exercise, backend, np.random.default_rng(seed))
        transcript = checking.traced(exercise, plan.questions)
    last = transcript.answers.get(plan.questions[-1].key, transcript.loaded)
    outcome = checking.outcomes.get(exercise)
    suspects = () if outcome is None else outcome.suspects
    places = tuple(suspect.place for suspect in suspects if suspect.place is not None)
    return Annotated(known.annotations(plan, transcript), last, report, places)


def _leading_to(questions: Sequence[Question], key: str) -> tuple[Question, ...]:
    """All questions of the probe, up to the one of that key (or the probe's last)."""
    probe = key.rsplit("/", 1)[0] if any(question.key == key for question in questions) else key
    together = [question for question in questions if question.key.rsplit("/", 1)[0] == probe]
    keys = [question.key for question in together]
    return tuple(together[: keys.index(key) + 1] if key in keys else together)
