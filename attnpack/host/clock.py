"""How long learner code has been at a question, fair on a busy machine.

The clock runs while the guest computes, and while it sleeps or waits of its own accord; it
stands still while the guest is ready to run and the machine is busy with others. Where the
platform does not tell, it is a wall clock with three times the patience.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

BLIND_PATIENCE = 3
"""How much slower the clock runs where only wall time is known."""

BACKSTOP = 6
BACKSTOP_EXTRA_S = 10.0
"""Beyond deadline * 6 + 10 s of wall time the machine is at fault."""


@dataclass(frozen=True)
class Usage:
    """What the platform tells of a process."""

    cpu_s: float
    ready: bool
    """on a CPU, or waiting for one"""


def usage(pid: int) -> Usage | None:
    """Of the process, or of the one it waits for in a namespace; None where nobody tells."""
    try:
        stat = Path(f"/proc/{_confined(pid)}/stat").read_bytes()
    except OSError:
        return None
    fields = stat.rpartition(b")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), fields[0] == b"R")


def _confined(pid: int) -> int:
    """A process that was put into a namespace is the only child of the one that waits for it."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_bytes().split()
    except OSError:
        return pid
    return int(children[0]) if len(children) == 1 else pid


class Stopwatch:
    """Deadlines of one task: one for each question and one for all of them."""

    def __init__(self, pid: int, deadline_s: float, total_s: float) -> None:
        self._pid = pid
        self._deadline_s = deadline_s
        self._total_s = total_s
        self._total = 0.0
        self._began = self._looked = time.monotonic()
        self._spent = 0.0
        self._cpu: float | None = None

    def answered(self) -> None:
        """The guest goes on to the next question."""
        now = time.monotonic()
        self._total += max(self._spent, 0.0) if self._cpu is not None else now - self._began
        self._began = self._looked = now
        self._spent = 0.0
        self._cpu = None

    def look(self) -> None:
        """Bring the time spent up to date. Reads /proc, so not for every frame."""
        now = time.monotonic()
        wall = now - self._looked
        self._looked = now
        used = usage(self._pid)
        if used is None:
            self._spent += wall / BLIND_PATIENCE
            return
        computed = wall if self._cpu is None else used.cpu_s - self._cpu
        self._cpu = used.cpu_s
        self._spent += computed if used.ready else max(computed, wall)

    @property
    def overdue(self) -> bool:
        """The question, or the task, has had its time."""
        return self._spent > self._deadline_s or self._total + self._spent > self._total_s

    @property
    def starved(self) -> bool:
        """Much wall time has gone by and the guest hardly ran: the machine is too busy."""
        return time.monotonic() - self._began > self._deadline_s * BACKSTOP + BACKSTOP_EXTRA_S
