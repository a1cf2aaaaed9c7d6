"""Guests of both kinds, and tasks out of a few lines of learner code."""

from __future__ import annotations

import sys
from textwrap import dedent
from typing import TYPE_CHECKING

import numpy as np
import pytest

from attnpack.calls import Call, Question, Task
from attnpack.host.pool import GuestPool
from attnpack.host.spawn import SpawnLauncher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attnpack.host.launch import Launcher

SCORES = np.linspace(-1.0, 1.0, 12).reshape(3, 4)  # (T_q, T_k)


def launcher(kind: str) -> Launcher:
    if kind == "spawned":
        return SpawnLauncher("numpy")
    if sys.platform != "linux":
        pytest.skip("guests are forked on Linux only")
    from attnpack.host.zygote import ZygoteLauncher

    return ZygoteLauncher("numpy")


@pytest.fixture(scope="session", params=["forked", "spawned"])
def pool(request: pytest.FixtureRequest) -> Iterator[GuestPool]:
    with GuestPool(launcher(request.param)) as guests:
        yield guests


@pytest.fixture
def softmax_task() -> Callable[..., Task]:
    """A lone file's task about softmax: one call unless told otherwise."""

    def build(source: str, *questions: Question, deadline_s: float = 5.0, **others: str) -> Task:
        return Task(
            exercise="softmax",
            entry="attention.py",
            sources={"attention.py": dedent(source), **others},
            backend="numpy",
            questions=questions or (Call("call", "softmax", (SCORES,)),),
            deadline_s=deadline_s,
            total_s=4 * deadline_s,
        )

    return build
