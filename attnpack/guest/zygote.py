"""A warm process that forks a child for each task (Linux).

The host sends two descriptors, the child's socket and the pipe for what it prints; the reply is
the child's process id. A process id sent back asks for its end; the reply is how it ended.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import signal
import socket
import time
import traceback
from typing import TYPE_CHECKING, NoReturn

from attnpack.guest import confine
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
    children: dict[int, int] = {}
    """process id -> number, counted from 1"""
    numbers = itertools.count(1)
    with socket.socket(fileno=control) as host:
        while True:
            message, descriptors, _, _ = socket.recv_fds(host, CONTROL.size, 2)
            if descriptors:
                number = next(numbers)
                answer = _fork(descriptors, policy, number)
                if answer != FAILED:
                    children[answer] = number
            elif len(message) == CONTROL.size:
                (child,) = CONTROL.unpack(message)
                known = children.pop(child, None)
                answer = FAILED if known is None else _end(child)
                _clear(policy, known)
            else:
                break
            host.send(CONTROL.pack(answer))
    for child, number in children.items():
        _end(child)
        _clear(policy, number)
    if policy is not None:
        confine.close()
    os._exit(0)  # at once: whoever closed the socket waits


def _clear(policy: Policy | None, number: int | None) -> None:
    if policy is not None and number is not None:
        confine.leave(number)


def _policy(policy_json: str | None) -> Policy | None:
    if policy_json is None:
        return None
    from dataclasses import replace

    confine.prepare()
    return replace(confine.Policy.from_json(policy_json), keep=(0, 1, 2, TASK))


def _fork(descriptors: list[int], policy: Policy | None, number: int) -> int:
    try:
        child = os.fork()
    except OSError:
        child = FAILED
    if child == 0:
        _child(descriptors, policy, number)
    for descriptor in descriptors:
        os.close(descriptor)
    return child


def _child(descriptors: list[int], policy: Policy | None, number: int) -> NoReturn:
    status = 1
    try:
        task, output = descriptors
        nowhere = os.dup(0)  # the null device, as this process has it
        # First out of the way of the numbers they will have.
        moved = [os.dup(descriptor) for descriptor in (nowhere, output, output, task)]
        for place, descriptor in enumerate(moved):
            os.dup2(descriptor, place)
        _confine(policy, number)
        serve_task(TASK, TASK)
        status = 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        os._exit(status)


def _confine(policy: Policy | None, number: int) -> None:
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

    try:
        confinement = confine.confine(policy, number)
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
