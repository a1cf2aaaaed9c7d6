"""A file system of one's own that holds the readable paths, read-only, and nothing else.

Landlock leaves names, sizes and the list of processes to be seen; here they are not there.
It also reaches what lies in a folder closed to others (an interpreter in root's home) after the
change of user. Needs a mount namespace and Linux 5.12.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack.guest.confine.kernel import call

if TYPE_CHECKING:
    from collections.abc import Iterable

_RDONLY, _NOSUID, _NODEV, _NOEXEC = 1, 2, 4, 8
"""the same bits as MS_* and as MOUNT_ATTR_*"""
_MS_REMOUNT, _MS_BIND, _MS_REC, _MS_PRIVATE = 32, 4096, 16384, 1 << 18
_AT_FDCWD = -100
_AT_EMPTY_PATH, _AT_RECURSIVE = 0x1000, 0x8000
_OPEN_TREE_CLONE = 1
_MOVE_MOUNT_F_EMPTY_PATH = 4
_MNT_DETACH = 2


@dataclass(frozen=True)
class View:
    """What to show where; paths are absolute, and those above come before those below."""

    folders: tuple[str, ...]
    """to be made, empty, as places to mount on"""
    files: tuple[str, ...]
    mounted: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    """(path, target): symbolic links on the way to what is shown"""
    covered: tuple[str, ...]
    """folders below a mounted one that are shown empty"""


def plan(readable: Iterable[str], hidden: Iterable[str], empty: Iterable[str] = ()) -> View:
    """The view that shows these paths, under the names given and under their real ones.

    `empty` folders are there to be mounted on later, parents before children.
    """
    links: dict[str, str] = {}
    mounted: list[Path] = []
    for path in readable:
        real = _resolve(Path(path), links)
        if not any(real.is_relative_to(other) for other in mounted):
            mounted.append(real)
    outside = {path: target for path, target in links.items() if not _is_inside(path, mounted)}
    files = [path for path in mounted if not path.is_dir()]
    folders = {parent for path in (*mounted, *map(Path, outside)) for parent in path.parents}
    folders |= set(mounted) - set(files)
    folders -= {Path("/")}
    return View(
        folders=(
            *sorted(str(path) for path in folders if not _is_inside(path.parent, mounted)),
            *empty,
        ),
        files=tuple(map(str, files)),
        mounted=tuple(map(str, mounted)),
        links=tuple(outside.items()),
        covered=tuple(path for path in map(os.path.realpath, hidden) if _is_inside(path, mounted)),
    )


def enter(view: View) -> bool:
    """Make the view and move into it; False where this kernel or container forbids mounts.

    Raises OSError where it fails half way: then the process must not go on.
    """
    cover = next(path for path in view.mounted if path not in view.files)
    tmpfs = _NOSUID | _NODEV | _NOEXEC
    try:
        call("mount", None, b"/", None, _MS_REC | _MS_PRIVATE, None)
        trees = {path: _clone(path) for path in view.mounted}
        call("mount", b"attnpack", os.fsencode(cover), b"tmpfs", tmpfs, b"mode=755,size=1m")
    except OSError:
        return False
    os.chdir(cover)
    _lay_out(view)
    for path, tree in trees.items():
        place = os.fsencode(f".{path}")
        call("move_mount", tree, b"", _AT_FDCWD, place, _MOVE_MOUNT_F_EMPTY_PATH)
        os.close(tree)
    for path in view.covered:
        place = os.fsencode(f".{path}")
        call("mount", b"attnpack", place, b"tmpfs", tmpfs | _RDONLY, b"mode=755,size=4k")
    call("pivot_root", b".", b".")
    call("umount2", b".", _MNT_DETACH)
    os.chdir("/")
    call("mount", None, b"/", None, _MS_REMOUNT | _MS_BIND | _RDONLY | tmpfs, None)
    return True


def _lay_out(view: View) -> None:
    mask = os.umask(0o022)
    for path in view.folders:
        Path(f".{path}").mkdir()
    for path in view.files:
        Path(f".{path}").touch()
    for path, target in view.links:
        Path(f".{path}").symlink_to(target)
    os.umask(mask)


def _clone(path: str) -> int:
    """A copy of the mount at a path, read-only, not mounted yet."""
    flags = _OPEN_TREE_CLONE | os.O_CLOEXEC | _AT_RECURSIVE
    tree = call("open_tree", _AT_FDCWD, os.fsencode(path), flags)
    attributes = struct.pack("<4Q", _RDONLY | _NOSUID | _NODEV, 0, 0, 0)
    flags = _AT_EMPTY_PATH | _AT_RECURSIVE
    call("mount_setattr", tree, b"", flags, attributes, len(attributes))
    return tree


def _resolve(path: Path, links: dict[str, str]) -> Path:
    """The real path; `links` gets every symbolic link on the way."""
    reached = Path("/")
    for part in path.parts[1:]:
        step = reached / part
        if step.is_symlink():
            links[str(step)] = str(step.readlink())
            reached = _resolve(Path(os.path.normpath(reached / step.readlink())), links)
        else:
            reached = step
    return reached


def _is_inside(path: str | Path, folders: Iterable[Path]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)
