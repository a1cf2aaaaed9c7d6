"""`attnpack list`, and the bare `attnpack`: where the learner stands and what to type next."""

from attnpack import __version__, pack, workspace
from attnpack.commands import targets
from attnpack.commands.hint import current
from attnpack.pack.texts import Exercise
from attnpack.report import words
from attnpack.report.prose import hanging, say, wrapped
from attnpack.terms import Status
from attnpack.workspace.progress import Progress

CHANGED = "changed"
"""another text than the one that was checked: the verdict is not shown"""


def list_exercises() -> None:
    """List the exercises, what passes, and the bugs met on the way."""
    show(targets.own_workspace())


def show(here: workspace.Workspace | None) -> None:
    """The list for a workspace; nothing is passed outside of one."""
    for number, exercise in enumerate(pack.load().exercises, start=1):
        known = here.state.progress(exercise.name) if here else Progress()
        changed = here is not None and here.is_changed(exercise)
        status = Status.NOT_STARTED if changed else known.status
        word = CHANGED if changed else words.STATUS_WORD[status]
        done = f"{words.STATUS_MARK[status]} {word}"
        say(hanging(f"{number}  {exercise.name:<29}{done:<15}", exercise.title))
        if changed:
            say(f"   {_was(known)}: attnpack check {exercise.name}")
        for line in _details(known):
            say(f"   {line}")
    say()
    _where_next(here)


def standing() -> None:
    """Say in a few lines where the learner is and what to type next."""
    here = targets.own_workspace()
    say(f"attnpack {__version__}: write self-attention by hand, be told which bug you wrote\n")
    if here is not None:
        passed = sum(here.passes(exercise) for exercise in pack.load().exercises)
        say(f"Workspace {here.root} ({here.backend}): {passed} of {len(pack.load().exercises)}")
    _where_next(here)
    say("All commands: attnpack --help")


def _where_next(here: workspace.Workspace | None) -> None:
    if here is None:
        say("You are in no workspace.")
        say("Next: attnpack demo (the whole thing in a minute), or attnpack init")
        return
    exercise = current(here)
    known = here.state.progress(exercise.name)
    if here.passes(exercise):
        say(f"{words.ALL_PASSED.format(count=len(pack.load().exercises))}")
        say('Next: attnpack heatmap "the cat sat on the mat" (what your attention looks at)')
        say(f"Or: attnpack solution {exercise.name} (the reference beside your code)")
        return
    say(wrapped(f"You are at {exercise.name} ({exercise.file}): {exercise.title}."))
    if here.is_changed(exercise):
        _changed(here, exercise)
    elif known.status in (Status.FAILED, Status.ERROR):
        named = f" The last check named {known.bug}." if known.bug else ""
        say(f"It does not pass yet.{named}")
        say(f"Next: attnpack check, or for help: attnpack hint {exercise.name}")
    else:
        say(f"Next: write {exercise.file}, then type: attnpack check")


def _changed(here: workspace.Workspace, exercise: Exercise) -> None:
    """Of several that changed since they were checked, as after a merge, all are named."""
    changed = [e.file for e in pack.load().exercises if here.is_changed(e)]
    say(f"{_was(here.state.progress(exercise.name))}.")
    if len(changed) > 1:
        say(wrapped(f"So did {words.listed(changed[1:])}."))
        say("Next: attnpack check --keep-going")
    else:
        say(f"Next: attnpack check, or for help: attnpack hint {exercise.name}")


def _was(known: Progress) -> str:
    how = "It passed" if known.status is Status.PASSED else "It did not pass"
    return f"{how} when it was last checked, and the file has changed since"


def _details(known: Progress) -> list[str]:
    parts = []
    if known.checks:
        times = "once" if known.checks == 1 else f"{known.checks} times"
        parts.append(f"checked {times}{_time_taken(known)}")
    if known.bugs_met:
        parts.append(f"bugs met: {', '.join(known.bugs_met)}")
    return parts


def _time_taken(known: Progress) -> str:
    """From the first check of an exercise to its first pass."""
    if known.first_checked is None or known.first_passed is None:
        return ""
    from datetime import datetime

    first = datetime.fromisoformat(known.first_checked)
    passed = datetime.fromisoformat(known.first_passed)
    minutes = round((passed - first).total_seconds() / 60)
    return f", passed {minutes} min after the first check" if minutes else ""
