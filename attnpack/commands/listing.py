"""`attnpack list`, and the bare `attnpack`: where the learner stands and what to type next."""

from collections.abc import Iterator
from pathlib import Path

from attnpack import __version__, workspace
from attnpack import pack as packs
from attnpack.commands import targets
from attnpack.commands.check import next_chapter
from attnpack.commands.hint import current
from attnpack.pack import Chapter, Exercise, Pack
from attnpack.report import words
from attnpack.report.prose import hanging, say, wrapped
from attnpack.report.words import listed
from attnpack.terms import Backend, Status
from attnpack.workspace.progress import Progress

CHANGED = "changed"
"""another text than the one that was checked: the verdict is not shown"""


def list_exercises(pack: targets.PackOption = None) -> None:
    """List the exercises, what passes, and the bugs met on the way."""
    known = targets.pack_of(pack, Path.cwd())
    show(targets.workspace_of(known, Path.cwd()), known)


def show(here: workspace.Workspace | None, pack: Pack) -> None:
    """The list for a workspace; nothing is passed outside of one."""
    numbers = {exercise.name: n for n, exercise in enumerate(pack.exercises, start=1)}
    for chapter in pack.chapters:
        if len(pack.chapters) > 1:
            say(_heading(chapter, here))
        for exercise in chapter.exercises:
            _show_one(numbers[exercise.name], exercise, here)
        if chapter is not pack.chapters[-1]:
            say()
    say()
    _where_next(here, pack)


def _heading(chapter: Chapter, here: workspace.Workspace | None) -> str:
    offered = "" if len(chapter.backends) == len(Backend) else f" ({listed(chapter.backends)})"
    absent = "" if here is None or here.holds(chapter.name) else ", not in this workspace"
    return wrapped(f"{chapter.name}: {chapter.title}{offered}{absent}")


def _show_one(number: int, exercise: Exercise, here: workspace.Workspace | None) -> None:
    known = here.state.progress(exercise.name) if here else Progress()
    changed = here is not None and here.is_changed(exercise)
    status = Status.NOT_STARTED if changed else known.status
    word = CHANGED if changed else words.STATUS_WORD[status]
    done = f"{words.STATUS_MARK[status]} {word}"
    say(hanging(f"{number:<2} {exercise.name:<29}{done:<15}", exercise.title))
    if changed:
        say(f"   {_was(known)}: attnpack check {exercise.name}")
    for line in _details(known):
        say(f"   {line}")


def standing() -> None:
    """Say in a few lines where the learner is and what to type next."""
    here = targets.own_workspace()
    say(f"attnpack {__version__}: write self-attention by hand, be told which bug you wrote\n")
    if here is not None:
        passed = sum(here.passes(exercise) for exercise in here.exercises)
        say(f"Workspace {here.root} ({here.backend}): {passed} of {len(here.exercises)}")
    _where_next(here, here.pack if here else packs.load())
    say("All commands: attnpack --help")


def _where_next(here: workspace.Workspace | None, pack: Pack) -> None:
    if here is None:
        say("You are in no workspace.")
        say(_begin(pack))
        return
    exercise = current(here, pack)
    known = here.state.progress(exercise.name)
    if here.passes(exercise):
        say(f"{words.ALL_PASSED.format(count=len(here.exercises))}")
        for line in _after_the_last(here, exercise):
            say(wrapped(line))
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
    changed = [e.file for e in here.exercises if here.is_changed(e)]
    say(f"{_was(here.state.progress(exercise.name))}.")
    if len(changed) > 1:
        say(wrapped(f"So did {words.listed(changed[1:])}."))
        say("Next: attnpack check --keep-going")
    else:
        say(f"Next: attnpack check, or for help: attnpack hint {exercise.name}")


def _was(known: Progress) -> str:
    how = "It passed" if known.status is Status.PASSED else "It did not pass"
    return f"{how} when it was last checked, and the file has changed since"


def _begin(pack: Pack) -> str:
    if pack.place is not None:
        return f"Next: attnpack init DIR --pack {pack.place}"
    return "Next: attnpack demo (the whole thing in a minute), or attnpack init"


def _after_the_last(here: workspace.Workspace, last: Exercise) -> Iterator[str]:
    """What is left to do in a workspace where everything passes."""
    following = next_chapter(here.pack, here.chapters[-1], here.backend, here)
    if here.pack.look:
        yield 'Next: attnpack heatmap "the cat sat on the mat" (what your attention looks at)'
    if following is not None:
        yield following.replace("Next:", "Then:", 1) if here.pack.look else following
    yield f"Or: attnpack solution {last.name} (the reference beside your code)"


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
