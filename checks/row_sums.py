"""Stage `row_sums`: weights are non-negative and each query's row sums to 1.

Asked where a shaky softmax breaks: scores near ±1e4, rows far apart, all very negative,
integers (numpy).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.terms import Backend

from . import stages
from .probe import Asked, Inputs, Probe, Tag
from .readings import Reading, reading_probe, readings
from .verdicts import describe_call, failed, first_not_returned, passed, spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.pack.kinds import Verdict

    from .draw import Draw
    from .oracle import Array

STAGE = stages.ROW_SUMS
NEGATIVE = 1e-9


def hard_scores(draw: Draw, rows: int, columns: int) -> dict[str, Array]:
    """Score tables (rows, columns) that a right softmax survives, by what makes them hard."""
    spread = draw.normal(rows, columns)
    far_apart = np.array([0.0, -2000.0, 1500.0, -4000.0, 900.0])[:rows, None]
    return {
        "moderate": 2.0 * spread,
        "near 1e4": 1e4 + spread,
        "near -1e4": -1e4 + spread,
        "rows far apart": far_apart + spread,
        "all negative": -30.0 - 3.0 * np.abs(spread),
    }


def ask(exercise: str, draw: Draw) -> list[Probe]:
    """The probes of this stage."""
    if exercise == "softmax":
        return _softmax(draw)
    if exercise == "scaled_dot_product_attention":
        return _scaled_dot_product(draw)
    return _classes(exercise, draw)


def _softmax(draw: Draw) -> list[Probe]:
    cases = dict(hard_scores(draw, 4, 4))
    cases["wide"] = 2.0 * draw.normal(3, 5)
    cases["square rows far apart, rising"] = np.sort(1500.0 * draw.normal(4, 1), axis=0) + (
        draw.normal(4, 4)
    )
    cases["from end to end"] = 1e4 * draw.rng.choice([-1.0, 1.0], size=(4, 5)) + draw.normal(4, 5)
    if draw.stacked:
        cases["stack"] = draw.normal(3, 4, 5)
        cases["stack far apart"] = 1500.0 * draw.normal(2, 3, 1) + draw.normal(2, 3, 5)
        cases["heads far apart"] = 1500.0 * draw.normal(2, 3, 4, 1) + draw.normal(2, 3, 4, 5)
        cases["cube"] = draw.normal(4, 4, 4)
    probes = [_one("softmax", name, {"scores": scores}) for name, scores in cases.items()]
    if draw.backend is Backend.NUMPY:
        for shape in ((3, 5), (2, 3, 4)):
            call = {"scores": draw.integers(*shape)}
            name = f"integers {'x'.join(map(str, shape))}"
            probes.append(_one("softmax", name, call, Tag.INTEGER))
    return probes


def _one(exercise: str, name: str, call: Inputs, *tags: Tag) -> Probe:
    return Probe(f"row_sums/{name}", exercise, STAGE, (call,), frozenset(tags))


def _scaled_dot_product(draw: Draw) -> list[Probe]:
    probes = []
    for name, scores in hard_scores(draw, 4, 4).items():
        queries, keys = draw.with_scores(scores, 5)
        call = {"Q": queries, "K": keys, "V": draw.normal(4, 3), "mask": None}
        probes.append(_one("scaled_dot_product_attention", name, call))
    if draw.stacked:
        cube = {name: draw.normal(4, 4, 4) for name in "QKV"}
        probes.append(_one("scaled_dot_product_attention", "cube", {**cube, "mask": None}))
        folded = {name: draw.normal(2, 3, 4, 5) for name in "QKV"}
        probes.append(_one("scaled_dot_product_attention", "heads", {**folded, "mask": None}))
        scores = 1500.0 * draw.normal(2, 3, 4, 1) + draw.normal(2, 3, 4, 4)
        queries, keys = draw.with_scores(scores, 5)
        apart = {"Q": queries, "K": keys, "V": draw.normal(2, 3, 4, 3), "mask": None}
        probes.append(_one("scaled_dot_product_attention", "heads far apart", apart))
    return probes


def _classes(exercise: str, draw: Draw) -> list[Probe]:
    heads = 1 if exercise == "SelfAttention" else 2
    tables = [
        {**hard_scores(draw, 3, 3), "keys far apart": 1500.0 * draw.normal(3, 3)}
        for _ in range(heads)
    ]
    probes = []
    for name in tables[0]:
        x = draw.tokens(3, 3 * heads)
        scores = np.stack([table[name] for table in tables])  # (h, T, T)
        matrices = draw.matrices_with_scores(x, scores)
        probes.append(_class_probe(exercise, f"row_sums/{name}", x, matrices, heads, draw))
    return probes


def _class_probe(
    exercise: str, key: str, x: Array, matrices: dict[str, Array], heads: int, draw: Draw
) -> Probe:
    if exercise == "MultiHeadAttention" and draw.stacked:
        x = x[None]  # (1, T, D)
    width = x.shape[-1]
    call = {"d_model": width, "num_heads": heads, "causal": False, "x": x, "matrices": matrices}
    probe = Probe(key, exercise, STAGE, (call,), precision=draw.precision)
    return reading_probe(probe, draw)


def judge(asked: Sequence[Asked]) -> Verdict:
    """Non-negative, and each row's sum 1 up to the tolerance of the scores' size."""
    broken = first_not_returned(STAGE, asked)
    if broken is not None:
        return broken
    for one in asked:
        for reading in readings(one):
            message = _fault(reading)
            if message:
                return failed(STAGE, message, one, reading.index)
    return passed(STAGE)


def _fault(reading: Reading) -> str:
    weights, call = reading.weights, describe_call(reading.one.probe, reading.index)
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
