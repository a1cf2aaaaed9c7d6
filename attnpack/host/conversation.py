"""One task with one guest: send everything, take the answers as they come, keep the deadlines."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from attnpack.calls import Outcome, Transcript
from attnpack.guest.protocol import MAX_REPLY_BODY, MAX_REPLY_HEADER, FrameReader, ProtocolError
from attnpack.host import encode
from attnpack.host.clock import Stopwatch
from attnpack.host.decode import Collected
from attnpack.host.launch import Guest, LaunchError
from attnpack.host.transcript import fault, transcript

if TYPE_CHECKING:
    from attnpack.calls import Task

LOOK_EVERY_S = 0.05
GATE_S = 60.0
"""Patience with a guest that is still being confined: none of it is the learner's."""


def converse(guest: Guest, task: Task, confined: bool) -> Transcript:
    """The transcript of a task; whatever happens to the guest, it is at its end afterwards."""
    collected = Collected(task)
    reader = FrameReader(MAX_REPLY_HEADER, MAX_REPLY_BODY)
    ended = Outcome.ENDED
    facts: dict[str, Any] = {}
    try:
        guest.send(encode.request(task))
        if confined:
            _pass_gate(guest, reader)
        ended, facts = _listen(guest, reader, collected)
    except LaunchError as error:
        guest.end()
        return fault(task, str(error), guest.output())
    finally:
        how = guest.end()
    if ended is Outcome.ENDED and not facts:
        facts = {"ended": how.words if not how.by_host else "closed its connection"}
    return transcript(collected, guest.output(), ended, facts)


def _pass_gate(guest: Guest, reader: FrameReader) -> None:
    """Wait until the guest says that it is confined. Nothing of the learner's has run by then."""
    deadline = time.monotonic() + GATE_S
    while time.monotonic() < deadline:
        data = guest.receive(LOOK_EVERY_S)
        if data == b"":
            raise LaunchError("the guest ended while it was being confined")
        if data:
            reader.feed(data)
            for header, _ in reader.frames():
                if header.get("frame") == "ready":
                    return
                raise LaunchError(f"the guest was not confined: {header.get('reason')}")
    raise LaunchError("the guest was not confined in time")


def _listen(
    guest: Guest, reader: FrameReader, collected: Collected
) -> tuple[Outcome, dict[str, Any]]:
    """Until the last frame, the guest's end, or a deadline; how the open question ended."""
    task = collected.task
    stopwatch = Stopwatch(guest.pid, task.deadline_s, task.total_s)
    look_at = time.monotonic() + LOOK_EVERY_S
    while not collected.done:
        data = guest.receive(LOOK_EVERY_S)
        if data == b"":
            return Outcome.ENDED, {}
        if data:
            try:
                reader.feed(data)
                for header, body in reader.frames():
                    if collected.accept(header, body):
                        stopwatch.answered()
            except ProtocolError as error:
                return Outcome.ENDED, {"ended": f"sent something that is no answer: {error}"}
        if time.monotonic() >= look_at:
            look_at = time.monotonic() + LOOK_EVERY_S
            stopwatch.look()
            if stopwatch.overdue:
                return Outcome.TIMED_OUT, {}
            if stopwatch.starved:
                raise LaunchError("the machine is too busy: the guest hardly got to run")
    return Outcome.RETURNED, {}
