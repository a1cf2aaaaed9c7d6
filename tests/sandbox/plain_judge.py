"""A judge of `softmax` alone, with guests that are confined or not, as a test asks."""

from __future__ import annotations

import numpy as np

from attnpack.calls import Call, Task
from attnpack.grade import selftest
from attnpack.grade.jobs import InfrastructureFaultError
from attnpack.guest.confine import Policy
from attnpack.host.pool import open_pool
from attnpack.report.model import ExerciseReport, Report
from attnpack.terms import Status

CALL_S, TOTAL_S = selftest.DEADLINE_S, 4 * selftest.DEADLINE_S


class PlainJudge:
    def __init__(self, policy: str | None) -> None:
        self._pool = open_pool("numpy", policy)

    def check(self, submission, backend, seed, exercises, short_seed=None):
        scores = np.random.default_rng(seed).normal(size=(3, 4))
        weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
        question = Call("softmax", "softmax", (scores,))
        entry = submission.entries.get("softmax")
        if entry is None:
            missing = ExerciseReport("softmax", Status.NOT_STARTED)
            return Report("0", "pack", "unknown", submission.name, backend, seed, (missing,))
        limits = {"deadline_s": CALL_S, "total_s": TOTAL_S}
        task = Task("softmax", entry, submission.sources, backend, (question,), **limits)
        said = self._pool.run(task)
        if said.fault:
            raise InfrastructureFaultError(said.fault)
        arrays = said.answers["softmax"].arrays
        right = len(arrays) == 1 and arrays[0] is not None and arrays[0].shape == weights.shape
        right = right and np.allclose(arrays[0], weights)
        status = Status.PASSED if right else Status.FAILED
        exercise = ExerciseReport("softmax", status, output=said.output)
        return Report("0", "pack", "unknown", submission.name, backend, seed, (exercise,))

    def close(self):
        self._pool.close()


def confined() -> PlainJudge:
    return PlainJudge(Policy().to_json())


def unconfined() -> PlainJudge:
    return PlainJudge(None)
