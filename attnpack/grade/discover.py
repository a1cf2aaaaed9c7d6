"""The submissions in a folder: folders, files, notebooks and archives, one per student."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from attnpack.errors import BadInputError
from attnpack.grade.archive import (
    LIMITS,
    Basket,
    Limits,
    UnreadableError,
    is_archive,
    is_source,
    read_archive,
)
from attnpack.grade.names import Owner, gradescope_owners, owners_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_METADATA = "submission_metadata.yml"


@dataclass(frozen=True)
class HandIn:
    """One submission as it lies on the disk."""

    submission: str
    """the path relative to the folder graded, with `/`"""
    owner: Owner
    paths: tuple[Path, ...]
    """one file or folder; several files where Canvas laid them side by side"""


def discover(folder: Path, out: Path | None = None) -> list[HandIn]:
    """Every submission directly inside the folder, sorted by name; the output folder is none.

    Raises BadInputError with what to do.
    """
    if not folder.is_dir():
        raise BadInputError(
            f"{folder} is no folder. Name the folder that holds one file or folder per student."
        )
    entries = [entry for entry in folder.iterdir() if _counts(entry)]
    names = sorted(e.name for e in entries if out is None or e.resolve() != out.resolve())
    owners = owners_of(names, _metadata(folder))
    found = _grouped(folder, owners)
    if not found:
        raise BadInputError(
            f"{folder} holds no submission: no folder, .py file, notebook, .zip or .tar."
        )
    return sorted(found, key=lambda hand_in: hand_in.submission)


def read(hand_in: HandIn, limits: Limits = LIMITS) -> dict[str, bytes]:
    """The source files of one submission by name, without the folders around them.

    Raises UnreadableError.
    """
    if len(hand_in.paths) > 1:
        basket = Basket(hand_in.submission, limits)
        for path, name in zip(hand_in.paths, _given_names(hand_in.paths), strict=True):
            basket.put(name, _content(path, basket.room()))
        return basket.files
    path = hand_in.paths[0]
    if path.is_dir():
        return _read_folder(hand_in.submission, path, limits)
    if is_archive(path.name):
        return innermost(
            read_archive(hand_in.submission, _content(path, limits.archive_bytes), limits)
        )
    basket = Basket(hand_in.submission, limits)
    basket.put(path.name, _content(path, limits.source_bytes))
    return basket.files


def innermost(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of the one folder that holds the submission, by bare name.

    It is the shallowest folder with a source in it; among several, the one with the most.
    """
    folders: dict[PurePosixPath, dict[str, bytes]] = {}
    for path, content in files.items():
        pure = PurePosixPath(path)
        folders.setdefault(pure.parent, {})[pure.name] = content
    if not folders:
        return {}
    best = min(folders, key=lambda folder: (len(folder.parts), -len(folders[folder]), str(folder)))
    return folders[best]


def _counts(entry: Path) -> bool:
    if entry.name.startswith((".", "__")) or entry.is_symlink():
        return False
    return entry.is_dir() or is_source(entry.name) or is_archive(entry.name)


def _metadata(folder: Path) -> dict[str, Owner]:
    path = folder / _METADATA
    return gradescope_owners(path.read_text("utf-8", "replace")) if path.is_file() else {}


def _grouped(folder: Path, owners: Mapping[str, Owner]) -> list[HandIn]:
    """One hand-in per name, but one for all the files that Canvas keeps side by side."""
    groups: dict[str, list[str]] = {}
    for name, owner in owners.items():
        groups.setdefault(owner.group or name, []).append(name)
    found = []
    for group, names in groups.items():
        submission = names[0] if len(names) == 1 else group
        paths = tuple(folder / name for name in names)
        found.append(HandIn(submission, owners[names[0]], paths))
    return found


def _given_names(paths: Sequence[Path]) -> list[str]:
    """The names the student gave, where Canvas put its own before them."""
    owners = owners_of([path.name for path in paths], {})
    return [owners[path.name].file or path.name for path in paths]


def _read_folder(submission: str, folder: Path, limits: Limits) -> dict[str, bytes]:
    """A folder's sources; where it holds none, those of the one archive in it (Moodle)."""
    basket = Basket(submission, limits)
    archives = []
    for path in _walk(folder, limits):
        inside = path.relative_to(folder).as_posix()
        if is_source(inside):
            basket.put(inside, _content(path, basket.room()))
        elif is_archive(inside):
            archives.append(path)
    if basket.files or len(archives) != 1:
        return innermost(basket.files)
    data = _content(archives[0], limits.archive_bytes)
    return innermost(read_archive(archives[0].name, data, limits))


def _walk(folder: Path, limits: Limits) -> Iterator[Path]:
    """Plain files below the folder; links are not followed."""
    count = 0
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            count += 1
            if count > limits.members:
                raise UnreadableError(f"{folder.name} holds more than {limits.members} files")
            path = Path(parent, name)
            if path.is_file() and not path.is_symlink():
                yield path


def _content(path: Path, cap: int) -> bytes:
    """At most one byte more than the cap, so that the caller sees what is too large."""
    try:
        with path.open("rb") as stream:
            return stream.read(cap + 1)
    except OSError as error:
        raise UnreadableError(f"{path.name} cannot be read: {error.strerror}") from error
