"""What an attack could leave behind or break on this machine, watched from outside."""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from attnpack.grade.ground import Ground
from attnpack.guest.confine.kernel import call

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """those that this run's attacks left in the places where they try to write"""
    processes: int
    """descendants of this process"""


class Witness:
    """Sees files, processes and calls. Use as a context: it lays out a ground of its own."""

    def __init__(self) -> None:
        self._doors: list[socket.socket] = []

    def __enter__(self) -> Self:
        self._children_before = descendants()
        _adopt_orphans(1)
        self._ground = Ground.lay_out()
        self.submissions = self._ground.submissions
        self.targets = self._ground.targets(self._open_doors())
        return self

    def __exit__(self, *_: object) -> None:
        for door in self._doors:
            door.close()
        self._ground.close()
        _adopt_orphans(0)
        for pid in descendants() - self._children_before:
            with contextlib.suppress(OSError):  # it was another's child
                os.waitpid(pid, os.WNOHANG)

    def look(self) -> Sight:
        """What is there now."""
        canary = tuple(_contents(self._ground.canary))
        return Sight(canary, frozenset(_files(self.targets.owned)), len(descendants()))

    def complaints(self, before: Sight) -> list[str]:
        """What differs from an earlier sight; processes get a moment to end."""
        deadline = time.monotonic() + _ENDING_S
        now = self.look()
        while now.processes > before.processes and time.monotonic() < deadline:
            time.sleep(0.02)
            now = self.look()
        found = []
        if now.canary != before.canary:
            found.append(f"{self._ground.canary} was changed")
        found += [f"left a file: {path}" for path in sorted(now.files - before.files)]
        if now.processes > before.processes:
            found.append(f"left {now.processes - before.processes} processes")
        if self._was_called():
            found.append("opened a connection")
        return found

    def _open_doors(self) -> int:
        """A door in the canary and one on the network; the latter's port."""
        local = socket.socket(socket.AF_UNIX)
        door = self._ground.canary / "door"
        local.bind(str(door))
        door.chmod(0o777)
        network = socket.socket()
        network.bind(("127.0.0.1", 0))
        self._doors = [local, network]
        for opened in self._doors:
            opened.listen()
            opened.setblocking(False)
        port: int = network.getsockname()[1]
        return port

    def _was_called(self) -> bool:
        called = False
        for door in self._doors:
            with contextlib.suppress(BlockingIOError):
                door.accept()[0].close()
                called = True
        return called


def _adopt_orphans(yes: int) -> None:
    """Whether processes that lose their parent become children of this one, where it can be had."""
    with contextlib.suppress(OSError):
        call("prctl", _SET_CHILD_SUBREAPER, yes, 0, 0, 0)


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


def _files(owned: str) -> Iterator[str]:
    for place in _PLACES:
        with contextlib.suppress(OSError):
            yield from (str(path) for path in place.glob(f"*{owned}*"))


def _contents(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted([folder, *folder.rglob("*")]):
        if not os.path.lexists(path):
            continue
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        yield str(path), f"{path.lstat().st_mode:o} {digest}"
