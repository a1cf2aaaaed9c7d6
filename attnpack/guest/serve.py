"""A guest process at work: reads one request, executes it, writes replies as they come."""

from __future__ import annotations

import contextlib
import os
import sys

from attnpack.guest.execute import execute
from attnpack.guest.protocol import MAX_REQUEST_BODY, MAX_REQUEST_HEADER, FrameReader
from attnpack.guest.request import decode

_CHUNK = 1 << 20


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
