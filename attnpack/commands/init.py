"""`attnpack init` and `attnpack reset`: the learner's files come and go back to their stubs."""

import importlib.util
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from attnpack import pack as packs
from attnpack.commands import targets
from attnpack.errors import BadInputError
from attnpack.host.pool import NO_TORCH
from attnpack.report.prose import quoted, say, wrapped
from attnpack.terms import Backend
from attnpack.workspace import resetting, scaffolding


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="The folder; made if need be.")
    ] = Path(),
    backend: Annotated[
        Backend | None, typer.Option(help="What to write in; numpy if not said.")
    ] = None,
    chapter: targets.ChapterOption = None,
    pack: targets.PackOption = None,
) -> None:
    """Lay out a workspace: one stub for each exercise. Overwrites nothing.

    In a workspace, --chapter adds the stubs of a chapter to it.
    """
    chosen = None if pack is None else packs.load(pack)
    done = scaffolding.init(folder, backend, chosen, chapter or ())
    by_fate = {
        fate: [file for file, placed in done.files if placed is fate] for fate in scaffolding.Placed
    }
    if done.set_aside is not None:
        say(wrapped(f"The old state could not be read and is kept as {done.set_aside}."))
    if by_fate[scaffolding.Placed.WRITTEN]:
        say(wrapped(f"Wrote {', '.join(by_fate[scaffolding.Placed.WRITTEN])} in {folder}."))
    if by_fate[scaffolding.Placed.UNTOUCHED]:
        say(wrapped(f"There already: {', '.join(by_fate[scaffolding.Placed.UNTOUCHED])}."))
    if by_fate[scaffolding.Placed.KEPT]:
        say(wrapped(f"Kept your own: {', '.join(by_fate[scaffolding.Placed.KEPT])}."))
    if by_fate[scaffolding.Placed.RENEWED]:
        say(wrapped(f"Brought up to date: {', '.join(by_fate[scaffolding.Placed.RENEWED])}."))
    if backend is Backend.TORCH and importlib.util.find_spec("torch") is None:
        say(f"\n{NO_TORCH.format(python=sys.executable)}")
    go = "" if folder == Path() else f"cd {quoted(folder)}, then "
    say(f"\nNext: {go}write {done.first.file} and type: attnpack check")


def reset(
    exercise: Annotated[
        str | None, typer.Argument(metavar="[EXERCISE]", help="The exercise to put back.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All of them.")] = False,
) -> None:
    """Put an exercise back to its stub. What you had is kept in .attnpack/backups."""
    if (exercise is None) is not every:
        raise BadInputError("Say which: attnpack reset EXERCISE, or attnpack reset --all")
    here = targets.needed_workspace()
    chosen = here.exercises if exercise is None else [targets.exercise(exercise, here.pack)]
    for restored in resetting.reset(here, chosen, datetime.now(UTC).astimezone()):
        if restored.backup is None:
            say(f"{restored.file} is the stub.")
        else:
            kept = restored.backup.relative_to(here.root)
            say(wrapped(f"{restored.file} is the stub again; yours is kept in {kept}."))
