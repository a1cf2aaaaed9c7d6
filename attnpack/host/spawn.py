"""Guests started one by one, on every platform: the next one warms up while one works."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from typing import IO, TYPE_CHECKING, Any

from attnpack.host.launch import Ended, LaunchError, command, environment
from attnpack.host.output import Output

if TYPE_CHECKING:
    from collections.abc import Callable

    from attnpack.terms import Backend

_CHUNK = 1 << 16
_REAP_S = 10.0
_ENDING_S = 1.0


class SpawnLauncher:
    """See `Launcher`. Knows no confinement: a process boundary and a deadline only."""

    confined = False

    def __init__(self, backend: Backend | str) -> None:
        self._backend = backend
        self._next: SpawnedGuest | None = None

    def start(self) -> None:
        """Begin warming up the next guest."""
        if self._next is None:
            self._next = self._spawn()

    def open(self) -> SpawnedGuest:
        """The guest that was started ahead, or a new one. Raises LaunchError."""
        guest = self._next or self._spawn()
        self._next = None
        self.start()
        return guest

    def close(self) -> None:
        """End the guest that waits."""
        if self._next is not None:
            self._next.end()
            self._next = None

    def _spawn(self) -> SpawnedGuest:
        try:
            process = subprocess.Popen(
                command(self._backend),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment(dict(os.environ)),
                **_own_group(),
            )
        except OSError as error:
            raise LaunchError(f"the guest process could not be started: {error}") from error
        return SpawnedGuest(process)


class SpawnedGuest:
    """See `Guest`. Requests go to its standard input, replies come from its standard output;
    what learner code prints goes to its standard error, for the guest moves the three apart.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self.pid = process.pid
        self.heard = 0  # threads take what it says at once: it never waits for the host
        self._process = process
        self._output = Output()
        self._replies: queue.Queue[bytes] = queue.Queue(maxsize=256)
        self._ended: Ended | None = None
        self._stopping = False
        self._gone = False
        self._readers = [
            threading.Thread(target=_pump, args=(process.stdout, self._take_reply), daemon=True),
            threading.Thread(target=_pump, args=(process.stderr, self._output.feed), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def send(self, data: bytes) -> None:
        """Send all the bytes, waiting while the guest is not yet reading. Raises LaunchError."""
        assert self._process.stdin
        view = memoryview(data)
        try:
            while view:
                view = view[self._process.stdin.write(view) :]
        except OSError as error:
            raise LaunchError(f"the guest did not take its task: {error}") from error

    def receive(self, timeout_s: float) -> bytes | None:
        """Bytes of replies, b"" at their end, None where there are none yet."""
        try:
            data = self._replies.get(timeout=timeout_s)
        except queue.Empty:
            return None
        self._gone = not data
        return data

    def end(self) -> Ended:
        """Kill, reap, take what was still printed, free the descriptors."""
        if self._ended is None:
            self._stopping = True
            if self._gone:
                # The pipe closes a moment before the process is done with ending.
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(timeout=_ENDING_S)
            by_host = self._process.poll() is None
            _kill_group(self._process)
            code = self._process.wait(timeout=_REAP_S)
            with contextlib.suppress(queue.Empty):
                while True:
                    self._replies.get_nowait()
            for reader in self._readers:
                reader.join(timeout=1)
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                with contextlib.suppress(OSError):
                    pipe.close() if pipe else None
            self._ended = Ended(_words(code), by_host)
        return self._ended

    def output(self) -> str:
        """What it printed."""
        return self._output.text()

    def _take_reply(self, data: bytes) -> None:
        while not self._stopping:
            with contextlib.suppress(queue.Full):
                self._replies.put(data, timeout=0.1)
                return


def _pump(pipe: IO[bytes], take: Callable[[bytes], None]) -> None:
    """Read a pipe to its end, b"" included."""
    with contextlib.suppress(OSError, ValueError):
        while data := pipe.read(_CHUNK):
            take(data)
    take(b"")


def _own_group() -> dict[str, Any]:
    """A key pressed in the terminal is the host's to handle."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _words(code: int) -> str:
    if code < 0:
        return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"
