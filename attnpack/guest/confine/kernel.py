"""System calls that Python has no function for, by number, through ctypes."""

from __future__ import annotations

import errno
import os
import platform
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBERS: dict[str, tuple[int, int]] = {
    "prctl": (157, 167),
    "unshare": (272, 97),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "mount_setattr": (442, 442),
    "capset": (126, 91),
    "sethostname": (170, 161),
    "close_range": (436, 436),
    "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}
"""name: (x86_64, aarch64)"""

MACHINES = ("x86_64", "aarch64")


@cache
def machine() -> int | None:
    """The column of a number table for this machine, or None where it has none."""
    if not sys.platform.startswith("linux") or sys.maxsize < 2**32:
        return None
    name = platform.machine()
    return MACHINES.index(name) if name in MACHINES else None


def call(name: str, *arguments: int | bytes | None) -> int:
    """One system call. Raises OSError with the call's name."""
    import ctypes

    column = machine()
    if column is None:
        raise OSError(errno.ENOSYS, "no table of system calls for this machine", name)
    words = [a if isinstance(a, bytes) else ctypes.c_long(a or 0) for a in arguments]
    result = int(_syscall()(ctypes.c_long(NUMBERS[name][column]), *words))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), name)
    return result


@cache
def _syscall() -> Callable[..., int]:
    import ctypes

    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    return function
