"""A guest process at work: reads one request, executes it, writes replies as they come."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys

import numpy as np

from attnpack.guest import backends
from attnpack.guest.asked import Ask, Question, Request, decode
from attnpack.guest.execute import execute
from attnpack.guest.protocol import MAX_REQUEST_BODY, MAX_REQUEST_HEADER, READY, FrameReader

_CHUNK = 1 << 20

_WARM = """
import numpy as np

def warm(x):
    weights = np.random.default_rng(0).normal(size=(2, 2))
    return np.exp(x @ weights)
"""


def main(backend: str, policy: str | None, control: int | None) -> None:
    """Import what the backend needs; then serve one task, or fork a child for each."""
    use_plain_text_output()
    backends.get(backend)
    if control is not None:
        warm_up()
        zygote = importlib.import_module("attnpack.guest.zygote")
        zygote.serve(control, policy)
        return
    requests, replies = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    read_from_nowhere()
    use_binary_descriptors(requests, replies)
    os.write(replies, READY)
    serve(requests, replies)


def warm_up() -> None:
    """Run a task of our own: each fork then finds the parser, BLAS and numpy.random in use."""
    question = Question(Ask.CALL, "warm", arguments=(np.ones((2, 2)),), trace=True)
    execute(Request("warm", "warm.py", {"warm.py": _WARM}, "numpy", {}, (question,)), _ignore)


def _ignore(_frame: bytes) -> None:
    """Nobody waits for the answers of the warming task."""


def serve(requests: int, replies: int) -> None:
    """One task between two descriptors; ends without running the learner's exit handlers."""
    reader = FrameReader(MAX_REQUEST_HEADER, MAX_REQUEST_BODY)
    while data := os.read(requests, _CHUNK):
        reader.feed(data)
        for header, body in reader.frames():
            execute(decode(header, body), lambda frame: _send(replies, frame))
            os._exit(0)
    os._exit(0)


def _send(descriptor: int, data: bytes) -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def use_plain_text_output() -> None:
    """Lines leave at once, so that what was printed before a crash is seen."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)


def read_from_nowhere() -> None:
    """Standard input is at its end."""
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)


def use_binary_descriptors(*descriptors: int) -> None:
    """Windows would translate line ends in them."""
    if sys.platform == "win32":
        import msvcrt

        for descriptor in descriptors:
            msvcrt.setmode(descriptor, os.O_BINARY)
