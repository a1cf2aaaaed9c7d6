"""Namespaces of one's own: one `unshare`, and the first process of the process namespace."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path
from typing import NoReturn

from attnpack.guest.confine import descriptors, privileges
from attnpack.guest.confine.kernel import call

_FLAGS = {
    "user": 0x10000000,
    "net": 0x40000000,
    "pid": 0x20000000,
    "ipc": 0x08000000,
    "uts": 0x04000000,
    "mnt": 0x00020000,
}
_HOST = b"guest"


def enter() -> tuple[str, ...]:
    """Leave the machine's namespaces; gives the names of the new ones, none where forbidden.

    Root of the machine needs no user namespace, root of a container may. The process
    namespace is that of the forks to come, not of this process.
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
        with contextlib.suppress(OSError):
            call("sethostname", _HOST, len(_HOST))
        _hold_process_namespace()
        return names
    return ()


def _hold_process_namespace() -> None:
    """Fork its first process, which does nothing; when it ends the kernel ends all the others.

    It ends with this process, so that nothing in the namespace outlives it.
    """
    held, holding = os.pipe()
    if os.fork() == 0:
        _hold(held, holding)
    os.close(holding)
    ready = os.read(held, 1)
    os.close(held)
    if not ready:
        raise ChildProcessError("the first process of the namespace ended")


def _hold(held: int, holding: int) -> NoReturn:
    try:
        os.close(held)
        privileges.die_with_parent(os.getppid())
        privileges.lead_own_session()
        os.write(holding, b"x")  # fails, and ends this process, where the other has ended
        descriptors.close_all_but(())
        while True:
            signal.pause()
    finally:
        os._exit(1)


def _map_self(uid: int, gid: int) -> None:
    """Be in the user namespace who one was outside; a kernel may forbid it, which costs a view."""
    own = Path("/proc/self")
    try:
        (own / "setgroups").write_text("deny")
        (own / "uid_map").write_text(f"{uid} {uid} 1")
        (own / "gid_map").write_text(f"{gid} {gid} 1")
    except OSError:
        return
