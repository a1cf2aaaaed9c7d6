"""A task in this very process: the same execution and the same frames, for tests of checks.

Learner code that ends or hangs the process ends or hangs this one.
"""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

from attnpack.guest.execute import execute
from attnpack.guest.protocol import (
    MAX_REPLY_BODY,
    MAX_REPLY_HEADER,
    MAX_REQUEST_BODY,
    MAX_REQUEST_HEADER,
    FrameReader,
)
from attnpack.guest.request import decode
from attnpack.host import encode
from attnpack.host.decode import Collected
from attnpack.host.transcript import transcript

if TYPE_CHECKING:
    from attnpack.calls import Task, Transcript


def run_in_process(task: Task) -> Transcript:
    """The transcript of a task, without a guest."""
    asked = FrameReader(MAX_REQUEST_HEADER, MAX_REQUEST_BODY)
    asked.feed(encode.request(task))
    answered = FrameReader(MAX_REPLY_HEADER, MAX_REPLY_BODY)
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        for header, body in asked.frames():
            execute(decode(header, body), answered.feed)
    collected = Collected(task)
    for header, body in answered.frames():
        collected.accept(header, body)
    return transcript(collected, output.getvalue())
