"""`attnpack hint`: one step more help each time."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from attnpack import workspace
from attnpack.commands import targets
from attnpack.pack import Exercise, Pack
from attnpack.report.prose import say, wrapped
from attnpack.terms import Status

STEPS = ("a question", "a direction", "a line")


def hint(
    exercise: Annotated[
        str | None,
        typer.Argument(metavar="[EXERCISE]", help="The exercise; the one you are at if not said."),
    ] = None,
    pack: targets.PackOption = None,
) -> None:
    """Give one step more help: first a question, then a direction, then a line."""
    known = targets.pack_of(pack, Path.cwd())
    here = targets.workspace_of(known, Path.cwd())
    chosen = targets.exercise(exercise, known) if exercise else current(here, known)
    if here is None:
        _show(chosen, chosen.hints, 0)
        say("\nThere is no workspace here to remember the step. Make one: attnpack init")
        return
    step(here, chosen)


def step(here: workspace.Workspace, chosen: Exercise, more: str | None = None) -> None:
    """Show the next hint of an exercise, and remember that it was shown.

    `more` is how to ask for another, if not by the command.
    """
    known = here.state.progress(chosen.name)
    bug = None
    if known.bug is not None and known.status is not Status.PASSED:
        bug = here.pack.bugs().get(known.bug)
    topic = bug.id if bug else chosen.name
    texts = bug.card.hints if bug else chosen.hints
    taken = known.hints.get(topic, 0)
    if bug and taken >= len(texts):
        _show_change(here, chosen)
        say(f"\nThe whole card: attnpack explain {bug.id}")
        return
    _show(chosen, texts, min(taken, len(texts) - 1))
    taken = min(taken + 1, len(texts))
    here.saved(
        here.state.with_progress(chosen.name, replace(known, hints={**known.hints, topic: taken}))
    )
    if taken < len(texts):
        say(f"\nOne step more: {more or f'attnpack hint {chosen.name}'}")
    elif bug:
        say(f"\nThe whole card: attnpack explain {bug.id}")
        again = more or f"attnpack hint {chosen.name}"
        say(f"One change of your own code that mends it, if there is a small one: {again}")
    else:
        say(f"\nThat was the last step. The solution: attnpack solution {chosen.name} --give-up")


def current(here: workspace.Workspace | None, pack: Pack) -> Exercise:
    """The first exercise that has not passed; the first of the pack outside a workspace."""
    if here is None:
        return pack.exercises[0]
    exercises = here.exercises
    open_ones = (e for e in exercises if not here.passes(e))
    return next(open_ones, exercises[-1])


def _show_change(here: workspace.Workspace, chosen: Exercise) -> None:
    """The last step of all: a change of the learner's own lines, never the solution."""
    import secrets

    from attnpack import submission as submissions
    from attnpack.checking import one_exercise

    submission = submissions.own(here.root, here.pack)
    say(f"Looking for a small change of your own code after which {chosen.name} passes ...\n")
    backend, seed = here.backend, secrets.randbelow(100_000)
    change = one_exercise.one_change(submission, chosen.name, seed, backend=backend)
    if change is None:
        say("There is none among those that were tried: more than one thing is to be changed.")
        return
    say(f"One change in {change.file} makes every check pass:\n")
    say("\n".join(f"  {line}" for line in change.shown))


def _show(exercise: Exercise, texts: tuple[str, ...], step: int) -> None:
    say(f"{exercise.name}, hint {step + 1} of {len(texts)}: {STEPS[step]}\n")
    say(wrapped(texts[step], "  "))
