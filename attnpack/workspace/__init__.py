"""A learner's folder: what it holds, where it is found, what is remembered of it.

Nothing that the learner has is ever overwritten without a copy in `.attnpack/backups`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from attnpack import pack as packs
from attnpack.errors import BadInputError, in_words
from attnpack.terms import Backend, Status
from attnpack.workspace import backups, progress, recovery
from attnpack.workspace.stubs import digest, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from attnpack.pack import Chapter, Exercise, Pack
    from attnpack.report.model import Report


@dataclass(frozen=True)
class Workspace:
    """A folder with a state file that can be read."""

    root: Path
    state: progress.State
    pack: Pack
    set_aside: Path | None = None
    """a state file that could not be read and was moved out of the way just now"""

    @cached_property
    def sources(self) -> Mapping[str, str]:
        """The learner's files as they are now; empty where there is no exercise among them."""
        from attnpack import submission

        try:
            return submission.own(self.root, self.pack).sources
        except submission.SubmissionError:
            return {}

    def is_changed(self, exercise: Exercise) -> bool:
        """Whether there was a verdict, and the text that it was about is no longer there."""
        from attnpack.workspace import judged

        known = self.state.progress(exercise.name)
        if known.status in (Status.NOT_STARTED, Status.SKIPPED):
            return False
        return known.text != judged.fingerprint(self.sources, exercise.file, self.pack)

    def passes(self, exercise: Exercise) -> bool:
        """Whether the text that is there now is one that has passed."""
        passed = self.state.progress(exercise.name).status is Status.PASSED
        return passed and not self.is_changed(exercise)

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """Those that were laid out here, in the order of the course."""
        known = [chapter for chapter in self.pack.chapters if chapter.name in self.state.chapters]
        return tuple(known) or (self.pack.chapters[0],)

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Those of its chapters that are written in its backend, in order."""
        every = [exercise for chapter in self.chapters for exercise in chapter.exercises]
        return tuple(exercise for exercise in every if self.backend in exercise.backends)

    def holds(self, chapter: str) -> bool:
        """Whether a chapter was laid out here."""
        return any(each.name == chapter for each in self.chapters)

    @property
    def backend(self) -> Backend:
        """What the exercises of this workspace are written in."""
        return Backend(self.state.backend)

    def file_of(self, exercise: Exercise) -> Path:
        """Where the learner writes an exercise."""
        return self.root / exercise.file

    def saved(self, new: progress.State) -> Workspace:
        """The workspace with another state, which is on the disk when this returns."""
        with in_words(self.root):
            progress.write(self.root, new)
        return replace(self, state=new)

    def put(self, file: str, text: str, now: datetime) -> Path:
        """Write a file of attnpack's own; one that the learner changed is backed up first."""
        path = self.root / file
        with in_words(self.root):
            if path.is_file() and digest(text_of(path)) != self.state.stubs.get(file):
                backups.restore(path, text, backups.fresh_folder(self.root, now))
            else:
                progress.write_whole(path, text)
        self.saved(replace(self.state, stubs={**self.state.stubs, file: digest(text)}))
        return path


def find(start: Path) -> Workspace | None:
    """The workspace that `start` is in: it or the nearest folder above with `.attnpack`."""
    for folder in (start.resolve(), *start.resolve().parents):
        if (folder / progress.FOLDER).is_dir():
            return opened(folder)
    return None


def needed(start: Path) -> Workspace:
    """The workspace that `find` finds. Raises BadInputError where there is none."""
    found = find(start)
    if found is None:
        raise BadInputError(
            f"There is no workspace in {start.resolve()} or any folder above it. "
            "Go to your workspace, or make one: attnpack init"
        )
    return found


def opened(root: Path) -> Workspace:
    """The workspace at `root`; a state file that cannot be read is set aside and rebuilt.

    Raises BadInputError where the folder is gone, or its state is of a newer attnpack.
    """
    if not root.is_dir():
        raise BadInputError(
            f"The workspace {root} is no longer there. If you moved it, go to where it is now; "
            "to make another: attnpack init"
        )
    with in_words(root):
        known = progress.read(root)
        if known is not None:
            return Workspace(root, known, pack_of(root, known))
        aside = progress.set_aside(root)
        rebuilt = recovery.rebuilt(root, packs.load())
        progress.write(root, rebuilt)
    return Workspace(root, rebuilt, packs.load(), aside)


def record(
    workspace: Workspace, report: Report, sources: Mapping[str, str], now: datetime
) -> Workspace:
    """Remember how a check of this workspace ended, and of which texts that is true."""
    from attnpack.workspace import judged

    pack = workspace.pack
    new = replace(workspace.state, seed=report.seed)
    for exercise in report.exercises:
        if exercise.status is not Status.SKIPPED:
            known = new.progress(exercise.name)
            text = judged.fingerprint(sources, pack.exercise(exercise.name).file, pack)
            after = progress.after_check(known, exercise, text, now)
            new = new.with_progress(exercise.name, after)
    return workspace.saved(new)


def pack_of(root: Path, state: progress.State) -> Pack:
    """The pack of a workspace's exercises. Raises BadInputError where it is no longer there."""
    try:
        return packs.remembered(state.place)
    except BadInputError as error:
        raise BadInputError(
            f"{error}\nIt is the pack of the workspace {root}. Where it lies somewhere else now: "
            "attnpack init --pack FOLDER"
        ) from error
