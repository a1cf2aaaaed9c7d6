"""What an attack could leave behind or break on this machine, watched from outside."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from attnpack.grade.corpus import OWNED
from attnpack.guest.confine.kernel import call

if TYPE_CHECKING:
    from collections.abc import Iterator

CANARY = Path("/", "tmp", "attnpack-canary")
"""what the attacks try to read, to change and to delete"""
DOOR = CANARY / "door"
PORT = 47613
"""where the attacks try to call"""
_PLACES = (
    *(
        Path("/", *parts)
        for parts in (("tmp",), ("var", "tmp"), ("dev", "shm"), ("run",), ("etc",))
    ),
    Path(),
    Path(".."),
    Path(os.environ.get("HOME", "/")),
)
"""where the attacks try to write"""
_SET_CHILD_SUBREAPER = 36
_ENDING_S = 5.0


@dataclass(frozen=True)
class Sight:
    """The machine as an attack must leave it."""

    canary: tuple[tuple[str, str], ...]
    """path and what it is: mode, and a hash of its content"""
    files: frozenset[str]
    """files named OWNED in the places where attacks try to write"""
    processes: int
    """descendants of this process"""


class Witness:
    """Sees files, processes and calls. Use as a context: it lays out the canary."""

    def __init__(self) -> None:
        self._doors: list[socket.socket] = []
        self._turn = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._own = False

    def __enter__(self) -> Self:
        _wait_for_turn(self._turn)
        self._own = not CANARY.exists()
        with contextlib.suppress(OSError):
            call("prctl", _SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans become our children
        CANARY.mkdir(exist_ok=True)
        if self._own:
            (CANARY / "bird").write_text("alive\n")
        self._open_doors()
        return self

    def __exit__(self, *_: object) -> None:
        for door in self._doors:
            door.close()
        DOOR.unlink(missing_ok=True)
        if self._own:
            shutil.rmtree(CANARY, ignore_errors=True)
        self._turn.close()

    def look(self) -> Sight:
        """What is there now."""
        return Sight(tuple(_canary()), frozenset(_files()), len(descendants()))

    def complaints(self, before: Sight) -> list[str]:
        """What differs from an earlier sight; processes get a moment to end."""
        deadline = time.monotonic() + _ENDING_S
        now = self.look()
        while now.processes > before.processes and time.monotonic() < deadline:
            time.sleep(0.02)
            now = self.look()
        found = []
        if now.canary != before.canary:
            found.append(f"{CANARY} was changed")
        found += [f"left a file: {path}" for path in sorted(now.files - before.files)]
        if now.processes > before.processes:
            found.append(f"left {now.processes - before.processes} processes")
        if self._was_called():
            found.append("opened a connection")
        return found

    def _open_doors(self) -> None:
        DOOR.unlink(missing_ok=True)
        # Where another run has a door, or owns the canary, the other door has to do.
        with contextlib.suppress(OSError):
            local = socket.socket(socket.AF_UNIX)
            local.bind(str(DOOR))
            DOOR.chmod(0o777)
            self._doors.append(local)
        with contextlib.suppress(OSError):
            network = socket.socket()
            network.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            network.bind(("127.0.0.1", PORT))
            self._doors.append(network)
        for door in self._doors:
            door.listen()
            door.setblocking(False)

    def _was_called(self) -> bool:
        called = False
        for door in self._doors:
            with contextlib.suppress(BlockingIOError):
                door.accept()[0].close()
                called = True
        return called


def _wait_for_turn(turn: socket.socket) -> None:
    """There is one canary for the whole machine: runs go one after another."""
    while True:
        try:
            turn.bind("\0attnpack-canary")
        except OSError:
            time.sleep(0.1)
        else:
            return


def descendants() -> set[int]:
    """Every process that comes from this one, by its id."""
    parents: dict[int, int] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                state = Path(entry.path, "stat").read_text()
                parents[int(entry.name)] = int(state.rpartition(")")[2].split()[1])
    found = {os.getpid()}
    while grown := {child for child, parent in parents.items() if parent in found} - found:
        found |= grown
    return found - {os.getpid()}


def _files() -> Iterator[str]:
    for place in _PLACES:
        with contextlib.suppress(OSError):
            yield from (str(path) for path in place.glob(f"*{OWNED}*"))


def _canary() -> Iterator[tuple[str, str]]:
    for path in sorted([CANARY, *CANARY.rglob("*")]):
        if not os.path.lexists(path):
            continue
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        yield str(path), f"{path.lstat().st_mode:o} {digest}"
