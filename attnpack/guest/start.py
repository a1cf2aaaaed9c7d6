"""A guest process warms up: then it serves one task, or forks a child for each."""

from __future__ import annotations

import os
import sys

import numpy as np

from attnpack.guest import backends, printing, serve
from attnpack.guest.execute import execute
from attnpack.guest.protocol import READY
from attnpack.guest.request import Ask, Question, Request

_WARM = """
import numpy as np

def warm(x):
    weights = np.random.default_rng(0).normal(size=(2, 2))
    return np.exp(x @ weights)
"""


def main(backend: str, policy: str | None, control: int | None) -> None:
    """Import what the backend needs; then serve one task, or fork a child for each."""
    _lift_memory_limit()
    printing.use_capped_output()
    backends.get(backend)
    if control is not None:
        warm_up()
        from attnpack.guest import zygote

        zygote.serve(control, policy)
        return
    requests, replies = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    serve.read_from_nowhere()
    serve.use_binary_descriptors(requests, replies)
    os.write(replies, READY)
    serve.serve(requests, replies)


def _lift_memory_limit() -> None:
    """A judge limits its own memory; that limit is none of the guests'."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def warm_up() -> None:
    """Run a task of our own: each fork then finds the parser, BLAS and numpy.random in use."""
    question = Question(Ask.CALL, "warm", arguments=(np.ones((2, 2)),), trace=True)
    execute(Request("warm", "warm.py", {"warm.py": _WARM}, "numpy", {}, (question,)), _ignore)


def _ignore(_frame: bytes) -> None:
    """Nobody waits for the answers of the warming task."""
