"""What was collected of a task as a transcript, also where the guest ended early."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnpack.calls import Answer, Outcome, Task, Transcript
from attnpack.host.decode import LOADED, Collected

if TYPE_CHECKING:
    from collections.abc import Mapping

REFUSED = "the reference cannot be called as your code calls {name}, so your own {name} was used"


def transcript(
    collected: Collected,
    output: str,
    ended: Outcome = Outcome.ENDED,
    facts: Mapping[str, Any] | None = None,
) -> Transcript:
    """`ended` and `facts` go to the question that was being answered when the guest ended."""
    task = collected.task
    answers = dict(collected.answers)
    loaded = collected.loaded or Answer(LOADED, ended, facts=facts or {})
    if loaded.outcome is Outcome.RETURNED and collected.waiting_for is not None:
        key = collected.waiting_for.key
        answers[key] = Answer(key, ended, facts=facts or {})
    for question in task.questions:
        answers.setdefault(question.key, Answer(question.key, Outcome.NOT_REACHED))
    return Transcript(
        loaded=loaded,
        answers=answers,
        output=output,
        stand_ins_used=collected.stand_ins_used,
        notes=tuple(REFUSED.format(name=name) for name in collected.stand_ins_refused),
    )


def fault(task: Task, reason: str, output: str = "") -> Transcript:
    """The transcript of a task that attnpack or the machine failed; nothing is the learner's."""
    return Transcript(
        loaded=Answer(LOADED, Outcome.NOT_REACHED),
        answers={q.key: Answer(q.key, Outcome.NOT_REACHED) for q in task.questions},
        output=output,
        fault=reason,
    )
