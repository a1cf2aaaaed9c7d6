"""Namespaces of one's own: one `unshare`, and the fork into the process namespace."""

from __future__ import annotations

import os
import select
import signal
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from attnpack.guest.confine import descriptors, privileges
from attnpack.guest.confine.kernel import call

if TYPE_CHECKING:
    from collections.abc import Callable

_FLAGS = {
    "user": 0x10000000,
    "net": 0x40000000,
    "pid": 0x20000000,
    "ipc": 0x08000000,
    "uts": 0x04000000,
    "mnt": 0x00020000,
}


def enter() -> tuple[str, ...]:
    """Leave the machine's namespaces; gives the names of the new ones, none where forbidden.

    Root of the machine needs no user namespace, root of a container may. The process
    namespace begins with the next fork.
    """
    uid, gid = os.getuid(), os.getgid()
    with_user = tuple(_FLAGS)
    for names in (with_user[1:], with_user) if uid == 0 else (with_user,):
        try:
            call("unshare", sum(_FLAGS[name] for name in names))
        except OSError:
            continue
        if "user" in names:
            _map_self(uid, gid)
        return names
    return ()


def become_first_process(announce: Callable[[int], None] | None) -> None:
    """Fork into the process namespace and return in its first process only.

    The process that was waits, with nothing open, and ends as the first process ends; either
    ends with the other. `announce` is called in it with the first process' id as the machine
    sees it.
    """
    watched, held = os.pipe()
    child = os.fork()
    if child:
        _wait_for(child, held, announce)
    os.close(held)
    privileges.die_with_parent()
    # The parent may have ended before the line above; then nobody holds the pipe any more.
    poll = select.poll()
    poll.register(watched, 0)
    if poll.poll(0):
        os._exit(1)
    os.close(watched)


def _wait_for(child: int, held: int, announce: Callable[[int], None] | None) -> NoReturn:
    status = 1
    try:
        if announce is not None:
            announce(child)
        descriptors.close_all_but((held,))
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
            os.kill(os.getpid(), os.WTERMSIG(status))
    finally:
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _map_self(uid: int, gid: int) -> None:
    """Be in the user namespace who one was outside; a kernel may forbid it, which costs a view."""
    own = Path("/proc/self")
    try:
        (own / "setgroups").write_text("deny")
        (own / "uid_map").write_text(f"{uid} {uid} 1")
        (own / "gid_map").write_text(f"{gid} {gid} 1")
    except OSError:
        return
