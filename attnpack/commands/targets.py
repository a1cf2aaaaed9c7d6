"""Which folder or file, and which exercises, the words of a command line mean."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack import pack, workspace
from attnpack.errors import BadInputError
from attnpack.report.prose import say, wrapped
from attnpack.workspace import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.pack.texts import Exercise


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

    def asking(self, exercises: Sequence[str]) -> Target:
        """The same place as it is now, for other exercises."""
        here = workspace.opened(self.workspace.root) if self.workspace else None
        return replace(self, exercises=tuple(exercises), workspace=here)


def read(words: Sequence[str], here: Path) -> Target:
    """Sort words into exercises and at most one path.

    A word that is an exercise's name is that exercise. `softmax.py` in a folder with the other
    exercises is the exercise, too; alone it is a submission of one file.
    """
    names: list[str] = []
    paths: list[str] = []
    for word in words:
        exercise = named(word)
        if exercise is not None:
            names.append(exercise.name)
        else:
            paths.append(word)
    if len(paths) > 1:
        raise BadInputError(
            f"One path at a time, and there are {len(paths)}: {', '.join(paths)}. "
            f"{_did_you_mean(paths[-1])}"
        )
    if not paths:
        return _here(here, _in_order(names))
    return _at(paths[0], here, names)


def own_workspace(start: Path | None = None) -> workspace.Workspace | None:
    """The workspace that a folder is in; says so where its progress could not be read."""
    found = workspace.find(start or Path.cwd())
    if found is not None and found.set_aside is not None:
        say(wrapped(_lost(found.set_aside)), sys.stderr)
    return found


def needed_workspace() -> workspace.Workspace:
    """As `own_workspace`, for commands that cannot do without. Raises BadInputError."""
    return own_workspace() or workspace.needed(Path.cwd())


def _lost(aside: Path) -> str:
    text = aside.read_text(encoding="utf-8", errors="replace")
    why = "holds the marks of a merge conflict" if "<<<<<<<" in text else "could not be read"
    return (
        f"The progress in {aside.with_name(progress.FILE)} {why}. It is kept as {aside.name}, and "
        "progress begins anew; your own files are as they were. See what passes: "
        "attnpack check --keep-going"
    )


def exercise(word: str) -> Exercise:
    """The exercise that a word names: its name, its file or its file's stem."""
    found = named(word) or next((e for e in pack.load().exercises if e.file == word), None)
    if found is None:
        raise BadInputError(f"There is no exercise {word!r}. {_did_you_mean(word)}")
    return found


def named(word: str) -> Exercise | None:
    """The exercise of that name; also by the stem of its file where no such file exists."""
    for candidate in pack.load().exercises:
        if word == candidate.name:
            return candidate
        if word == candidate.file.removesuffix(".py") and not Path(word).exists():
            return candidate
    return None


def _here(here: Path, names: tuple[str, ...]) -> Target:
    found = own_workspace(here)
    if found is not None:
        return Target(found.root, names, found, "")
    if any((here / e.file).is_file() for e in pack.load().exercises):
        return Target(here, names, None, "")
    raise BadInputError(
        f"There is nothing to check in {here}: it is no workspace and holds no exercise's file. "
        "Make a workspace (attnpack init), go to yours, or name a file: attnpack check FILE"
    )


def _at(word: str, here: Path, names: list[str]) -> Target:
    path = here / Path(word).expanduser()
    own = next((e for e in pack.load().exercises if e.file == path.name), None)
    if own is not None and not path.is_dir() and _among_others(path):
        return _folder(path.parent, (*names, own.name), word=str(Path(word).parent))
    if not path.exists():
        raise BadInputError(f"There is no file or folder {word!r}. {_did_you_mean(word)}")
    if path.is_dir():
        return _folder(path, tuple(names), word)
    return Target(path, _in_order(names), None, word)


def _folder(path: Path, names: Sequence[str], word: str) -> Target:
    found = own_workspace(path)
    own = found if found is not None and found.root == path.resolve() else None
    return Target(path, _in_order(names), own, "" if own and word == "." else word)


def _among_others(path: Path) -> bool:
    """Whether a file named like an exercise's lies in a workspace or beside other exercises."""
    if (path.parent / ".attnpack").is_dir():
        return True
    others = (path.parent / e.file for e in pack.load().exercises if e.file != path.name)
    return any(other.is_file() for other in others)


def _in_order(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(e.name for e in pack.load().exercises if e.name in names)


def _did_you_mean(word: str) -> str:
    import difflib

    exercises = {e.name.lower(): e.name for e in pack.load().exercises}
    close = difflib.get_close_matches(Path(word).stem.lower(), exercises, n=1, cutoff=0.6)
    if close:
        return f"Did you mean the exercise {exercises[close[0]]}?"
    return f"The exercises are: {', '.join(exercises.values())}."
