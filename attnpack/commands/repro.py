"""`attnpack repro` and `attnpack debug`: the failing call, without attnpack around it."""

import secrets
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from attnpack import workspace
from attnpack.commands import targets
from attnpack.errors import BadInputError
from attnpack.report.prose import say

if TYPE_CHECKING:
    from attnpack.pack import Exercise

ExerciseWord = Annotated[
    str | None, typer.Argument(metavar="[EXERCISE]", help="The one that fails if not said.")
]
SeedWord = Annotated[
    int | None,
    typer.Option(min=0, help="The seed of the check that failed; a new one if not said."),
]


def repro(exercise: ExerciseWord = None, seed: SeedWord = None) -> None:
    """Write a short script that repeats the failing call, without attnpack."""
    here = targets.needed_workspace()
    path = _written(here, _meant(here, exercise), seed)
    say(path.read_text(encoding="utf-8").rstrip())
    say(f"\nNext: {_python()} {path.name}   (run it in {here.root})")


def debug(exercise: ExerciseWord = None, seed: SeedWord = None) -> None:
    """Run the failing call in this terminal, so that breakpoint() in your code works."""
    here = targets.needed_workspace()
    path = _written(here, _meant(here, exercise), seed)
    say(f"$ {_python()} {path.name}")
    sys.stdout.flush()
    ended = subprocess.run([sys.executable, str(path)], cwd=here.root, check=False)
    if ended.returncode:
        raise typer.Exit(1)


def _meant(here: workspace.Workspace, word: str | None) -> "Exercise":
    return targets.exercise(word, here.pack) if word else targets.that_fails(here)


def _written(here: workspace.Workspace, exercise: "Exercise", seed: int | None) -> Path:
    """The script, in the workspace; one that the learner changed is backed up first."""
    from attnpack import submission as submissions
    from attnpack.checking import one_exercise, script

    submission = submissions.own(here.root, here.pack)
    known = here.state.seed if seed is None else seed
    chosen = secrets.randbelow(100_000) if known is None else known
    call = one_exercise.failing_call(submission, exercise.name, chosen, backend=here.backend)
    if call is None:
        raise BadInputError(
            f"No call of {exercise.name} fails, so there is none to repeat. "
            f"See for yourself: attnpack check {exercise.name}"
        )
    module = exercise.file.removesuffix(".py")
    source = here.file_of(exercise).read_text(encoding="utf-8", errors="replace")
    comments = script.expected(call.said, call.comparison)
    text = script.text(exercise.name, source, module, call.questions, here.backend, comments)
    return here.put(f"repro_{module}.py", text, datetime.now(UTC).astimezone())


def _python() -> str:
    return Path(sys.executable).name
