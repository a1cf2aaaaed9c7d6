"""Which folder or file, and which exercises, the words of a command line mean."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from attnpack import pack as packs
from attnpack import workspace
from attnpack.errors import BadInputError
from attnpack.report.prose import say, wrapped
from attnpack.terms import Status
from attnpack.workspace import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.pack import Exercise, Pack

PackOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--pack",
        metavar="FOLDER|NAME",
        help="Exercises of others; the workspace's if not said, else attnpack's own.",
    ),
]
ChapterOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--chapter", metavar="NAME", help="A chapter of the pack; may be repeated."),
]


@dataclass(frozen=True)
class Target:
    """What to check."""

    path: Path
    exercises: tuple[str, ...]
    """in the order of the course; empty for all"""
    workspace: workspace.Workspace | None
    """where progress is remembered, if `path` is a workspace's folder"""
    word: str
    """how the learner names the path on the command line; empty for the workspace they are in"""
    pack: Pack

    def asking(self, exercises: Sequence[str]) -> Target:
        """The same place as it is now, for other exercises."""
        here = workspace.opened(self.workspace.root) if self.workspace else None
        return replace(self, exercises=tuple(exercises), workspace=here)


def read(
    words: Sequence[str], here: Path, pack: str | None = None, chapters: Sequence[str] = ()
) -> Target:
    """Sort words into exercises and at most one path.

    A word that is an exercise's name is that exercise. `softmax.py` in a folder with the other
    exercises is the exercise, too; alone it is a submission of one file. The exercises are those
    of the pack that is named, or of the workspace that the words or `here` lie in. Of chapters
    all exercises are meant.

    Raises BadInputError where a word is neither, or two paths are given.
    """
    chosen = _pack_for(words, here, pack)
    found = _sorted(words, here, chosen)
    if found.workspace is not None and found.workspace.pack.name != chosen.name:
        raise BadInputError(
            f"{found.workspace.root} is a workspace of the pack {found.workspace.pack.name}, not "
            f"of {chosen.name}. Leave --pack out there."
        )
    return _of_chapters(found, chapters)


def pack_of(name: str | None, here: Path) -> Pack:
    """The pack of that name or folder; if none is named, that of the workspace around `here`."""
    if name is not None:
        return packs.load(name)
    found = own_workspace(here)
    return found.pack if found else packs.load()


def workspace_of(pack: Pack, here: Path) -> workspace.Workspace | None:
    """The workspace around `here`, if it is one of this pack."""
    found = own_workspace(here)
    return found if found is not None and found.pack.name == pack.name else None


def _pack_for(words: Sequence[str], here: Path, name: str | None) -> Pack:
    """The pack that is named; or of the workspace that a path among the words lies in."""
    paths = [here / Path(word).expanduser() for word in words]
    there = next((path for path in paths if path.exists()), here)
    return pack_of(name, there if there.is_dir() else there.parent)


def _of_chapters(target: Target, names: Sequence[str]) -> Target:
    """The same for the exercises of these chapters too. Raises BadInputError."""
    if not names:
        return target
    wanted = {e.name for e in target.pack.in_chapters(names)} | set(target.exercises)
    missing = [name for name in names if target.workspace and not target.workspace.holds(name)]
    if missing:
        raise BadInputError(
            f"The chapter {missing[0]} is not in this workspace yet. Add it: attnpack init "
            f"{target.word or '.'} --chapter {missing[0]}"
        )
    return replace(target, exercises=_in_order(list(wanted), target.pack))


def _sorted(words: Sequence[str], here: Path, pack: Pack) -> Target:
    names: list[str] = []
    paths: list[str] = []
    for word in words:
        exercise = named(word, pack)
        if exercise is not None:
            names.append(exercise.name)
        else:
            paths.append(word)
    if len(paths) > 1:
        raise BadInputError(
            f"One path at a time, and there are {len(paths)}: {', '.join(paths)}. "
            f"{_did_you_mean(paths[-1], pack)}"
        )
    if not paths:
        return _here(here, _in_order(names, pack), pack)
    return _at(paths[0], here, names, pack)


def own_workspace(start: Path | None = None) -> workspace.Workspace | None:
    """The workspace that a folder is in; says so where its progress could not be read."""
    found = workspace.find(start or Path.cwd())
    if found is not None and found.set_aside is not None:
        say(wrapped(_lost(found.set_aside)), sys.stderr)
    return found


def needed_workspace() -> workspace.Workspace:
    """As `own_workspace`, for commands that cannot do without. Raises BadInputError."""
    return own_workspace() or workspace.needed(Path.cwd())


def that_fails(here: workspace.Workspace) -> Exercise:
    """The first exercise whose last check failed; else the first that does not pass."""
    wrong = (Status.FAILED, Status.ERROR)
    failed = (e for e in here.exercises if here.state.progress(e.name).status in wrong)
    open_ones = (e for e in here.exercises if not here.passes(e))
    return next(failed, None) or next(open_ones, here.exercises[-1])


def _lost(aside: Path) -> str:
    text = aside.read_text(encoding="utf-8", errors="replace")
    why = "holds the marks of a merge conflict" if "<<<<<<<" in text else "could not be read"
    return (
        f"The progress in {aside.with_name(progress.FILE)} {why}. It is kept as {aside.name}, and "
        "progress begins anew; your own files are as they were. See what passes: "
        "attnpack check --keep-going"
    )


def exercise(word: str, pack: Pack) -> Exercise:
    """The exercise that a word names: its name, its file or its file's stem.

    Raises BadInputError, with a near name where there is one.
    """
    found = named(word, pack) or next((e for e in pack.exercises if e.file == word), None)
    if found is None:
        raise BadInputError(f"There is no exercise {word!r}. {_did_you_mean(word, pack)}")
    return found


def named(word: str, pack: Pack) -> Exercise | None:
    """The exercise of that name; also by the stem of its file where no such file exists."""
    for candidate in pack.exercises:
        if word == candidate.name:
            return candidate
        if word == candidate.file.removesuffix(".py") and not Path(word).exists():
            return candidate
    return None


def _here(here: Path, names: tuple[str, ...], pack: Pack) -> Target:
    found = own_workspace(here)
    if found is not None:
        return Target(found.root, names, found, "", pack)
    if any((here / e.file).is_file() for e in pack.exercises):
        return Target(here, names, None, "", pack)
    raise BadInputError(
        f"There is nothing to check in {here}: it is no workspace and holds no exercise's file. "
        "Make a workspace (attnpack init), go to yours, or name a file: attnpack check FILE"
    )


def _at(word: str, here: Path, names: list[str], pack: Pack) -> Target:
    path = here / Path(word).expanduser()
    own = next((e for e in pack.exercises if e.file == path.name), None)
    if own is not None and not path.is_dir() and _among_others(path, pack):
        return _folder(path.parent, (*names, own.name), str(Path(word).parent), pack)
    if not path.exists():
        raise BadInputError(f"There is no file or folder {word!r}. {_did_you_mean(word, pack)}")
    if path.is_dir():
        return _folder(path, tuple(names), word, pack)
    return Target(path, _in_order(names, pack), None, word, pack)


def _folder(path: Path, names: Sequence[str], word: str, pack: Pack) -> Target:
    found = own_workspace(path)
    own = found if found is not None and found.root == path.resolve() else None
    shown = "" if own and word == "." else word
    return Target(path, _in_order(names, pack), own, shown, pack)


def _among_others(path: Path, pack: Pack) -> bool:
    """Whether a file named like an exercise's lies in a workspace or beside other exercises."""
    if (path.parent / ".attnpack").is_dir():
        return True
    others = (path.parent / e.file for e in pack.exercises if e.file != path.name)
    return any(other.is_file() for other in others)


def _in_order(names: Sequence[str], pack: Pack) -> tuple[str, ...]:
    return tuple(e.name for e in pack.exercises if e.name in names)


def _did_you_mean(word: str, pack: Pack) -> str:
    import difflib

    exercises = {e.name.lower(): e.name for e in pack.exercises}
    close = difflib.get_close_matches(Path(word).stem.lower(), exercises, n=1, cutoff=0.6)
    if close:
        return f"Did you mean the exercise {exercises[close[0]]}?"
    return f"The exercises are: {', '.join(exercises.values())}."
