"""The submissions in a folder: folders, files, notebooks and archives, one per student."""

from __future__ import annotations

import os
import re
import stat
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
    is_hidden,
    is_source,
    read_archive,
    source_name,
)
from attnpack.grade.names import DOCUMENTS, Owner, gradescope_owners, owners_of, stem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

_METADATA = "submission_metadata.yml"
_NOBODYS = frozenset({"thumbs.db", "desktop.ini", ".ds_store", ".gitignore", ".gitattributes"})
_DEEPEST = 64
_VERSION = re.compile(r"(?P<name>.*?)(?:-(?P<number>\d{1,3})| ?\((?P<copy>\d{1,3})\))")
"""what Canvas and browsers put behind a name that is there already"""


@dataclass(frozen=True)
class HandIn:
    """One submission as it lies on the disk."""

    submission: str
    """the path relative to the folder graded, with `/`"""
    owner: Owner
    paths: tuple[Path, ...]
    """one file or folder; several files where the platform laid them side by side"""


def discover(folder: Path, out: Path | None = None, logins: Collection[str] = ()) -> list[HandIn]:
    """Every submission directly inside the folder, sorted by name; the output folder is none.

    `logins` are the roster's. Raises BadInputError with what to do.
    """
    names = [name for name in _names(folder, out) if _is_somebodys(folder / name)]
    owners = owners_of(names, _metadata(folder), logins)
    found = _grouped(folder, owners)
    if not found:
        raise BadInputError(
            f"{folder} holds no submission: no folder, .py file, notebook, .zip or .tar."
        )
    return sorted(found, key=lambda hand_in: hand_in.submission)


def left_aside(folder: Path, out: Path | None = None) -> list[str]:
    """The names in the folder that are nobody's submission, so that they can be told."""
    return [
        name
        for name in _names(folder, out)
        if not _is_somebodys(folder / name) and name != _METADATA
    ]


def read(hand_in: HandIn, limits: Limits = LIMITS) -> Basket:
    """The source files of one submission by their paths, with notes on what is not read.

    Raises UnreadableError.
    """
    basket = Basket(hand_in.submission, limits)
    if len(hand_in.paths) > 1:
        _read_side_by_side(hand_in, basket)
        return basket
    path = hand_in.paths[0]
    if path.is_symlink():
        raise UnreadableError(f"{path.name} is a link; put the files themselves here")
    if path.is_dir():
        _read_folder(path, basket)
    else:
        _read_file(path, path.name, basket)
    if not basket.files:
        raise UnreadableError(_nothing(path, basket))
    return basket


def _names(folder: Path, out: Path | None) -> list[str]:
    """All names in the folder but the output folder's and what an operating system leaves."""
    if not folder.is_dir():
        raise BadInputError(
            f"{folder} is no folder. Name the folder that holds one file or folder per student."
        )
    entries = (entry for entry in folder.iterdir() if not _is_nobodys(entry.name))
    return sorted(e.name for e in entries if out is None or e.resolve() != out.resolve())


def _is_nobodys(name: str) -> bool:
    lower = name.lower()
    is_source_or_bare = source_name(name) is not None and not name.startswith("._")
    hidden = name.startswith((".", "__")) and not is_source_or_bare
    return hidden or lower in _NOBODYS or lower.startswith("~$")


def _is_somebodys(entry: Path) -> bool:
    """Whether it was handed in, be it readable or not."""
    if entry.is_dir() or entry.is_symlink():
        return True
    known = owners_of([entry.name], {})[entry.name]
    if known.file or known.group:
        return not (known.when and not known.file)  # Blackboard's own notes on an attempt
    name = entry.name.lower()
    return source_name(name) is not None or is_archive(name) or name.endswith(DOCUMENTS)


def _metadata(folder: Path) -> dict[str, Owner]:
    path = folder / _METADATA
    return gradescope_owners(path.read_text("utf-8", "replace")) if path.is_file() else {}


def _grouped(folder: Path, owners: Mapping[str, Owner]) -> list[HandIn]:
    """One hand-in per name, but one for all the files of a student that lie side by side."""
    groups: dict[str, list[str]] = {}
    for name, owner in owners.items():
        groups.setdefault(f"\0{owner.group}" if owner.group else name, []).append(name)
    found = []
    for names in groups.values():
        ordered = sorted(names, key=lambda name: (owners[name].order, name))
        latest = owners[ordered[-1]]
        submission = ordered[0] if len(ordered) == 1 else latest.group
        found.append(HandIn(submission, latest, tuple(folder / name for name in ordered)))
    return found


def _read_side_by_side(hand_in: HandIn, basket: Basket) -> None:
    """The files of one student: of several attempts or archives the latest."""
    given = {path: _given_name(path) for path in hand_in.paths}
    of_latest = _latest_attempt(hand_in.paths, basket)
    wanted = [path for path in of_latest if is_source(given[path]) or is_archive(given[path])]
    basket.notes += [
        f"{given[p]} is not read: it is no source." for p in of_latest if p not in wanted
    ]
    if not wanted:
        raise UnreadableError(
            f"there is no .py file and no notebook in it, only {_some(list(given.values()))}"
        )
    archives = [path for path in wanted if is_archive(given[path])]
    if archives and len(wanted) > 1:
        wanted = _latest(wanted, archives, given, basket)
    newest = _newest_versions([given[path] for path in wanted], basket.notes, all_of_them=True)
    for path in wanted:
        if given[path] in newest:
            _read_file(path, newest[given[path]], basket)


def _latest_attempt(paths: Sequence[Path], basket: Basket) -> list[Path]:
    """Blackboard keeps all attempts: those files that are of the last one."""
    owners = owners_of([path.name for path in paths], {})
    times = {path: owners[path.name].when for path in paths}
    last = max(times.values())
    if any(time != last for time in times.values()):
        basket.notes.append(f"Of several attempts the latest, of {last}, is judged.")
    return [path for path in paths if times[path] == last]


def _latest(
    wanted: Sequence[Path], archives: Sequence[Path], given: Mapping[Path, str], basket: Basket
) -> list[Path]:
    """The last archive, or the sources where one of them came after it: paths are in order."""
    last = wanted[-1]
    kept = [last] if last in archives else [path for path in wanted if path not in archives]
    basket.notes.append(
        f"Of {_some([given[path] for path in wanted])} what came last is judged: "
        f"{_some([given[path] for path in kept])}."
    )
    return kept


def _newest_versions(
    names: Sequence[str], notes: list[str], *, all_of_them: bool = False
) -> dict[str, str]:
    """Of `hw.zip`, `hw-1.zip` the last, under its bare name.

    A lone `hw-1.zip` keeps its name, as it may be the first of several parts, unless the
    platform is known to number `all_of_them`.
    """
    versions: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        bare, number = _version(name)
        versions.setdefault(bare, []).append((number, name))
    newest = {}
    for bare, found in versions.items():
        numbers = [number for number, _ in found]
        if not all_of_them and 0 not in numbers:
            newest.update({name: name for _, name in found})
            continue
        _, last = max(found)
        newest[last] = bare
        if len(found) > 1:
            others = [name for _, name in sorted(found) if name != last]
            notes.append(f"Of {_some([*others, last])} the latest, {last}, is judged.")
    return newest


def _version(name: str) -> tuple[str, int]:
    """`hw-1.zip` as `hw.zip` and 1."""
    bare = stem(source_name(name) or name)
    found = _VERSION.fullmatch(bare)
    if found is None or not found["name"]:
        return name, 0
    return name.replace(bare, found["name"], 1), int(found["number"] or found["copy"])


def _given_name(path: Path) -> str:
    """The name the student gave, where the platform put its own before it."""
    return owners_of([path.name], {})[path.name].file or path.name


def _read_file(path: Path, name: str, basket: Basket) -> None:
    """One source or archive into the basket, by the name the student gave it."""
    if not path.is_file():
        raise UnreadableError(f"{name} is not an ordinary file")
    if is_archive(name):
        _read_archive(name, _content(path, basket.limits.archive_bytes), basket, "")
    elif is_source(name):
        basket.put(name, _content(path, basket.room(name)))


def _read_archive(name: str, data: bytes, basket: Basket, folder: str) -> None:
    """Its sources; where it holds none, those of the archives in it."""
    own = Basket(name, basket.limits)
    read_archive(name, data, basket.limits, own)
    if not own.files:
        for path in _newest_versions(sorted(own.archives), own.notes):
            inner = Basket(path, basket.limits)
            read_archive(path, own.archives[path], basket.limits, inner)
            own.take(inner, stem(path))
    own.archives.clear()
    basket.take(own, folder)


def _read_folder(folder: Path, basket: Basket) -> None:
    """A folder's sources and those of the archives in it, each archive as a folder."""
    archives: dict[str, Path] = {}
    for path in _walk(folder, basket):
        inside = path.relative_to(folder).as_posix()
        if is_source(inside):
            basket.put(inside, _content(path, basket.room(inside)))
        elif is_archive(inside) and not is_hidden(inside):
            archives[inside] = path
    newest = _newest_versions(sorted(archives), basket.notes)
    problems = []
    for inside in newest:
        try:
            data = _content(archives[inside], basket.limits.archive_bytes)
            _read_archive(inside, data, basket, stem(inside))
        except UnreadableError as error:
            problems.append(str(error))
    if problems and not basket.files:
        raise UnreadableError(problems[0])
    basket.notes += [f"Not read: {problem}." for problem in problems]


def _walk(folder: Path, basket: Basket) -> Iterator[Path]:
    """Plain files below the folder; links are not followed, nor folders without end."""
    count = 0
    waiting = [(folder, 0)]
    while waiting:
        parent, depth = waiting.pop()
        try:
            entries = sorted(os.scandir(parent), key=lambda entry: entry.name)
        except OSError as error:
            basket.notes.append(f"{parent.name} cannot be read: {error.strerror}.")
            continue
        folders = []
        for entry in entries:
            count += 1
            if count > basket.limits.members:
                raise UnreadableError(
                    f"{folder.name} holds more than {basket.limits.members} files"
                )
            if entry.is_dir(follow_symlinks=False):
                folders.append((parent / entry.name, depth + 1))
            elif stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
                yield parent / entry.name
        if folders and depth >= _DEEPEST:
            basket.notes.append(f"Folders below more than {_DEEPEST} others are not read.")
            folders = []
        waiting += reversed(folders)


def _content(path: Path, cap: int) -> bytes:
    """At most one byte more than the cap, so that the caller sees what is too large."""
    try:
        with path.open("rb") as stream:
            return stream.read(cap + 1)
    except OSError as error:
        raise UnreadableError(f"{path.name} cannot be read: {error.strerror}") from error


def _nothing(path: Path, basket: Basket) -> str:
    """Why there is nothing to judge, as exactly as can be told."""
    if path.is_dir():
        names = sorted(p.name for p in path.iterdir() if p.name.lower() not in _NOBODYS)
        found = f", only {_some(names)}" if names else ": it is empty"
        said = f"there is no .py file and no notebook in it{found}"
    elif is_archive(path.name):
        said = f"there is no .py file and no notebook in {path.name}"
    elif path.name.startswith("."):
        said = f"{path.name} begins with a dot, so it is hidden and not read: rename it"
    else:
        ending = PurePosixPath(path.name).suffix or "without an ending"
        said = f"{path.name} is no .py file, no notebook, no .zip and no .tar ({ending})"
    return " ".join([said, *basket.notes])


def _some(names: Sequence[str]) -> str:
    """Some of the names, cut where there are many."""
    shown = ", ".join(names[:4])
    return f"{shown} and {len(names) - 4} more" if names[4:] else shown
