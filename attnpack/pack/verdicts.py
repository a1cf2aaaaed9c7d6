"""What every pack says the same way of a call: how it ended, and that a stage was not reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.calls import Outcome
from attnpack.pack.kinds import Verdict
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from attnpack.calls import Answer, Transcript
    from attnpack.terms import Stage


def how_it_ended(answer: Answer) -> str:
    """The outcome of a call that did not return, as the end of a sentence."""
    if answer.raised is not None:
        return f"raised {answer.raised.type}: {answer.raised.message}"
    return {
        Outcome.TIMED_OUT: "did not return in its time",
        Outcome.ENDED: "ended the whole process",
        Outcome.NOT_REACHED: "was not reached: an earlier call ended or ran out of time",
        Outcome.NOT_DEFINED: "could not be made: the name is not defined",
    }.get(answer.outcome, "did not return")


def not_loaded(first: Stage, transcript: Transcript) -> Verdict | None:
    """The verdict of the first stage where the learner's file could not be run; else None."""
    loaded = transcript.loaded
    if loaded.outcome is Outcome.RETURNED:
        return None
    if loaded.outcome is Outcome.NOT_DEFINED:
        return Verdict(first, Status.NOT_STARTED, "the name is not defined yet", answer=loaded)
    message = f"loading the file {how_it_ended(loaded)}"
    return Verdict(first, Status.ERROR, message, answer=loaded)


def skipped(stages: Iterable[Stage]) -> list[Verdict]:
    """The stages after the first that did not pass."""
    return [Verdict(stage, Status.SKIPPED) for stage in stages]
