"""Forbidden things, tried out: what `isolation.probe` runs in a confined process.

An attempt that succeeds does no harm: it touches only what the probe made for it.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import socket
import sys
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack.guest.confine import close, confine, leave, prepare
from attnpack.guest.confine.policy import Policy, Tier

if TYPE_CHECKING:
    from collections.abc import Callable

_SHM_CREATE = 0o1600
_CLONE_NEWUSER = 0x10000000


@dataclass(frozen=True)
class Ground:
    """What the probe laid out to be attacked."""

    folder: str
    """writable by anyone, holds `secret`"""
    port: int
    """something listens on 127.0.0.1 here"""
    process: int
    """a process outside"""
    package: str
    """the folder of attnpack"""
    host: str
    """the machine's name"""


@dataclass(frozen=True)
class Attempt:
    """One forbidden thing. `act` returns where it succeeded and raises where it was denied."""

    name: str
    tier: Tier
    """the weakest tier that denies it"""
    act: Callable[[Ground, Policy], object]


def main(policy: str, ground: str) -> None:
    """Print, as JSON, what a fork of this process put in force and what it was denied."""
    rules, laid = Policy.from_json(policy), Ground(**json.loads(ground))
    prepare()
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        leave(0)
        close()
        return
    inforce = confine(rules)
    denied = {attempt.name: _is_denied(attempt, laid, rules) for attempt in ATTEMPTS}
    print(json.dumps({"inforce": asdict(inforce), "denied": denied}), flush=True)
    os._exit(0)


def _is_denied(attempt: Attempt, ground: Ground, policy: Policy) -> bool:
    try:
        attempt.act(ground, policy)
    except (OSError, MemoryError, ValueError, RuntimeError):
        return True
    return False


def _connect(ground: Ground, _: Policy) -> None:
    socket.create_connection(("127.0.0.1", ground.port), timeout=2).close()


def _bind(_: Ground, __: Policy) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.bind("\0attnpack-probe")


def _write(ground: Ground, _: Policy) -> None:
    Path(ground.folder, "secret").write_text("changed")


def _make_file(ground: Ground, _: Policy) -> None:
    Path(ground.folder, "made").write_text("")


def _rename(ground: Ground, _: Policy) -> None:
    moved = Path(ground.folder, "secret").rename(Path(ground.folder, "moved"))
    moved.rename(Path(ground.folder, "secret"))  # the next attempts look for it


def _share_memory(_: Ground, __: Policy) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    found = libc.shmget(0, 4096, _SHM_CREATE)
    if found >= 0:
        libc.shmctl(found, 0, None)
    _must_succeed(found)


def _read(ground: Ground, _: Policy) -> None:
    Path(ground.folder, "secret").read_text()


def _list(ground: Ground, _: Policy) -> None:
    list(Path(ground.folder).iterdir())


def _read_users(_: Ground, __: Policy) -> None:
    Path("/etc/passwd").read_text()


def _read_solutions(ground: Ground, _: Policy) -> None:
    (Path(ground.package) / "__init__.py").read_text()


def _see(ground: Ground, _: Policy) -> None:
    Path(f"/proc/{ground.process}/status").read_text()


def _list_processes(_: Ground, __: Policy) -> None:
    list(Path("/proc").iterdir())


def _send_signal(ground: Ground, _: Policy) -> None:
    os.kill(ground.process, 0)


def _trace(ground: Ground, _: Policy) -> None:
    seize = 0x4206
    _must_succeed(ctypes.CDLL(None, use_errno=True).ptrace(seize, ground.process, None, None))


def _fork(_: Ground, __: Policy) -> None:
    if os.fork() == 0:
        os._exit(0)


def _execute(_: Ground, __: Policy) -> None:
    child = os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", "-c", ""], {})
    os.waitpid(child, 0)


def _enter_namespace(_: Ground, __: Policy) -> None:
    _must_succeed(ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWUSER))


def _raise_limit(_: Ground, __: Policy) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def _run_for_ever(_: Ground, __: Policy) -> None:
    import resource

    if resource.getrlimit(resource.RLIMIT_CPU)[1] != resource.RLIM_INFINITY:
        raise RuntimeError("CPU time is limited")


def _take_memory(_: Ground, policy: Policy) -> None:
    mmap.mmap(-1, policy.memory_bytes + (64 << 20)).close()


def _start_threads(_: Ground, policy: Policy) -> None:
    done = threading.Event()
    try:
        for _number in range(policy.tasks + 1):
            threading.Thread(target=done.wait, daemon=True).start()
    finally:
        done.set()


def _stat(ground: Ground, _: Policy) -> None:
    Path(ground.folder, "secret").stat()


def _stat_process(ground: Ground, _: Policy) -> None:
    Path(f"/proc/{ground.process}").stat()


def _know_parent(_: Ground, __: Policy) -> None:
    if os.getppid() == 0:
        raise RuntimeError("there is no parent in this namespace")


def _know_host(ground: Ground, _: Policy) -> None:
    if os.uname().nodename != ground.host:
        raise RuntimeError("it has another name here")


def _know_load(_: Ground, __: Policy) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    _must_succeed(libc.sysinfo(ctypes.create_string_buffer(256)))


def _must_succeed(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), "denied")


ATTEMPTS = (
    Attempt("connect to a port", Tier.CONTAINED, _connect),
    Attempt("open a local socket", Tier.CONTAINED, _bind),
    Attempt("write to a file", Tier.CONTAINED, _write),
    Attempt("make a file", Tier.CONTAINED, _make_file),
    Attempt("rename a file", Tier.CONTAINED, _rename),
    Attempt("share memory", Tier.CONTAINED, _share_memory),
    Attempt("read a file", Tier.CONTAINED, _read),
    Attempt("list a folder", Tier.CONTAINED, _list),
    Attempt("read the users of the machine", Tier.CONTAINED, _read_users),
    Attempt("read attnpack's own files", Tier.CONTAINED, _read_solutions),
    Attempt("see another process", Tier.CONTAINED, _see),
    Attempt("list the processes", Tier.CONTAINED, _list_processes),
    Attempt("send a signal", Tier.CONTAINED, _send_signal),
    Attempt("trace another process", Tier.CONTAINED, _trace),
    Attempt("start a process", Tier.CONTAINED, _fork),
    Attempt("run a program", Tier.CONTAINED, _execute),
    Attempt("enter a namespace", Tier.CONTAINED, _enter_namespace),
    Attempt("raise a limit", Tier.CONTAINED, _raise_limit),
    Attempt("run without end", Tier.CONTAINED, _run_for_ever),
    Attempt("take memory beyond the cap", Tier.CONTAINED, _take_memory),
    Attempt("start threads beyond the cap", Tier.CONTAINED, _start_threads),
    Attempt("know that a file exists", Tier.FULL, _stat),
    Attempt("know that a process exists", Tier.FULL, _stat_process),
    Attempt("see what started it", Tier.FULL, _know_parent),
    Attempt("know the machine's name", Tier.FULL, _know_host),
    Attempt("know the machine's load", Tier.FULL, _know_load),
)
