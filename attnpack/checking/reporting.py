"""What was found of one exercise, as its part of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.checking import advice
from attnpack.pack.kinds import Note
from attnpack.report import words
from attnpack.report.model import CheckReport, ExerciseReport, NamedBug, Spot
from attnpack.terms import Match, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.calls import Transcript
    from attnpack.checking.advice import Advice
    from attnpack.pack.kinds import Judgement, Place, Suspect, Verdict
    from attnpack.pack.texts import Exercise
    from attnpack.submission import Submission
    from attnpack.terms import Backend


def judged(
    submission: Submission,
    exercise: Exercise,
    judgement: Judgement,
    transcript: Transcript,
    suspects: Sequence[Suspect] = (),
) -> ExerciseReport:
    """An exercise that was asked and judged; the suspects explain its first failing stage."""
    failing = first_failing(judgement)
    entry = submission.entries[exercise.name]
    return ExerciseReport(
        name=exercise.name,
        status=Status.PASSED if failing is None else failing.status,
        checks=tuple(
            _failing_check(each, suspects, entry, _advice(submission, exercise, each, transcript))
            if each is failing
            else CheckReport(each.stage, each.status, each.message, would_pass=each.would_pass)
            for each in judgement.verdicts
        ),
        stand_ins=tuple(n for n in transcript.stand_ins_used if n in exercise.needs),
        notes=(*judgement.notes, *(Note("stand-in", text) for text in transcript.notes)),
        output=transcript.output,
        file=entry,
        line=submission.line(exercise.name),
        chapter=submission.pack.chapter_of(exercise.name).name,
    )


def first_failing(judgement: Judgement) -> Verdict | None:
    """The verdict of the first stage that did not pass; None where all did."""
    return next((v for v in judgement.verdicts if v.status is not Status.PASSED), None)


def not_started(submission: Submission, exercise: Exercise, backend: Backend) -> ExerciseReport:
    """An exercise that is missing, or still as its stub."""
    asked = exercise.stages_on(backend)
    file = submission.entries.get(exercise.name)
    where = file or exercise.file
    first = CheckReport(
        asked[0],
        Status.NOT_STARTED,
        words.not_started(exercise.name, where, submission.nearly(exercise.name)),
    )
    rest = [CheckReport(stage, Status.SKIPPED) for stage in asked[1:]]
    return ExerciseReport(
        exercise.name,
        Status.NOT_STARTED,
        (first, *rest),
        file=file,
        line=submission.line(exercise.name),
        chapter=submission.pack.chapter_of(exercise.name).name,
    )


def skipped(
    submission: Submission, exercise: Exercise, backend: Backend, because: str
) -> ExerciseReport:
    """An exercise that was not reached; `because` names the one that stopped the run."""
    return ExerciseReport(
        exercise.name,
        Status.SKIPPED,
        tuple(CheckReport(stage, Status.SKIPPED) for stage in exercise.stages_on(backend)),
        skipped_because=because,
        file=submission.entries.get(exercise.name),
        chapter=submission.pack.chapter_of(exercise.name).name,
    )


def _advice(
    submission: Submission, exercise: Exercise, verdict: Verdict, transcript: Transcript
) -> Advice | None:
    raised = verdict.answer.raised if verdict.answer else None
    if raised is None:
        return None
    loading = transcript.loaded.raised is not None
    return advice.on(raised, submission, exercise.name, loading=loading)


def _failing_check(
    verdict: Verdict, suspects: Sequence[Suspect], entry: str, told: Advice | None
) -> CheckReport:
    answer = verdict.answer
    return CheckReport(
        verdict.stage,
        verdict.status,
        verdict.message,
        bugs=tuple(_named(suspect, entry) for suspect in suspects),
        comparison=verdict.comparison,
        raised=None if answer is None else answer.raised or answer.backward_raised,
        probe=verdict.probe,
        advice=told.text if told else "",
        caret=told.caret if told else None,
    )


def _named(suspect: Suspect, entry: str) -> NamedBug:
    match = Match(suspect.match)
    spot = None if suspect.place is None else _spot(suspect.place)
    file = suspect.file or entry
    return NamedBug(suspect.id, match, file, suspect.line, suspect.together, spot)


def _spot(place: Place) -> Spot:
    first, last = place.span.column, place.span.end_column
    if place.span.end_line > place.span.line:
        last = max(first + 1, first + len(place.first_line))
    return Spot(first + 1, last + 1, place.text[:200], place.proof, place.answers)
