"""Become an ordinary user and run a command: `python ordinary_user.py COMMAND...`, as root.

Interpreter and repository may lie in a folder that only root can enter. In a mount namespace of
its own this shows them to everyone, as on a machine where they are installed for everyone.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from attnpack.guest.confine.kernel import call  # noqa: E402

UID = 65534
CLONE_NEWNS, MS_REC, MS_PRIVATE = 0x20000, 1 << 14, 1 << 18
OPEN_TREE_CLONE, AT_RECURSIVE, AT_FDCWD, MOVE_EMPTY_PATH = 1, 0x8000, -100, 4


def main(command: list[str]) -> None:
    call("unshare", CLONE_NEWNS)
    call("mount", None, b"/", None, MS_REC | MS_PRIVATE, None)
    needed = [REPOSITORY, Path(sys.prefix), Path(sys.base_prefix)]
    for closed in {first_closed(path) for path in needed} - {None}:
        open_up(closed, [path for path in needed if path.is_relative_to(closed)])
    os.chdir(REPOSITORY)
    os.setgroups([])
    os.setresgid(UID, UID, UID)
    os.setresuid(UID, UID, UID)
    os.execvp(command[0], command)


def first_closed(path: Path) -> Path | None:
    """The outermost folder above that others may not enter."""
    for folder in reversed(path.parents):
        if not folder.stat().st_mode & stat.S_IXOTH:
            return folder
    return None


def open_up(closed: Path, needed: list[Path]) -> None:
    flags = OPEN_TREE_CLONE | AT_RECURSIVE
    trees = {path: call("open_tree", AT_FDCWD, os.fsencode(path), flags) for path in needed}
    call("mount", b"opened", os.fsencode(closed), b"tmpfs", 0, b"mode=755")
    for path, tree in trees.items():
        path.mkdir(parents=True, exist_ok=True)
        call("move_mount", tree, b"", AT_FDCWD, os.fsencode(path), MOVE_EMPTY_PATH)


if __name__ == "__main__":
    main(sys.argv[1:])
