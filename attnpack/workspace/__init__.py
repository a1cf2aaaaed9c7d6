"""A learner's folder: scaffold it, find it, put one exercise back to its stub.

Nothing that the learner has is ever overwritten without a copy in `.attnpack/backups`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING, Final

from attnpack import pack as packs
from attnpack.errors import BadInputError, in_words
from attnpack.report.words import listed
from attnpack.terms import Backend, Status
from attnpack.workspace import progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from attnpack.pack import Chapter, Exercise, Pack
    from attnpack.report.model import Report

TESTS: Final = "test_exercises.py"
"""what pytest collects: it has a function for every exercise"""


class Placed(Enum):
    """What became of one file of the scaffold."""

    WRITTEN = auto()
    KEPT = auto()
    """it was there already, and differs from the stub"""
    UNTOUCHED = auto()
    """it was there already, and its stub is no other now"""
    RENEWED = auto()
    """it was an older one, which nobody had changed"""


@dataclass(frozen=True)
class Scaffold:
    """What `init` did, file by file."""

    root: Path
    files: tuple[tuple[str, Placed], ...]
    first: Exercise
    """of the chapter that was asked for, or of all"""
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
            return Workspace(root, known, _pack_of(root, known))
        aside = progress.set_aside(root)
        rebuilt = _rebuilt(root, packs.load())
        progress.write(root, rebuilt)
    return Workspace(root, rebuilt, packs.load(), aside)


def init(
    root: Path,
    backend: Backend | None,
    pack: Pack | None = None,
    chapters: Sequence[str] = (),
) -> Scaffold:
    """Scaffold `root`: every file that is not there yet, and the state.

    In a workspace, chapters are added to those it holds; in a new one, to none: the pack's first
    is laid out where none is named. Raises BadInputError where the folder cannot be made or
    written, is of another backend or pack, or where there is no such chapter in that backend.
    """
    _refuse_a_file(root)
    chosen, before, aside = _backend_for(root, backend)
    here = _workspace_for(root, pack, chosen, before)
    here = _with_chapters(here, chapters)
    placed = []
    with in_words(root):
        root.mkdir(parents=True, exist_ok=True)
        stubs = dict(here.state.stubs)
        for file, text in scaffold_texts(here):
            fate = _place(root / file, text, stubs.get(file) if file == TESTS else None)
            if fate is Placed.RENEWED or file not in stubs:
                stubs[file] = digest(text)
            placed.append((file, fate))
        progress.write(root, replace(here.state, stubs=stubs))
    first = here.pack.in_chapters(chapters)[0] if chapters else here.exercises[0]
    return Scaffold(root, tuple(placed), first, aside)


def reset(workspace: Workspace, exercises: Sequence[Exercise], now: datetime) -> list[Restored]:
    """Put exercises back to their stubs; what was there goes to `.attnpack/backups` first."""
    restored = []
    new = workspace.state
    with in_words(workspace.root):
        folder = _fresh_backup_folder(workspace.root, now)
        for exercise in exercises:
            stub = stub_text(workspace.pack, workspace.backend, exercise.file)
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

    pack = workspace.pack
    new = replace(workspace.state, seed=report.seed)
    for exercise in report.exercises:
        if exercise.status is not Status.SKIPPED:
            known = new.progress(exercise.name)
            text = judged.fingerprint(sources, pack.exercise(exercise.name).file, pack)
            after = progress.after_check(known, exercise, text, now)
            new = new.with_progress(exercise.name, after)
    return workspace.saved(new)


def stub_text(pack: Pack, backend: Backend, file: str) -> str:
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


def _pack_of(root: Path, state: progress.State) -> Pack:
    try:
        return packs.remembered(state.place)
    except BadInputError as error:
        raise BadInputError(
            f"{error}\nIt is the pack of the workspace {root}. Where it lies somewhere else now: "
            "attnpack init --pack FOLDER"
        ) from error


def _workspace_for(
    root: Path, pack: Pack | None, backend: Backend, before: progress.State | None
) -> Workspace:
    """The workspace to lay out, new or with the state it has. Raises BadInputError."""
    if before is None:
        chosen = pack or packs.load()
        return Workspace(root, _fresh_state(chosen, backend), chosen)
    if pack is None:
        return Workspace(root, before, _pack_of(root, before))
    if not before.stubs and not before.exercises:  # the state file was lost
        return Workspace(root, _fresh_state(pack, backend), pack)
    known = before.pack_name or packs.load().name
    if known != pack.name:
        raise BadInputError(
            f"{root} is a workspace of the pack {known} already. "
            f"Make another folder for {pack.name}: "
            f"attnpack init DIR --pack {pack.place or pack.name}"
        )
    return Workspace(root, replace(before, place=pack.place), pack)


def _fresh_state(pack: Pack, backend: Backend) -> progress.State:
    name = pack.name if pack.place else None
    return progress.State(pack.fingerprint(), backend.value, pack_name=name, place=pack.place)


def _with_chapters(here: Workspace, names: Sequence[str]) -> Workspace:
    """The same with these chapters beside those it holds. Raises BadInputError."""
    for name in names:
        refuse_other_backend(here.pack, here.pack.chapter(name), here.backend)
    held = set(names)
    if here.state.stubs or not names:
        held |= {chapter.name for chapter in here.chapters}
    ordered = tuple(chapter.name for chapter in here.pack.chapters if chapter.name in held)
    return replace(here, state=replace(here.state, chapters=ordered))


def refuse_other_backend(pack: Pack, chapter: Chapter, backend: Backend) -> None:
    """Raises BadInputError where a chapter cannot be written in a backend."""
    if backend in chapter.backends:
        return
    where = [each.name for each in pack.chapters if backend in each.backends]
    stays = f"; {backend} stays with {listed(where)}" if where else ""
    raise BadInputError(
        f"The chapter {chapter.name} is written in {listed(chapter.backends)}{stays}. A workspace "
        f"for it: attnpack init DIR --backend {chapter.backends[0]} --chapter {chapter.name}"
    )


def scaffold_texts(here: Workspace) -> Iterator[tuple[str, str]]:
    """What a workspace is laid out with: file names and texts."""
    for exercise in here.exercises:
        yield exercise.file, stub_text(here.pack, here.backend, exercise.file)
    for file in here.pack.beside:
        yield file, (here.pack.root / "exercises" / file).read_text(encoding="utf-8")
    yield TESTS, collected_by_pytest(here.exercises)


def collected_by_pytest(exercises: Sequence[Exercise]) -> str:
    """A test function for each exercise; the plugin makes one test of it for each stage."""
    functions = [
        f"def test_{exercise.name}(attnpack_stage):\n    attnpack_stage.must_pass()\n"
        for exercise in exercises
    ]
    return "\n\n".join([_TESTS_HEAD, *functions])


def _place(path: Path, text: str, given_out: str | None = None) -> Placed:
    """Write a file that is not there, or is there just as it was given out before."""
    if path.exists() or path.is_symlink():
        now = digest(text_of(path)) if path.is_file() else None
        if now == digest(text):
            return Placed.UNTOUCHED
        if now is None or now != given_out:
            return Placed.KEPT
    fate = Placed.RENEWED if path.exists() else Placed.WRITTEN
    progress.write_whole(path, text)
    return fate


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


def _rebuilt(root: Path, pack: Pack) -> progress.State:
    """The state of a workspace whose state file was lost, as far as its files show it."""
    backend = _guess_backend(root, pack)
    there = [e.name for e in pack.exercises if (root / e.file).is_file()]
    chapters = [pack.chapter_of(name).name for name in there]
    return replace(
        _fresh_state(pack, backend),
        stubs=_given_out(root, pack, backend),
        chapters=tuple(dict.fromkeys(chapters)),
    )


def _guess_backend(root: Path, pack: Pack) -> Backend:
    """The backend whose imports the files show; only for a state file that was lost."""
    texts = [text_of(root / e.file) for e in pack.exercises if (root / e.file).is_file()]
    for backend, sign in ((Backend.TORCH, "import torch"), (Backend.VALUE, "attnpack.value")):
        if any(sign in text for text in texts):
            return backend
    return Backend.NUMPY


def _given_out(root: Path, pack: Pack, backend: Backend) -> dict[str, str]:
    """Hashes of the files that still are the pack's stubs."""
    offered = [e.file for e in pack.exercises if backend in e.backends]
    hashes = {file: digest(stub_text(pack, backend, file)) for file in offered}
    return {
        file: known
        for file, known in hashes.items()
        if (root / file).is_file() and digest(text_of(root / file)) == known
    }


def text_of(path: Path) -> str:
    """A learner's file, whatever bytes are in it."""
    return path.read_text(encoding="utf-8", errors="replace")


_TESTS_HEAD: Final = '''\
"""`pytest` checks your exercises: one test for each of them and each question about it.

The same checks as `attnpack check`, with your code in the same separate process. This is the
file that editors and CI look for; there is nothing in it to change. Should pytest not find
`attnpack_stage`, it runs under another Python: type `python -m pytest` where attnpack is installed.
"""
'''
