"""Stage `scaling`: scores are divided by sqrt(d_k), once, of the head.

It fails only where the scores are the oracle's up to one factor; anything else that is
wrong with them is left to `values`. Where only weights are seen, the factor is read off
their logarithms, row by row relative to the row's first key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import stages
from .agreement import differs
from .probe import Asked, Probe, usable
from .readings import Reading, reading_probe, readings
from .verdicts import describe_call, failed, first_not_returned, passed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.pack.kinds import Verdict

    from .draw import Draw
    from .oracle import Array

STAGE = stages.SCALING
SEEN = 1e-6
"""weights below this say nothing reliable about their scores"""


def ask(exercise: str, draw: Draw) -> list[Probe]:
    """The probes of this stage: several d_k, so that no constant is right for all."""
    if exercise in ("attention_scores", "scaled_dot_product_attention"):
        sizes: list[tuple[tuple[int, ...], int, int, int]] = [((), 4, 3, 4), ((), 3, 5, 9)]
        sizes += [((2,), 3, 5, 2), ((2, 3), 4, 5, 7)] if draw.stacked else []
        return [_function(exercise, draw, *size) for size in sizes]
    widths = ((3, 1), (5, 1)) if exercise == "SelfAttention" else ((6, 2), (6, 3))
    return [_class(exercise, draw, width, heads) for width, heads in widths]


def _function(
    exercise: str, draw: Draw, lead: tuple[int, ...], queries: int, keys: int, d_k: int
) -> Probe:
    call = {"Q": draw.normal(*lead, queries, d_k), "K": draw.normal(*lead, keys, d_k)}
    if exercise == "attention_scores":
        call = {**call, "d_k": d_k}  # type: ignore[dict-item]
    else:
        call = {**call, "V": draw.normal(*lead, keys, 3), "mask": None}  # type: ignore[dict-item]
    return Probe(f"scaling/d_k={d_k}", exercise, STAGE, (call,))


def _class(exercise: str, draw: Draw, width: int, heads: int) -> Probe:
    length = width // heads
    x = draw.tokens(length, width)
    if exercise == "MultiHeadAttention" and draw.stacked:
        x = x[None]  # (1, T, D)
    call = {
        "d_model": width,
        "num_heads": heads,
        "causal": False,
        "x": x,
        "matrices": draw.matrices(width),
    }
    key = f"scaling/D={width}, h={heads}"
    return reading_probe(Probe(key, exercise, STAGE, (call,), precision=draw.precision), draw)


def judge(asked: Sequence[Asked]) -> Verdict:
    """One factor other than 1 between the learner's scores and the oracle's."""
    broken = first_not_returned(STAGE, asked)
    if broken is not None:
        return broken
    for one in asked:
        found = _score_factor(one) or _weight_factor(one)
        if found is not None:
            factor, index = found
            return failed(STAGE, _message(one, index, factor), one, index)
    return passed(STAGE)


def _message(one: Asked, index: int, factor: float) -> str:
    d_k = one.probe.expected[index]["Q"].shape[-1]
    call = describe_call(one.probe, index)
    root = f"sqrt(d_k) is {np.sqrt(d_k):.4g} for d_k = {d_k}"
    return f"{call}: every score is {factor:.4g} times what it should be; {root}"


def _score_factor(one: Asked) -> tuple[float, int] | None:
    if one.probe.exercise != "attention_scores" or not usable(one.answers[0]):
        return None
    came, named = one.arrays(0)[0], one.probe.expected[0]
    if came is None or came.shape != named["scores"].shape:
        return None
    allowed = one.probe.tolerance(0, "scores")
    factor = common_factor(named["scores"], came, allowed)
    return None if factor is None else (factor, 0)


def common_factor(expected: Array, came: Array, allowed: float) -> float | None:
    """The one factor other than 1 with came = factor * expected, or None."""
    came = np.asarray(came, dtype=np.float64)
    if not np.isfinite(came).all() or not differs(expected, came, allowed).any():
        return None
    factor = float((came * expected).sum() / (expected * expected).sum())
    scaled = factor * expected
    if factor <= 0 or differs(scaled, came, allowed * max(1.0, factor)).any():
        return None
    return factor


def _weight_factor(one: Asked) -> tuple[float, int] | None:
    for reading in readings(one):
        factor = factor_behind(reading)
        if factor is not None:
            return factor, reading.index
    return None


def factor_behind(reading: Reading) -> float | None:
    """The factor between the scores behind some weights and the oracle's, or None."""
    weights = reading.weights
    if not (weights > SEEN).all():
        return None
    logits = np.log(weights)  # (..., T_q, T_k)
    came = logits - logits[..., :1]
    expected = reading.scores - reading.scores[..., :1]
    return common_factor(expected, came, 20 * reading.allowed / float(weights.min()))
