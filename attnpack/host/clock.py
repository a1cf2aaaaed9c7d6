"""How long learner code has been at a question, fair on a busy machine.

The clock runs while the guest computes, and while it sleeps or waits of its own accord; it
stands still while the guest is ready to run and the machine is busy with others, and while it
waits for the host to take what it says. Where the platform does not tell, it is a wall clock
with three times the patience.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

BLIND_PATIENCE = 3
"""How much slower the clock runs where only wall time is known."""

STARVED_S = 300.0
"""So much wall time in which the guest did not run at all: the machine is at fault."""

EXCUSED_S = 60.0
"""So much waiting while the host takes what the guest says; beyond it waiting counts."""

_NANO = 1e-9


@dataclass(frozen=True)
class Usage:
    """What the platform tells of a process."""

    cpu_s: float
    """of all its threads"""
    ready: bool
    """on a CPU, waiting for one, or for the disk"""
    awake_s: Mapping[str, float] = field(default_factory=dict)
    """thread -> seconds that it ran or was ready to; empty where the kernel does not count them"""


def usage(pid: int) -> Usage | None:
    """Of the process, or of the one it waits for in a namespace; None where nobody tells."""
    place = Path("/proc", str(_confined(pid)))
    try:
        fields = (place / "stat").read_bytes().rpartition(b")")[2].split()
        with os.scandir(place / "task") as tasks:
            awake = {task.name: _awake(Path(task.path)) for task in tasks}
    except OSError:
        return None
    ticks = int(fields[11]) + int(fields[12])
    known = {name: seconds for name, seconds in awake.items() if seconds is not None}
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), fields[0] in (b"R", b"D"), known)


def _awake(task: Path) -> float | None:
    """Seconds on a CPU and waiting for one; None where the thread is gone or nobody counts."""
    try:
        running, waiting, _ = (task / "schedstat").read_bytes().split()
    except (OSError, ValueError):
        return None
    return (int(running) + int(waiting)) * _NANO


def _confined(pid: int) -> int:
    """A process that was put into a namespace is the only child of the one that waits for it."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_bytes().split()
    except OSError:
        return pid
    return int(children[0]) if len(children) == 1 else pid


class Stopwatch:
    """Deadlines of one task: one for each question and one for all of them.

    Time between two looks is known as a whole only: where an answer came in between, it counts
    for the task and not for the question that is open now.
    """

    def __init__(self, pid: int, deadline_s: float, total_s: float) -> None:
        self._pid = pid
        self._deadline_s = deadline_s
        self._total_s = total_s
        self._total = self._spent = self._excused = 0.0
        self._looked = self._ran = time.monotonic()
        self._before = usage(pid)
        self._answered = False

    def answered(self) -> None:
        """The guest goes on to the next question."""
        self._spent = 0.0
        self._answered = True

    def look(self, *, heard: bool = False) -> None:
        """Bring the time spent up to date; `heard`: bytes came from the guest since the last look.

        Reads /proc, so not for every frame.
        """
        now = time.monotonic()
        wall, self._looked = now - self._looked, now
        used, before = usage(self._pid), self._before
        self._before = used
        if used is None or before is None:
            spent = wall / BLIND_PATIENCE
        else:
            computed = max(used.cpu_s - before.cpu_s, 0.0)
            spent = computed + self._asleep(wall, before, used, heard=heard)
        if spent > 0.0:
            self._ran = now
        self._total += spent
        self._spent = 0.0 if self._answered else self._spent + spent
        self._answered = False

    def _asleep(self, wall: float, before: Usage, used: Usage, *, heard: bool) -> float:
        """Seconds of an interval in which no thread ran or was ready to."""
        if used.ready and not used.awake_s:
            return 0.0
        awake = [s - before.awake_s.get(task, 0.0) for task, s in used.awake_s.items()]
        asleep = max(0.0, wall - max(awake, default=used.cpu_s - before.cpu_s))
        waits_for_disk = used.ready and asleep > 0.5 * wall
        if waits_for_disk or heard:
            self._excused += asleep
            return asleep if self._excused > EXCUSED_S else 0.0
        return asleep

    @property
    def overdue(self) -> bool:
        """The question, or the task, has had its time."""
        return self._spent > self._deadline_s or self._total > self._total_s

    @property
    def starved(self) -> bool:
        """Much wall time has gone by and the guest did not run: the machine is too busy."""
        return self._looked - self._ran > STARVED_S
