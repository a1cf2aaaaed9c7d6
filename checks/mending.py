"""One small change of the learner's own code after which the whole plan passes, on fresh numbers.

What is asked of a guest is yielded, as in placing.py. Nothing here knows a right solution.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from attnpack.calls import Call, Forward, Outcome, Question, Reload, Transcript
from attnpack.diagnosis.edits.candidates import candidates
from attnpack.diagnosis.edits.edit import difference
from attnpack.pack.kinds import Ask, Change
from attnpack.terms import Status

from .judging import judge
from .judging import plan as fresh_plan
from .replacing import Replacing
from .tracing import Chosen

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from attnpack.guest.seeing.sites import Span
    from attnpack.pack.kinds import Plan, Source, Verdict

MOST_TRIED = 1500
BATCH = 150
MOST_VERIFIED = 6
FRESH = 20011
"""seeds the numbers that a change is judged on, which are none that it was looked for with"""

Asking: TypeAlias = "Generator[Ask, Transcript, Change | None]"


def change(
    plan: Plan, transcript: Transcript, verdict: Verdict, source: Source, near: Span | None
) -> Asking:
    """Find a change, the nearest to a place first."""
    placing = Replacing(plan, transcript, None)
    shown = placing.chosen(verdict) or _first(placing)
    if shown is None:
        return None
    file = near.file if near is not None and near.file in source.files else source.entry
    written = source.files[file]
    edits = candidates(written, file, list(source.others), near, plan.backend)[:MOST_TRIED]
    verified = position = 0
    while position < len(edits) and verified < MOST_VERIFIED:
        texts = [edit.applied(written) for edit in edits[position : position + BATCH]]
        answers = yield Ask(_on_one_call(texts, file, shown))
        reached = _reached(answers, len(texts))
        for number in range(reached):
            if verified == MOST_VERIFIED or not placing.is_right(shown, answers, f"{number}|"):
                continue
            verified += 1
            whole = fresh_plan(plan.exercise, plan.backend, np.random.default_rng(FRESH))
            came = yield Ask(whole.questions, changed={file: texts[number]})
            if all(v.status is Status.PASSED for v in judge(whole, came).verdicts):
                line = edits[position + number].span.line
                shown_lines = tuple(difference(written, texts[number], file))
                return Change(file, line, texts[number], shown_lines)
        position += max(1, reached)
    return None


def _first(placing: Replacing) -> Chosen | None:
    """Of files that do not load: any call."""
    return next((Chosen(probe, 0) for probe in placing.probes if probe.calls), None)


def _on_one_call(texts: Sequence[str], file: str, shown: Chosen) -> list[Question]:
    """Each change, and the call that shows the failure."""
    questions: list[Question] = []
    for number, text in enumerate(texts):
        questions.append(Reload(f"{number}|reload", file, text))
        for question in shown.probe.questions():
            plain = question
            if isinstance(question, Call | Forward) and not shown.judged_whole:
                plain = replace(question, cotangents=None)
            questions.append(replace(plain, key=f"{number}|{question.key}"))
            if question.key == shown.key and not shown.judged_whole:
                break
    return questions


def _reached(answers: Transcript, count: int) -> int:
    """How many changes were asked about before one of them ended the guest, that one included."""
    for number in range(count):
        answer = answers.answers.get(f"{number}|reload")
        if answer is None or answer.outcome is Outcome.NOT_REACHED:
            return number
    return count
