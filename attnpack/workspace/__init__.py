"""A learner's folder: scaffold it, find it, put one exercise back to its stub.

Nothing that the learner has is ever overwritten without a copy in `.attnpack/backups`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING, Final

from attnpack import pack
from attnpack.errors import BadInputError, in_words
from attnpack.terms import Backend, Status
from attnpack.workspace import progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from attnpack.pack.texts import Exercise
    from attnpack.report.model import Report

BESIDE: Final = ("SHAPES.md", "test_exercises.py")
"""what a workspace holds beside the stubs: the blank shape table, and what pytest collects"""


class Placed(Enum):
    """What became of one file of the scaffold."""

    WRITTEN = auto()
    KEPT = auto()
    """it was there already, and differs from the stub"""
    UNTOUCHED = auto()
    """it was there already, and its stub is no other now"""
    RENEWED = auto()
    """it was an older stub, which nobody had changed"""


@dataclass(frozen=True)
class Scaffold:
    """What `init` did, file by file."""

    root: Path
    files: tuple[tuple[str, Placed], ...]
    set_aside: Path | None = None
    """a state file that could not be read and was moved out of the way"""


@dataclass(frozen=True)
class Restored:
    """What `reset` did with one file."""

    file: str
    backup: Path | None
    """None where the file was missing or was the stub already"""


@dataclass(frozen=True)
class Workspace:
    """A folder with a state file that can be read."""

    root: Path
    state: progress.State
    set_aside: Path | None = None
    """a state file that could not be read and was moved out of the way just now"""

    @cached_property
    def sources(self) -> Mapping[str, str]:
        """The learner's files as they are now; empty where there is no exercise among them."""
        from attnpack import submission

        try:
            return submission.own(self.root).sources
        except submission.SubmissionError:
            return {}

    def is_changed(self, exercise: Exercise) -> bool:
        """Whether there was a verdict, and the text that it was about is no longer there."""
        from attnpack.workspace import judged

        known = self.state.progress(exercise.name)
        if known.status in (Status.NOT_STARTED, Status.SKIPPED):
            return False
        return known.text != judged.fingerprint(self.sources, exercise.file)

    def passes(self, exercise: Exercise) -> bool:
        """Whether the text that is there now is one that has passed."""
        passed = self.state.progress(exercise.name).status is Status.PASSED
        return passed and not self.is_changed(exercise)

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
                _restore(path, text, _fresh_backup_folder(self.root, now))
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
    """As `find`, for commands that cannot do without."""
    found = find(start)
    if found is None:
        raise BadInputError(
            f"There is no workspace in {start.resolve()} or any folder above it. "
            "Go to your workspace, or make one: attnpack init"
        )
    return found


def opened(root: Path) -> Workspace:
    """The workspace at `root`; a state file that cannot be read is set aside and rebuilt."""
    if not root.is_dir():
        raise BadInputError(
            f"The workspace {root} is no longer there. If you moved it, go to where it is now; "
            "to make another: attnpack init"
        )
    with in_words(root):
        known = progress.read(root)
        if known is not None:
            return Workspace(root, known)
        aside = progress.set_aside(root)
        rebuilt = progress.State(
            pack=pack.fingerprint(), backend=_guess_backend(root), stubs=_given_out(root)
        )
        progress.write(root, rebuilt)
    return Workspace(root, rebuilt, aside)


def init(root: Path, backend: Backend | None) -> Scaffold:
    """Scaffold `root`: every file that is not there yet, and the state.

    Raises BadInputError where the folder cannot be made or written, or is of another backend.
    """
    _refuse_a_file(root)
    chosen, before, aside = _backend_for(root, backend)
    placed = []
    with in_words(root):
        root.mkdir(parents=True, exist_ok=True)
        for file, text in scaffold_texts(chosen):
            placed.append((file, _place(root / file, text)))
        stubs = {file: digest(text) for file, text in scaffold_texts(chosen)}
        known = before or progress.State(pack=pack.fingerprint(), backend=chosen.value)
        progress.write(root, replace(known, stubs={**stubs, **known.stubs}))
    return Scaffold(root, tuple(placed), aside)


def reset(workspace: Workspace, exercises: Sequence[Exercise], now: datetime) -> list[Restored]:
    """Put exercises back to their stubs; what was there goes to `.attnpack/backups` first."""
    restored = []
    new = workspace.state
    with in_words(workspace.root):
        folder = _fresh_backup_folder(workspace.root, now)
        for exercise in exercises:
            stub = stub_text(workspace.backend, exercise.file)
            restored.append(_restore(workspace.file_of(exercise), stub, folder))
            met = new.progress(exercise.name)
            new = new.with_progress(
                exercise.name, replace(met, status=Status.NOT_STARTED, bug=None, hints={})
            )
            new = replace(new, stubs={**new.stubs, exercise.file: digest(stub)})
        progress.write(workspace.root, new)
    return restored


def record(
    workspace: Workspace, report: Report, sources: Mapping[str, str], now: datetime
) -> Workspace:
    """Remember how a check of this workspace ended, and of which texts that is true."""
    from attnpack.workspace import judged

    files = {exercise.name: exercise.file for exercise in pack.load().exercises}
    new = replace(workspace.state, seed=report.seed)
    for exercise in report.exercises:
        if exercise.status is not Status.SKIPPED:
            known = new.progress(exercise.name)
            text = judged.fingerprint(sources, files[exercise.name])
            after = progress.after_check(known, exercise, text, now)
            new = new.with_progress(exercise.name, after)
    return workspace.saved(new)


def stub_text(backend: Backend, file: str) -> str:
    """A stub as the pack has it."""
    return pack.stub_path(backend.value, file).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """The hash by which an unchanged stub is known, whatever its line ends."""
    import hashlib

    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def _refuse_a_file(root: Path) -> None:
    for folder in (root, *root.parents):
        if folder.exists():
            if folder.is_dir():
                return
            raise BadInputError(
                f"{folder} is a file, and a workspace is a folder. Give another name: "
                "attnpack init DIR"
            )


def _backend_for(
    root: Path, asked: Backend | None
) -> tuple[Backend, progress.State | None, Path | None]:
    """The backend to scaffold, the state that is there, and where a broken one was put."""
    with in_words(root):
        before = progress.read(root)
        if before is None:
            return asked or Backend.NUMPY, None, progress.set_aside(root)
    if asked is not None and asked.value != before.backend:
        raise BadInputError(
            f"{root} is a {before.backend} workspace already. "
            f"Make another folder for {asked}: attnpack init DIR --backend {asked}"
        )
    return Backend(before.backend), before, None


def scaffold_texts(backend: Backend) -> Iterator[tuple[str, str]]:
    """What a workspace is laid out with: file names and texts."""
    for exercise in pack.load().exercises:
        yield exercise.file, stub_text(backend, exercise.file)
    for file in BESIDE:
        yield file, (pack.ROOT / "exercises" / file).read_text(encoding="utf-8")


def _place(path: Path, text: str) -> Placed:
    if path.exists() or path.is_symlink():
        same = path.is_file() and digest(text_of(path)) == digest(text)
        return Placed.UNTOUCHED if same else Placed.KEPT
    progress.write_whole(path, text)
    return Placed.WRITTEN


def _restore(path: Path, stub: str, folder: Path) -> Restored:
    if path.is_file() and digest(text_of(path)) == digest(stub):
        return Restored(path.name, None)
    if not (path.exists() or path.is_symlink()):
        progress.write_whole(path, stub)
        return Restored(path.name, None)
    backup = folder / path.name
    progress.write_in_place_of(path, stub, backup)
    return Restored(path.name, backup)


def _fresh_backup_folder(root: Path, now: datetime) -> Path:
    name = now.strftime("%Y-%m-%d-%H%M%S")
    folder = root / progress.FOLDER / "backups" / name
    number = 2
    while folder.exists():
        folder = folder.with_name(f"{name}-{number}")
        number += 1
    return folder


def _guess_backend(root: Path) -> str:
    """The backend whose imports the files show; only for a state file that was lost."""
    texts = [text_of(root / e.file) for e in pack.load().exercises if (root / e.file).is_file()]
    for backend, sign in ((Backend.TORCH, "import torch"), (Backend.VALUE, "attnpack.value")):
        if any(sign in text for text in texts):
            return backend.value
    return Backend.NUMPY.value


def _given_out(root: Path) -> dict[str, str]:
    """Hashes of the files that still are the pack's stubs."""
    backend = Backend(_guess_backend(root))
    hashes = {e.file: digest(stub_text(backend, e.file)) for e in pack.load().exercises}
    return {
        file: known
        for file, known in hashes.items()
        if (root / file).is_file() and digest(text_of(root / file)) == known
    }


def text_of(path: Path) -> str:
    """A learner's file, whatever bytes are in it."""
    return path.read_text(encoding="utf-8", errors="replace")
