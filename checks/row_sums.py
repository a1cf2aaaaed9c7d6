"""Stage `row_sums`: weights are non-negative and each query's row sums to 1.

Answered where a shaky softmax breaks: scores near ±1e4, rows far apart, all very negative,
integers (numpy).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import stages
from .readings import Reading, readings
from .verdicts import describe_call, failed, first_not_returned, passed, spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.pack.kinds import Verdict

    from .probe import Answered


STAGE = stages.ROW_SUMS
NEGATIVE = 1e-9


def judge(all_answered: Sequence[Answered]) -> Verdict:
    """Non-negative, and each row's sum 1 up to the tolerance of the scores' size."""
    broken = first_not_returned(STAGE, all_answered)
    if broken is not None:
        return broken
    for answered in all_answered:
        for reading in readings(answered):
            message = _fault(reading)
            if message:
                return failed(STAGE, message, answered, reading.index)
    return passed(STAGE)


def _fault(reading: Reading) -> str:
    weights, call = reading.weights, describe_call(reading.answered.probe, reading.index)
    if not np.isfinite(weights).all():
        index = tuple(int(i) for i in np.argwhere(~np.isfinite(weights))[0])
        return f"{call}: weight {index} is {weights[index]}; every weight must be a finite number"
    if (weights < -max(NEGATIVE, reading.allowed)).any():
        index = tuple(int(i) for i in np.argwhere(weights < 0)[0])
        return f"{call}: weight {index} is {weights[index]:.6g}; no weight may be negative"
    sums = weights.sum(axis=-1)  # (..., T_q)
    wrong = np.abs(sums - 1.0) > reading.allowed * weights.shape[-1]
    if not wrong.any():
        return ""
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    row = spoken(index)
    return f"{call}: the weights of query {row} sum to {sums[index]:.6g}; each row must sum to 1"
