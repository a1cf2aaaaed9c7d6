"""Resource limits: memory, CPU time, files, tasks. Where the system has no such limit, none."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attnpack.guest.confine.policy import Policy


def mapped_bytes() -> int:
    """The address space of this process, bytes; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    import resource

    return pages * resource.getpagesize()


def tasks_of(uid: int) -> int:
    """How many threads this user runs now, in every process that /proc shows."""
    found = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            try:
                tasks = Path(entry.path, "task").stat()
            except OSError:
                continue
            if tasks.st_uid == uid:
                found += tasks.st_nlink - 2
    return found


def apply(policy: Policy, mapped: int, tasks_before: int) -> tuple[str, ...]:
    """Set every limit, soft and hard, for good; gives the names of those set.

    `mapped` is the address space before the learner's code. `tasks_before` counts the threads
    that the user has elsewhere: RLIMIT_NPROC counts them too.
    """
    if sys.platform == "win32":
        return ()
    wanted = {
        "RLIMIT_AS": mapped + policy.memory_bytes,
        "RLIMIT_CPU": policy.cpu_s,
        "RLIMIT_FSIZE": policy.scratch_bytes,
        "RLIMIT_NOFILE": policy.open_files,
        "RLIMIT_NPROC": tasks_before + policy.tasks,
        "RLIMIT_STACK": policy.stack_bytes,
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_SIGPENDING": policy.tasks,
    }
    return tuple(name for name, value in wanted.items() if _lower(name, value))


def _lower(name: str, value: int) -> bool:
    import resource

    kind = getattr(resource, name, None)
    if kind is None:
        return False
    _, hard = resource.getrlimit(kind)
    lowered = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(kind, (lowered, lowered))
    except (ValueError, OSError):
        return False
    return True
