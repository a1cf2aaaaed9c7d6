"""The one folder that a guest may write to: its own, empty, bounded, gone when it ends.

Where there is a view, each guest mounts a small file system of its own. Elsewhere it is a folder
on the machine's disk below one that the warm process makes and clears; the host looks after its
size.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack.guest.confine.kernel import call

if TYPE_CHECKING:
    from attnpack.guest.confine.policy import Policy

PARENT, OWN = "/attnpack", "/attnpack/scratch"
"""in the view"""
PREFIX = "attnpack-scratch-"
_NEW_MOUNTS = 0x00020000
_NOSUID, _NODEV, _NOEXEC = 2, 4, 8
_VARIABLES = ("HOME", "TMPDIR", "TEMP", "TMP")
_PRIVATE, _PASSABLE = 0o700, 0o711
_MOST_STEPS = 100_000


def mount(policy: Policy, uid: int) -> bool:
    """In the view: a file system in memory at OWN, seen by this process alone.

    Before any right is given up. False where this kernel forbids it.
    """
    size = f"mode=700,uid={uid},gid={uid},size={policy.scratch_bytes},nr_inodes="
    options = f"{size}{policy.scratch_files}".encode()
    try:
        call("unshare", _NEW_MOUNTS)
        call("mount", b"scratch", OWN.encode(), b"tmpfs", _NOSUID | _NODEV | _NOEXEC, options)
    except OSError:
        return False
    return True


def make_parent() -> str:
    """On the machine's disk: a folder for the folders of all guests; "" where there is no place."""
    try:
        parent = tempfile.mkdtemp(prefix=PREFIX)
        Path(parent).chmod(_PASSABLE)
    except OSError:
        return ""
    tempfile.tempdir = None  # a guest has another
    return parent


def make(parent: str, uid: int, number: int) -> str:
    """A guest's folder below the parent; "" where the disk takes none."""
    own = Path(parent, str(number))
    try:
        own.mkdir(mode=_PRIVATE)
        if uid != os.getuid():
            os.chown(own, uid, uid)
    except OSError:
        return ""
    return str(own)


def live_in(folder: str) -> None:
    """Make it the working directory and what libraries take for a home and for temporary files."""
    os.chdir(folder)
    os.environ.update(dict.fromkeys(_VARIABLES, folder))
    os.environ["MPLCONFIGDIR"] = f"{folder}/.matplotlib"  # out of sight of a listing for data
    os.environ["MPLBACKEND"] = "agg"  # there is no screen


def remove(folder: str) -> None:
    """Take a folder away, whatever a guest left there.

    A deep folder costs no recursion and no long path: what lies in a folder's folders is moved
    up first.
    """
    top = Path(folder)
    for step in range(_MOST_STEPS):
        entries = list(_entries(top))
        if not entries:
            break
        for number, entry in enumerate(entries):
            if entry.is_dir(follow_symlinks=False):
                _move_up(Path(entry.path), top, f"{step}-{number}")
            else:
                Path(entry.path).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        top.rmdir()


def _move_up(folder: Path, top: Path, mark: str) -> None:
    """Empty a folder and remove it; its own folders go to the top, where their turn comes."""
    for number, entry in enumerate(_entries(folder)):
        if entry.is_dir(follow_symlinks=False):
            Path(entry.path).rename(top / f"moved-{mark}-{number}")
        else:
            Path(entry.path).unlink(missing_ok=True)
    folder.rmdir()


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with contextlib.suppress(OSError):
        folder.chmod(_PRIVATE)
    with os.scandir(folder) as entries:
        return list(entries)


def used(folder: str, most_files: int) -> tuple[int, int]:
    """Bytes and files below a folder, counted up to one file too many.

    A folder that cannot be looked into counts as too many: no right code closes one.
    """
    size = files = 0
    waiting = [folder]
    while waiting and files <= most_files:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in itertools.islice(entries, most_files + 1):
                    files += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        size += entry.stat(follow_symlinks=False).st_size
        except FileNotFoundError:
            continue  # the guest has removed it meanwhile
        except OSError:
            files = most_files + 1
    return size, files
