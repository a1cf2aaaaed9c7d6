"""Laying a workspace out: every file that is not there yet, and nothing over what is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from attnpack import pack as packs
from attnpack.errors import BadInputError, in_words
from attnpack.report.words import listed
from attnpack.terms import Backend
from attnpack.workspace import Workspace, pack_of, progress
from attnpack.workspace.recovery import fresh_state
from attnpack.workspace.stubs import TESTS, collected_by_pytest, digest, stub_text, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from attnpack.pack import Chapter, Exercise, Pack


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


def scaffold_texts(here: Workspace) -> Iterator[tuple[str, str]]:
    """What a workspace is laid out with: file names and texts."""
    for exercise in here.exercises:
        yield exercise.file, stub_text(here.pack, here.backend, exercise.file)
    for file in here.pack.beside:
        yield file, (here.pack.root / "exercises" / file).read_text(encoding="utf-8")
    yield TESTS, collected_by_pytest(here.exercises)


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


def _workspace_for(
    root: Path, pack: Pack | None, backend: Backend, before: progress.State | None
) -> Workspace:
    """The workspace to lay out, new or with the state it has. Raises BadInputError."""
    if before is None:
        chosen = pack or packs.load()
        return Workspace(root, fresh_state(chosen, backend), chosen)
    if pack is None:
        return Workspace(root, before, pack_of(root, before))
    if not before.stubs and not before.exercises:  # the state file was lost
        return Workspace(root, fresh_state(pack, backend), pack)
    known = before.pack_name or packs.load().name
    if known != pack.name:
        raise BadInputError(
            f"{root} is a workspace of the pack {known} already. "
            f"Make another folder for {pack.name}: "
            f"attnpack init DIR --pack {pack.place or pack.name}"
        )
    return Workspace(root, replace(before, place=pack.place), pack)


def _with_chapters(here: Workspace, names: Sequence[str]) -> Workspace:
    """The same with these chapters beside those it holds. Raises BadInputError."""
    for name in names:
        refuse_other_backend(here.pack, here.pack.chapter(name), here.backend)
    held = set(names)
    if here.state.stubs or not names:
        held |= {chapter.name for chapter in here.chapters}
    ordered = tuple(chapter.name for chapter in here.pack.chapters if chapter.name in held)
    return replace(here, state=replace(here.state, chapters=ordered))


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
