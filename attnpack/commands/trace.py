"""`attnpack trace`: the learner's own lines with the shape and the name of every tensor."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from attnpack.commands import targets
from attnpack.commands.check import BackendOption, SeedOption
from attnpack.errors import BadInputError
from attnpack.report.prose import say
from attnpack.terms import Status

if TYPE_CHECKING:
    from attnpack.checking.one_exercise import Annotated as AnnotatedRun
    from attnpack.submission import Submission


def trace(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH] [EXERCISE]",
            help="The exercise, and where its file is; the one that fails if not said.",
        ),
    ] = None,
    backend: BackendOption = None,
    seed: SeedOption = None,
    pack: targets.PackOption = None,
) -> None:
    """Show your lines with the shape and the name of what each makes; mark the one that departs."""
    from attnpack import submission as submissions
    from attnpack.checking import one_exercise
    from attnpack.report import glyphs, terminal, traced

    target = targets.read(words or [], Path.cwd(), pack)
    submission = submissions.own(target.path, target.pack)
    name = _meant(target, submission)
    chosen = backend or (target.workspace.backend if target.workspace else submission.backend)
    number = secrets.randbelow(100_000) if seed is None else seed
    run = one_exercise.annotate(submission, name, number, backend=chosen)
    if run is None:
        raise BadInputError(_not_started(submission, name))
    console = terminal.console()
    console.print(traced.Listing(run, submission, glyphs.for_encoding(console.encoding)))
    say(_closing(run, target.word))
    if run.report.status is not Status.PASSED:
        raise typer.Exit(1)


def _meant(target: targets.Target, submission: "Submission") -> str:
    """The one that is named; else the one that fails, or the only one of a file."""
    if len(target.exercises) == 1:
        return target.exercises[0]
    if not target.exercises and target.workspace is not None:
        return targets.that_fails(target.workspace).name
    if not target.exercises and len(submission.entries) == 1:
        return next(iter(submission.entries))
    names = ", ".join(exercise.name for exercise in target.pack.exercises)
    raise BadInputError(f"Name one exercise to trace: {names}.")


def _not_started(submission: "Submission", name: str) -> str:
    file = submission.entries.get(name) or submission.pack.exercise(name).file
    return f"{name} is not written yet, so there is nothing to trace. Write it in {file} first."


def _closing(run: "AnnotatedRun", word: str) -> str:
    if run.report.status is Status.PASSED:
        return f"{run.report.name} passes."
    again = " ".join(part for part in ("attnpack check", word, run.report.name) if part)
    return f"The whole diagnosis: {again}"
