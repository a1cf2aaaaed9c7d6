"""Guests forked from one warm process (Linux): a fork costs a millisecond or two."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
from typing import TYPE_CHECKING

from attnpack.guest.protocol import CONTROL, FAILED
from attnpack.host.launch import Ended, LaunchError, command, environment, last_line
from attnpack.host.output import Output

if TYPE_CHECKING:
    from attnpack.terms import Backend

_CHUNK = 1 << 18
_WARM_S = 120.0
_SEND_S = 30.0


class ZygoteLauncher:
    """See `Launcher`. `policy` is what each guest confines itself to before it is given a task."""

    def __init__(self, backend: Backend | str, policy: str | None = None) -> None:
        self.confined = policy is not None
        self._backend = backend
        self._policy = policy
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._living: set[int] = set()
        """what it forked and was not yet asked to end"""

    def start(self) -> None:
        """Begin warming up the process that will fork the guests. Raises LaunchError."""
        if self._process is not None:
            return
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs:
                self._process = subprocess.Popen(
                    command(self._backend, self._policy, theirs.fileno()),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    env=environment(dict(os.environ)),
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                )
        except OSError as error:
            ours.close()
            raise LaunchError(f"the guest process could not be started: {error}") from error
        ours.settimeout(_WARM_S)
        self._control = ours

    def open(self) -> ZygoteGuest:
        """A freshly forked guest. Raises LaunchError."""
        self.start()
        assert self._control is not None
        ours, theirs = socket.socketpair()
        reading, writing = os.pipe()
        try:
            with contextlib.suppress(OSError):
                socket.send_fds(self._control, [b"task"], [theirs.fileno(), writing])
            pid = self._reply()
            self._living.add(pid)
        except LaunchError:
            ours.close()
            os.close(reading)
            raise
        finally:
            theirs.close()
            os.close(writing)
        return ZygoteGuest(self, pid, ours, reading)

    def reap(self, pid: int) -> int:
        """Kill a guest and wait for it; its wait status. Raises LaunchError."""
        if self._control is None:
            raise LaunchError("the warm guest process has ended")
        with contextlib.suppress(OSError):
            self._control.send(CONTROL.pack(pid))
        status = self._reply()
        self._living.discard(pid)
        return status

    def close(self) -> None:
        """End the warm process, and with it whatever it forked."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            if self._living or self.confined:  # it has folders to remove
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(timeout=5)
            self._process.kill()
            self._process.wait()
            if self._process.stderr is not None:
                self._process.stderr.close()
            self._process = None

    def _reply(self) -> int:
        assert self._control is not None
        try:
            data = self._control.recv(CONTROL.size)
        except TimeoutError as error:
            raise LaunchError("the warm guest process does not answer") from error
        except OSError:
            data = b""
        if len(data) != CONTROL.size:
            raise LaunchError(f"the warm guest process has ended{self._last_words()}")
        number: int = CONTROL.unpack(data)[0]
        if number == FAILED:
            raise LaunchError("no further process can be started on this machine")
        return number

    def _last_words(self) -> str:
        """The last line of the traceback it died with."""
        process = self._process
        if process is None or process.stderr is None:
            return ""
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=1)
            return last_line(process.stderr.read().decode("utf-8", "replace"))
        return ""


class ZygoteGuest:
    """See `Guest`."""

    def __init__(
        self, launcher: ZygoteLauncher, pid: int, task: socket.socket, output: int
    ) -> None:
        self.pid = pid
        self.heard = 0
        self._launcher = launcher
        self._task = task
        self._reading = output
        self._output = Output()
        self._ended: Ended | None = None
        os.set_blocking(output, False)
        self._poll = select.poll()
        self._poll.register(task, select.POLLIN)
        self._poll.register(output, select.POLLIN)

    def send(self, data: bytes) -> None:
        """Send all the bytes, waiting while the guest is not yet reading. Raises LaunchError."""
        self._task.settimeout(_SEND_S)
        try:
            self._task.sendall(data)
        except OSError as error:
            raise LaunchError(f"the guest did not take its task: {error}") from error

    def receive(self, timeout_s: float) -> bytes | None:
        """Bytes of replies, b"" at their end, None where there are none yet."""
        ready = dict(self._poll.poll(timeout_s * 1000))
        if self._reading in ready:
            self._drain(1)
        if self._task.fileno() in ready:
            try:
                data = self._task.recv(_CHUNK)
            except OSError:
                return b""
            self.heard += len(data)
            return data
        return None

    def end(self) -> Ended:
        """Kill, reap, take what was still printed, free the descriptors."""
        if self._ended is None:
            self._ended = self._reaped()
            self._drain(64)
            self._task.close()
            os.close(self._reading)
        return self._ended

    def output(self) -> str:
        """What it printed."""
        return self._output.text()

    def _reaped(self) -> Ended:
        try:
            return _ended(self._launcher.reap(self.pid))
        except LaunchError:
            # Nobody is there to reap it; it must not live on for all that.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, signal.SIGKILL)
            return Ended("signal SIGKILL", by_host=True)

    def _drain(self, times: int) -> None:
        """What is in the pipe; a process that outlived the guest may hold it open, so no end."""
        for _ in range(times):
            try:
                data = os.read(self._reading, 1 << 16)
            except OSError:
                return
            if not data:
                with contextlib.suppress(KeyError):
                    self._poll.unregister(self._reading)
                return
            self.heard += len(data)
            self._output.feed(data)


def _ended(status: int) -> Ended:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return Ended(f"signal {signal.Signals(number).name}", number == signal.SIGKILL)
    return Ended(f"exit code {os.WEXITSTATUS(status)}", by_host=False)
