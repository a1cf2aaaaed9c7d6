"""`attnpack list`, and the bare `attnpack`: where the learner stands and what to type next."""

from pathlib import Path

from attnpack import __version__, pack, workspace
from attnpack.commands.hint import current
from attnpack.progress import Progress
from attnpack.report import words
from attnpack.report.prose import hanging, say, wrapped
from attnpack.terms import Status


def list_exercises() -> None:
    """List the exercises, what passes, and the bugs met on the way."""
    show(workspace.find(Path.cwd()))


def show(here: workspace.Workspace | None) -> None:
    """The list for a workspace; nothing is passed outside of one."""
    for number, exercise in enumerate(pack.load().exercises, start=1):
        known = here.state.progress(exercise.name) if here else Progress()
        done = f"{words.STATUS_MARK[known.status]} {words.STATUS_WORD[known.status]}"
        say(hanging(f"{number}  {exercise.name:<29}{done:<15}", exercise.title))
        for line in _details(known):
            say(f"   {line}")
    say()
    _where_next(here)


def standing() -> None:
    """Say in a few lines where the learner is and what to type next."""
    here = workspace.find(Path.cwd())
    say(f"attnpack {__version__}: write self-attention by hand, be told which bug you wrote\n")
    if here is not None:
        passed = sum(
            here.state.progress(e.name).status is Status.PASSED for e in pack.load().exercises
        )
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
    if known.status is Status.PASSED:
        say(f"{words.ALL_PASSED.format(count=len(pack.load().exercises))}")
        say('Next: attnpack heatmap "the cat sat on the mat" (what your attention looks at)')
        say(f"Or: attnpack solution {exercise.name} (the reference beside your code)")
        return
    say(wrapped(f"You are at {exercise.name} ({exercise.file}): {exercise.title}."))
    if known.status in (Status.FAILED, Status.ERROR):
        named = f" The last check named {known.bug}." if known.bug else ""
        say(f"It does not pass yet.{named}")
        say(f"Next: attnpack check, or for help: attnpack hint {exercise.name}")
    else:
        say(f"Next: write {exercise.file}, then type: attnpack check")


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
