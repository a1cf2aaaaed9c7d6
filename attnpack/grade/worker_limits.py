"""What holds a worker process: it ends with its parent, and no submission takes more than so much.

Where the system has no such limit, none.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

MEMORY_BYTES = 1 << 30
"""beyond what a worker has when it begins; no submission of the attack corpus needs 300 MB"""
READING_S = 20.0
"""CPU seconds for reading one submission's files, before any of its code runs"""
MOST_MEGABYTES = 300
"""that a judge may take for one submission beyond what it had, or an attack on it is not held"""
_SET_PARENT_DEATH_SIGNAL = 1


class TooSlowError(Exception):
    """Something took more CPU time than it may."""


def die_with_parent() -> None:
    """Linux: SIGKILL for this process when the thread that started it ends."""
    if sys.platform != "linux":
        return
    import signal

    from attnpack.guest.confine.kernel import call

    parent = os.getppid()
    with suppress(OSError):
        call("prctl", _SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def limit_memory() -> None:
    """From now on this process gets so much more and no more: beyond it, MemoryError."""
    if sys.platform == "win32":
        return
    import resource

    try:
        fields = Path("/proc/self/status").read_text().split("VmData:")[1].split()
    except (OSError, IndexError):
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = int(fields[0]) * 1024 + MEMORY_BYTES
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raises TooSlowError inside where this process computes for longer; main thread only."""
    if sys.platform == "win32":
        yield
        return
    import signal

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlowError

    try:
        before = signal.signal(signal.SIGVTALRM, give_up)
    except ValueError:  # not in the main thread
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


class Memory:
    """What this process has in memory at most, against what it had; nothing where nobody tells."""

    def __init__(self) -> None:
        self._start = self._peak()

    def complaints(self) -> list[str]:
        """What was too much since the last time it was asked."""
        peak = self._peak()
        if peak is None or self._start is None or peak - self._start <= MOST_MEGABYTES:
            return []
        return [f"took {peak - self._start} MB of the judge's memory"]

    def _peak(self) -> int | None:
        """Megabytes; the next peak is counted anew."""
        own = Path("/proc/self")
        try:
            kilobytes = (own / "status").read_text().split("VmHWM:")[1].split()[0]
            (own / "clear_refs").write_text("5")
        except (OSError, IndexError):
            return None
        return int(kilobytes) // 1024
