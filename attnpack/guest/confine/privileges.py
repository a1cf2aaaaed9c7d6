"""Giving up for good: another user, no capabilities, no new privileges, no dump, no outliving."""

from __future__ import annotations

import contextlib
import os
import signal
import struct

from attnpack.guest.confine.kernel import call

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_KEEPCAPS = 8
_PR_SET_NO_NEW_PRIVS = 38
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1 << 1, 1 << 2
_CAPABILITY_VERSION_3 = 0x20080522
_FIRST_UID = 61184
"""systemd's range for short-lived users: nobody's files, nobody's processes"""
_UIDS = 4096


def uid_of_guest(zygote: int, guest: int) -> int:
    """A user for this guest of this warm process: RLIMIT_NPROC counts by user."""
    return _FIRST_UID + (31 * zygote + guest) % _UIDS


def lead_own_session() -> None:
    """Out of reach of the terminal and of signals to the process group."""
    with contextlib.suppress(PermissionError):
        os.setsid()


def no_new_privileges() -> None:
    """No file that is executed can give privileges back."""
    call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def become(uid: int) -> None:
    """Root only: be this user and group and no other, where the machine has such a user.

    The capabilities stay until `drop_capabilities`.
    """
    call("prctl", _PR_SET_KEEPCAPS, 1, 0, 0, 0)
    with contextlib.suppress(OSError):
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def drop_capabilities() -> None:
    """Every one, also those that a user namespace of one's own gives."""
    _set_capabilities(0)


def keep_reading_only() -> None:
    """Every capability but the one to read where only root may; Landlock says where that is."""
    try:
        _set_capabilities(_CAP_DAC_READ_SEARCH)
    except PermissionError:
        _set_capabilities(_CAP_DAC_OVERRIDE)


def _set_capabilities(kept: int) -> None:
    header = struct.pack("<Ii", _CAPABILITY_VERSION_3, 0)
    call("capset", header, struct.pack("<6I", kept, kept, 0, 0, 0, 0))


def die_with_parent(parent: int) -> None:
    """SIGKILL for this process when its parent ends. A change of user clears it: do it after.

    `parent` is its id as itself sees it; it may have ended before this call.
    """
    call("prctl", _PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    outside = 0  # what a first process namespace answers of a parent beyond it
    if os.getppid() not in (parent, outside):
        os._exit(1)


def not_dumpable() -> None:
    """No core, and no other process of the user may look inside."""
    call("prctl", _PR_SET_DUMPABLE, 0, 0, 0, 0)
