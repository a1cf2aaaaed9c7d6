"""One task with one guest: send everything, take the answers as they come, keep the deadlines."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attnpack.calls import Outcome, Transcript
from attnpack.guest.protocol import MAX_REPLY_BODY, MAX_REPLY_HEADER, FrameReader, ProtocolError
from attnpack.host import encode
from attnpack.host.clock import Stopwatch
from attnpack.host.decode import Collected
from attnpack.host.launch import Ended, Guest, LaunchError, last_line
from attnpack.host.scratch import OVERFULL, Folder
from attnpack.host.transcript import fault, transcript

if TYPE_CHECKING:
    from attnpack.calls import Task

LOOK_EVERY_S = 0.05
GATE_S = 60.0
"""Patience with a guest that is still starting: none of it is the learner's."""


class Conversation:
    """A task under way. It is sent at once; the guest works while the host does other things."""

    def __init__(self, guest: Guest, task: Task, *, confined: bool) -> None:
        self._guest = guest
        self._task = task
        self._confined = confined
        self._fault: str | None = None
        self.finished = False
        try:
            guest.send(encode.request(task))
        except (LaunchError, ProtocolError) as error:
            self._fault = str(error)

    def finish(self) -> Transcript:
        """Wait for what comes of the task. The guest is at its end afterwards."""
        collected = Collected(self._task)
        reader = FrameReader(MAX_REPLY_HEADER, MAX_REPLY_BODY)
        ended = Outcome.ENDED
        facts: dict[str, Any] = {}
        try:
            # First, for a guest that took no task says here why not.
            folder = _pass_gate(self._guest, reader, confined=self._confined)
            if self._fault is None:
                ended, facts = _listen(self._guest, reader, collected, folder)
        except (LaunchError, ProtocolError) as error:
            self._fault = str(error)
        finally:
            how = self._end()
        if self._fault is not None:
            return fault(self._task, self._fault, self._guest.output())
        if ended is Outcome.ENDED and not facts:
            facts = {"ended": "closed its connection" if how.by_host else how.words}
        return transcript(collected, self._guest.output(), ended, facts)

    def cancel(self) -> None:
        """End the guest; nobody waits for its answers."""
        self._end()

    def kill(self) -> None:
        """Called from another thread: the guest is gone, and `finish` will notice."""
        if not self.finished:
            with contextlib.suppress(OSError):
                ending = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL
                os.kill(self._guest.pid, ending)

    def _end(self) -> Ended:
        self.finished = True
        return self._guest.end()


@dataclass(frozen=True)
class Faulted:
    """A task that no guest could be had for."""

    task: Task
    reason: str
    finished: bool = True

    def finish(self) -> Transcript:
        """A transcript without answers, whose fault is the reason."""
        return fault(self.task, self.reason)

    def cancel(self) -> None:
        """Does nothing: no guest was started."""

    def kill(self) -> None:
        """Does nothing: no guest was started."""


def _pass_gate(guest: Guest, reader: FrameReader, *, confined: bool) -> Folder:
    """Wait for the guest's word that it is ready; the folder that it may write to.

    Nothing of the learner's has run by then.
    """
    deadline = time.monotonic() + GATE_S
    while time.monotonic() < deadline:
        data = guest.receive(LOOK_EVERY_S)
        if data == b"":
            guest.end()
            raise LaunchError(f"the guest ended before it was ready{last_line(guest.output())}")
        reader.feed(data or b"")
        for header, _ in reader.frames():
            if header.get("frame") != "ready":
                raise LaunchError(f"the guest was not confined: {header.get('reason')}")
            if confined and not header.get("confinement"):
                raise LaunchError("the guest was not confined")
            return Folder.of(header.get("confinement") or {})
    raise LaunchError("the guest was not ready in time")


def _listen(
    guest: Guest, reader: FrameReader, collected: Collected, folder: Folder
) -> tuple[Outcome, dict[str, Any]]:
    """Until the last frame, the guest's end, or a deadline; how the open question ended."""
    task = collected.task
    stopwatch = Stopwatch(guest.pid, task.deadline_s, task.total_s)
    look_at = time.monotonic() + LOOK_EVERY_S
    heard = guest.heard
    while True:
        try:
            # Also those that came together with the word that it is ready.
            for header, body in reader.frames():
                if collected.accept(header, body):
                    stopwatch.answered()
        except ProtocolError as error:
            return Outcome.ENDED, {"ended": f"sent something that is no answer: {error}"}
        if collected.done:
            return Outcome.RETURNED, {}
        data = guest.receive(LOOK_EVERY_S)
        if data == b"":
            return Outcome.ENDED, {}
        reader.feed(data or b"")
        if time.monotonic() >= look_at:
            look_at = time.monotonic() + LOOK_EVERY_S
            stopwatch.look(heard=guest.heard > heard)
            heard = guest.heard
            if stopwatch.overdue:
                return Outcome.TIMED_OUT, {}
            if folder.overfull:
                return Outcome.ENDED, {"ended": OVERFULL}
            if stopwatch.starved:
                raise LaunchError("the machine is too busy: the guest hardly got to run")
