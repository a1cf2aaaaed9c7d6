"""`attention_scores`: how well each query matches each key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnpack.pack.texts import Kind

from .. import stages
from ..draft import Draft, draft
from ..exercise import Exercise, Signature
from ..steps import right
from ..traits import Trait
from . import reading
from .lazily import attending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..draw import Draw
    from .attending import Sizes

LARGE = 1e3
"""times the usual queries: scores beyond any clamp"""


def _inputs(draw: Draw, sizes: Sizes) -> dict[str, Any]:
    return {**attending.queries_and_keys(draw, sizes), "d_k": sizes.d_k}


def _large(draw: Draw, d_k: int) -> Draft:
    call = _inputs(draw, attending.Sizes((), 3, 4, d_k, 3))
    return draft("large", {**call, "Q": LARGE * call["Q"]})


def _values(draw: Draw) -> Iterator[Draft]:
    yield from attending.values(draw, _inputs)
    yield _large(draw, 3)
    yield from attending.integers(draw, _inputs)


def _gradients(draw: Draw) -> Iterator[Draft]:
    yield draft("random", _inputs(draw, attending.Sizes((), 3, 4, 2, 2)))


def _short_form(draw: Draw) -> Iterator[Draft]:
    yield from attending.short_form(draw, _inputs)
    yield _large(draw, 3)
    yield from attending.integers(draw, _inputs)


EXERCISE = Exercise(
    name="attention_scores",
    file="attention_scores.py",
    kind=Kind.FUNCTION,
    title="How well each query matches each key",
    equation="scores = Q Kᵀ / sqrt(d_k)",
    needs=(),
    chapter="attention",
    hints=(
        (
            "Q is (..., T_q, d_k) and K is (..., T_k, d_k). Which axis is summed over, and "
            "which two are left? How large does a sum of d_k products of unit-variance "
            "numbers grow?"
        ),
        (
            "Exchange the last two axes of K and no others: a batch or head axis in front "
            "must stay where it is. Divide once, by the root of the width of one key."
        ),
        (
            "Keys as columns: `K.swapaxes(-1, -2)` (torch: `K.transpose(-2, -1)`; Value: one "
            "dot product for each pair of a row of Q and a row of K)."
        ),
    ),
    read=(reading.VASWANI, reading.BAHDANAU, reading.ANNOTATED),
    traits=frozenset({Trait.GIVEN_KEYS, Trait.HAS_SCORES, Trait.RETURNS_SCORES, Trait.ANY_AXES}),
    takes=Signature(("Q", "K", "d_k")),
    results=("scores",),
    steps=right.SCORE,
    probes={
        stages.SHAPES: lambda draw: attending.shapes(draw, _inputs),
        stages.SCALING: lambda draw: attending.scaling(draw, _inputs),
        stages.VALUES: _values,
        stages.GRADIENTS: _gradients,
    },
    short_form=_short_form,
    traced=lambda draw: attending.traced(draw, _inputs),
)
