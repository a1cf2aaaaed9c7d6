"""A call that ran out of time is asked again, alone, before that is a verdict.

Other guests, caches and clocks of a busy machine make the same call dearer. Asked again in a
fresh guest with nothing beside it, right but slow code gets the marks that it gets on a calm
machine; code that never ends runs out of time twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from attnpack.calls import Answer, Build, Fill, Forward, Outcome, Task, Transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.calls import Question

Ask: TypeAlias = Callable[[Task], Transcript]

MOST_ROUNDS = 3
"""slow calls of one exercise that are asked again"""
_NO_ANSWER = (Outcome.TIMED_OUT, Outcome.NOT_REACHED)


def asked_again(task: Task, first: Transcript, ask: Ask) -> Transcript:
    """What comes of a task when each call that ran out of time is asked again.

    `ask` runs a task with nothing beside it. Faults of the machine are in the transcript.
    """
    transcript = first
    for _ in range(MOST_ROUNDS):
        if transcript.fault is not None:
            break
        if transcript.loaded.outcome is Outcome.TIMED_OUT:
            again = ask(task)
            if again.loaded.outcome is Outcome.TIMED_OUT:
                return again
            transcript = again
            continue
        stuck = _out_of_time(task.questions, transcript)
        if stuck is None:
            break
        further = _beyond(task, transcript, stuck, ask)
        if further is None:
            break
        transcript = further
    return transcript


def _out_of_time(questions: Sequence[Question], transcript: Transcript) -> int | None:
    """Which question ran out of time."""
    for position, question in enumerate(questions):
        if transcript.answers[question.key].outcome is Outcome.TIMED_OUT:
            return position
    return None


def _beyond(task: Task, so_far: Transcript, stuck: int, ask: Ask) -> Transcript | None:
    """The transcript with the answer to the stuck question and to those after it.

    None where it runs out of time again.
    """
    question, after = task.questions[stuck], task.questions[stuck + 1 :]
    alone = ask(replace(task, questions=(*_leading(task.questions[:stuck], [question]), question)))
    if alone.fault is not None:
        return alone
    answer = alone.answers[question.key]
    if alone.loaded.outcome is not Outcome.RETURNED or answer.outcome in _NO_ANSWER:
        return None
    answers = {**so_far.answers, question.key: answer}
    if after and answer.outcome is not Outcome.ENDED:
        leading = _leading(task.questions[: stuck + 1], after)
        rest = ask(replace(task, questions=(*leading, *after)))
        if rest.fault is not None:
            return rest
        if rest.loaded.outcome is not Outcome.RETURNED:
            return None
        answers |= {asked.key: rest.answers[asked.key] for asked in after}
        answers |= _ended_before(leading, after[0], rest)
    return replace(so_far, answers=answers)


def _leading(before: Sequence[Question], asked: Sequence[Question]) -> tuple[Question, ...]:
    """What builds and fills the objects that are asked about."""
    slots = {question.slot for question in asked if isinstance(question, (Build, Fill, Forward))}
    return tuple(q for q in before if isinstance(q, (Build, Fill)) and q.slot in slots)


def _ended_before(
    leading: Sequence[Question], first: Question, rest: Transcript
) -> dict[str, Answer]:
    """Where this time what leads to the rest did not end well, the first of the rest says so."""
    for question in leading:
        answer = rest.answers[question.key]
        if answer.outcome in (Outcome.ENDED, Outcome.TIMED_OUT):
            return {first.key: replace(answer, key=first.key)}
    return {}
