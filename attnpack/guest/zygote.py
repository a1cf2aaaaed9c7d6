"""A warm process that forks a child for each task (Linux).

The host sends two descriptors, the child's socket and the pipe for what it prints; the reply is
the child's process id. A process id sent back asks for its end; the reply is how it ended.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import time
import traceback
from typing import TYPE_CHECKING, NoReturn

from attnpack.guest.protocol import CONTROL, FAILED, READY, frame
from attnpack.guest.serve import serve as serve_task

if TYPE_CHECKING:
    from attnpack.guest.confine import Policy

TASK = 3
"""The descriptor of a child's socket; 0, 1 and 2 are as everywhere."""

_ENDING_MS = 50

MEMORY_BYTES = 8 << 30
"""What an unconfined child may allocate: an error of the learner's, not a swapping machine."""


def serve(control: int, policy_json: str | None) -> None:
    """Until the host closes the control socket."""
    policy = _policy(policy_json)
    gc.collect()
    gc.freeze()
    children: set[int] = set()
    with socket.socket(fileno=control) as host:
        while True:
            message, descriptors, _, _ = socket.recv_fds(host, CONTROL.size, 2)
            if descriptors:
                answer = _fork(descriptors, policy)
                children.add(answer)
            elif len(message) == CONTROL.size:
                (child,) = CONTROL.unpack(message)
                answer = _end(child) if child in children else FAILED
                children.discard(child)
            else:
                break
            host.send(CONTROL.pack(answer))
    for child in children - {FAILED}:
        _end(child)


def _policy(policy_json: str | None) -> Policy | None:
    if policy_json is None:
        return None
    from dataclasses import replace

    from attnpack.guest import confine

    confine.prepare()
    return replace(confine.Policy.from_json(policy_json), keep=(0, 1, 2, TASK))


def _fork(descriptors: list[int], policy: Policy | None) -> int:
    try:
        child = os.fork()
    except OSError:
        child = FAILED
    if child == 0:
        _child(descriptors, policy)
    for descriptor in descriptors:
        os.close(descriptor)
    return child


def _child(descriptors: list[int], policy: Policy | None) -> NoReturn:
    status = 1
    try:
        task, output = descriptors
        nowhere = os.dup(0)  # the null device, as this process has it
        # First out of the way of the numbers they will have.
        moved = [os.dup(descriptor) for descriptor in (nowhere, output, output, task)]
        for number, descriptor in enumerate(moved):
            os.dup2(descriptor, number)
        _confine(policy)
        serve_task(TASK, TASK)
        status = 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        os._exit(status)


def _confine(policy: Policy | None) -> None:
    """Before the sources are read from the socket, and with them any learner code."""
    if policy is None:
        import resource

        os.closerange(TASK + 1, os.sysconf("SC_OPEN_MAX"))
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
        os.write(TASK, READY)
        return
    from dataclasses import asdict

    from attnpack.guest import confine

    try:
        confinement = confine.confine(policy)
    except confine.ConfinementError as error:
        os.write(TASK, frame({"frame": "unconfined", "reason": str(error)[:2000]}))
        os._exit(1)
    ready = {"frame": "ready", "confinement": asdict(confinement), "tier": confinement.tier}
    os.write(TASK, frame(ready))


def _end(child: int) -> int:
    """Kill a child and its group, and reap it; the wait status tells whether it had ended."""
    _await_end(child)
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(child, signal.SIGKILL)
    try:
        return os.waitpid(child, 0)[1]
    except ChildProcessError:
        return 0


def _await_end(child: int) -> None:
    """A child that has closed its socket is a moment away from having ended, and how counts."""
    for _ in range(_ENDING_MS):
        with contextlib.suppress(ChildProcessError):
            if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                return
        time.sleep(0.001)
