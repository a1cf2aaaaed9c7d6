"""Guests for tasks: `open_pool` starts warming up; `run` and `begin` give each task a fresh one."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING, Protocol, Self

from attnpack.errors import BadInputError, StoppedError
from attnpack.host import early, launchers
from attnpack.host.launch import Launcher, LaunchError

if TYPE_CHECKING:
    from attnpack.calls import Task, Transcript
    from attnpack.terms import Backend

_ATTEMPTS = 2
NO_TORCH = """\
The torch track needs PyTorch, and this Python ({python}) has none.
Install the build for CPUs, a tenth of the size of the other:
  pip install torch --index-url https://download.pytorch.org/whl/cpu
Or the one that uses a graphics card:
  pip install 'attnpack[torch]'"""


class Running(Protocol):
    """A task that a guest is working on."""

    @property
    def finished(self) -> bool:
        """Whether its guest has ended."""
        ...

    def finish(self) -> Transcript:
        """Wait for the guest to end; its answers."""
        ...

    def cancel(self) -> None:
        """End its guest; its answers are not wanted."""
        ...

    def kill(self) -> None:
        """Called from another thread: whoever waits for it waits no longer."""
        ...


class GuestPool:
    """Runs tasks, each in a process of its own."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self._begun: list[Running] = []
        self._stopped = False

    def run(self, task: Task) -> Transcript:
        """Ask a guest, and wait for its answers. The transcript tells faults of the machine."""
        return self.finished(self.begin(task))

    def finished(self, running: Running) -> Transcript:
        """Wait for what comes of a task that was begun. Raises StoppedError after `stop`."""
        transcript = running.finish()
        self._raise_if_stopped()
        return transcript

    def begin(self, task: Task) -> Running:
        """Start a task and return at once, so that the next can be begun or judged meanwhile.

        Raises StoppedError after `stop`.
        """
        from attnpack.host.conversation import Conversation, Faulted

        self._raise_if_stopped()
        reason = ""
        for _ in range(_ATTEMPTS):
            try:
                guest = self._launcher.open()
            except LaunchError as error:
                reason = str(error)
                self._launcher.close()
            else:
                running = Conversation(guest, task, confined=self._launcher.confined)
                self._begun = [*(r for r in self._begun if not r.finished), running]
                if self._stopped:  # meanwhile
                    running.kill()
                return running
        return Faulted(task, reason)

    def stop(self) -> None:
        """Called from another thread: whoever uses this pool gets a StoppedError soon."""
        self._stopped = True
        for running in list(self._begun):
            running.kill()

    def resume(self) -> None:
        """Take tasks again, once whoever used the pool has given up."""
        self._stopped = False

    def _raise_if_stopped(self) -> None:
        if self._stopped:
            raise StoppedError

    def close(self) -> None:
        """End every process, those of unfinished tasks included."""
        for running in self._begun:
            running.cancel()
        self._launcher.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_pool(backend: Backend | str, policy: str | None = None) -> GuestPool:
    """Start a guest for a backend, without waiting for it and without importing numpy here.

    `policy` (JSON of `guest.confine.Policy`) confines each guest before it is given a task.
    Raises BadInputError where the backend's library is not installed.
    """
    if backend == "torch" and importlib.util.find_spec("torch") is None:
        raise BadInputError(NO_TORCH.format(python=sys.executable))
    early_one = early.take(str(backend), policy)
    launcher = early_one or launchers.launcher_for(backend, policy)
    try:
        launcher.start()
    except LaunchError:
        launcher.close()
    return GuestPool(launcher)
