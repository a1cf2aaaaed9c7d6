"""One run at a time into an output folder; the system lets go of the lock with the process."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attnpack.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE_NAME = ".lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; raises BadInputError where another process does."""
    file = os.open(folder / FILE_NAME, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _take(file):
            raise BadInputError(
                f"Another run is writing into {folder} now. Wait until it has ended, or name "
                "another --out."
            )
        yield
    finally:
        os.close(file)  # and so lets go: the file stays, as another may wait for it


def _take(file: int) -> bool:
    """Whether the lock is now this process's."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
