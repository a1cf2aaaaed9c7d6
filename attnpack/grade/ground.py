"""The ground of a selftest: the folder of one run, with a canary and the submissions it judges.

Each run has its own, under a name that no other run has. A run holds a lock on its folder for as
long as it lives, so that what a killed run left can be told from what a neighbour still uses.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from attnpack.grade.corpus import Targets

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACE = Path("/", "tmp")
"""whatever TMPDIR says: a door must have a short path, and attacks look here"""
PREFIX = "attnpack-selftest-"
OWNED_PREFIX = "attnpack-owned-"


@dataclass(frozen=True)
class Ground:
    """One run's folder, held by an open descriptor until `close`."""

    folder: Path
    lock: int

    @classmethod
    def lay_out(cls) -> Self:
        """Make this run's own, once nothing of this user's dead runs is left beside it."""
        sweep()
        while True:
            folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=PLACE))
            lock = _locked(folder)
            if lock is not None and folder.exists():
                break  # otherwise a run that starts now took it for a dead one's
        ground = cls(folder, lock)
        folder.chmod(0o755)
        ground.canary.mkdir()
        (ground.canary / "bird").write_text("alive\n")
        ground.submissions.mkdir()
        return ground

    @property
    def canary(self) -> Path:
        """What attacks try to read, to change and to delete."""
        return self.folder / "canary"

    @property
    def submissions(self) -> Path:
        """Where this run writes what it judges."""
        return self.folder / "submissions"

    def targets(self, port: int) -> Targets:
        """What the attacks of this run aim at."""
        return Targets(str(self.canary), _owned_by(self.folder), port)

    def close(self) -> None:
        """Take it away, whatever is left of it."""
        _remove(self.folder)
        os.close(self.lock)


def sweep() -> None:
    """Remove what this user's killed runs left: their folders, and the files of their attacks."""
    for folder in _own(PREFIX):
        lock = _locked(folder)
        if lock is None:
            continue
        for left in _own(_owned_by(folder)):
            _remove(left)
        _remove(folder)
        os.close(lock)


def _owned_by(folder: Path) -> str:
    return OWNED_PREFIX + folder.name.removeprefix(PREFIX)


def _own(prefix: str) -> Iterator[Path]:
    """What has a name that begins so, and belongs to this user."""
    for path in PLACE.glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            if path.lstat().st_uid == os.getuid():
                yield path


def _locked(folder: Path) -> int | None:
    """A descriptor that holds the folder; None where another run does, or it is gone."""
    import fcntl

    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()
