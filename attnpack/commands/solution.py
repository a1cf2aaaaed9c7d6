"""`attnpack solution`: the reference beside the learner's code."""

from itertools import zip_longest
from pathlib import Path
from typing import Annotated

import typer

from attnpack import workspace
from attnpack.commands import targets
from attnpack.errors import BadInputError
from attnpack.pack import Exercise
from attnpack.report import prose
from attnpack.report.prose import say
from attnpack.report.untrusted import printable
from attnpack.terms import Backend, Status

NARROWEST = 60
"""columns that one side needs to be read with ease"""


def solution(
    exercise: Annotated[
        str | None,
        typer.Argument(metavar="[EXERCISE]", help="The one that fails if not said."),
    ] = None,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="Show it although the exercise has not passed.")
    ] = False,
    pack: targets.PackOption = None,
) -> None:
    """Show the reference beside your code, once the exercise has passed."""
    known = targets.pack_of(pack, Path.cwd())
    here = targets.workspace_of(known, Path.cwd())
    if exercise is not None:
        chosen = targets.exercise(exercise, known)
    else:
        chosen = targets.that_fails(here) if here is not None else known.exercises[0]
    passed = here is not None and here.state.progress(chosen.name).status is Status.PASSED
    if not passed and not give_up:
        raise BadInputError(
            f"{chosen.name} has not passed here yet. A step of help: attnpack hint {chosen.name}. "
            f"To see the solution all the same: attnpack solution {chosen.name} --give-up"
        )
    backend = _backend(here, chosen)
    reference = known.reference_path(backend.value, chosen.file).read_text(encoding="utf-8")
    mine = here.file_of(chosen) if here else None
    if mine is None or not mine.is_file():
        say(reference.rstrip())
        return
    own = printable(mine.read_text(encoding="utf-8", errors="replace"))
    half = (prose.columns() - 3) // 2
    if half >= NARROWEST:
        say(_beside(own, reference, chosen.file, half))
    else:
        say(f"--- yours: {chosen.file}\n{own.rstrip()}\n")
        say(f"--- the reference\n{reference.rstrip()}")


def _backend(here: workspace.Workspace | None, exercise: Exercise) -> Backend:
    """The workspace's, if the exercise is written in it."""
    if here is not None and here.backend in exercise.backends:
        return here.backend
    return exercise.backends[0]


def _beside(own: str, reference: str, file: str, half: int) -> str:
    """Two columns; `|` between lines that differ, where both sides have one at that place."""
    import difflib

    left, right = own.rstrip().splitlines(), reference.rstrip().splitlines()
    rows = [_row(f"yours: {file}", " ", "the reference", half), "-" * (2 * half + 3)]
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        sign = " " if kind == "equal" else "|"
        for mine, theirs in zip_longest(left[i:i_end], right[j:j_end], fillvalue=""):
            rows += _folded(mine, sign, theirs, half)
    return "\n".join(row.rstrip() for row in rows)


def _folded(mine: str, sign: str, theirs: str, half: int) -> list[str]:
    """One pair of lines, on as many rows as the longer of them needs."""
    count = max(1, -(-max(len(mine), len(theirs)) // half))
    return [
        _row(mine[n * half : (n + 1) * half], sign, theirs[n * half : (n + 1) * half], half)
        for n in range(count)
    ]


def _row(mine: str, sign: str, theirs: str, half: int) -> str:
    return f"{mine:<{half}} {sign} {theirs}"
