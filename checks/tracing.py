"""Which lines to trace, and what a trace says about where a bug sits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from attnpack.calls import Question, Transcript
from attnpack.pack.kinds import Plan, Suspect, Verdict


def trace_plan(plan: Plan, verdict: Verdict) -> Sequence[Question]:
    """The questions to run again under a line trace."""
    del plan, verdict
    return ()


def locate(
    plan: Plan, traced: Transcript, verdict: Verdict, suspects: Sequence[Suspect]
) -> Sequence[Suspect]:
    """The same suspects with file and line."""
    del plan, traced
    answer = verdict.answer
    raised = None if answer is None else answer.raised or answer.backward_raised
    if raised is None or not raised.frames:
        return suspects
    frame = raised.frames[-1]
    return [replace(suspect, file=frame.file, line=frame.line) for suspect in suspects]
