"""`apply_attention`: a weighted mean of the values."""

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


def _inputs(draw: Draw, sizes: Sizes) -> dict[str, Any]:
    weights = draw.weights(*sizes.table)
    return {"weights": weights, "V": draw.normal(*sizes.lead, sizes.keys, sizes.d_v)}


def _gradients(draw: Draw) -> Iterator[Draft]:
    yield draft("random", _inputs(draw, attending.Sizes((), 3, 4, 2, 2)))


EXERCISE = Exercise(
    name="apply_attention",
    file="apply_attention.py",
    kind=Kind.FUNCTION,
    title="A weighted mean of the values",
    equation="output = weights V, so output_i = sum_j weights_ij V_j",
    needs=(),
    chapter="attention",
    hints=(
        (
            "weights is (..., T_q, T_k) and V is (..., T_k, d_v). Which axis do they share, "
            "and what is the shape when it is summed away?"
        ),
        (
            "Each row of weights mixes the rows of V. Nothing is transposed, and the width of"
            " the result is V's, not Q's."
        ),
        (
            "One component: `output[i, c] = sum(weights[i, j] * V[j, c] for j in "
            "range(T_k))`. A matrix product does that for every i and c at once."
        ),
    ),
    read=(reading.VASWANI, reading.BAHDANAU),
    traits=frozenset(
        {Trait.GIVEN_WEIGHTS, Trait.GIVEN_VALUES, Trait.RETURNS_ATTENDED, Trait.ANY_AXES}
    ),
    takes=Signature(("weights", "V")),
    results=("attended",),
    steps=(("apply", right.apply),),
    probes={
        stages.SHAPES: lambda draw: attending.shapes(draw, _inputs),
        stages.VALUES: lambda draw: attending.values(draw, _inputs),
        stages.GRADIENTS: _gradients,
    },
    short_form=lambda draw: attending.short_form(draw, _inputs),
    traced=lambda draw: attending.traced(draw, _inputs),
)
