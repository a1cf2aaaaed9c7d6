"""`causal_mask`: no token sees the future."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.pack.texts import Kind

from .. import stages
from ..draft import Draft, again, draft
from ..exercise import Exercise, Signature, Traced
from ..steps import right
from ..traits import Trait
from . import reading
from .lazily import mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..probe import Probe
    from ..steps.recorded import Array


LONG = 33


def _lengths(*lengths: int) -> Iterator[Draft]:
    for length in lengths:
        yield draft(f"T={length}", {"seq_len": length})


def _comparable(numbers: Array) -> Array:
    return mask.closed_alike(numbers)


def _fault(array: Array, probe: Probe, index: int) -> str:
    return mask.fault_of_mask(array, probe, index)


_AGAIN = again({"seq_len": 5}, {"seq_len": 3}, {"seq_len": 5})


EXERCISE = Exercise(
    name="causal_mask",
    file="causal_mask.py",
    kind=Kind.FUNCTION,
    title="No token sees the future",
    equation="mask_ij = 0 where j <= i, -1e9 where j > i",
    needs=(),
    chapter="attention",
    hints=(
        (
            "Row i belongs to query i. May token i see itself? And what must be added to a "
            "score so that nothing changes, or so that exp of it is 0?"
        ),
        (
            "The mask is added to the scores, so it holds numbers and no booleans: zeros on "
            "and below the diagonal, one huge negative number above it."
        ),
        (
            "Which pairs are in the future: `np.arange(T)[None, :] > np.arange(T)[:, None]` "
            "(torch: the same with `torch.arange`; Value: `j > i` inside two loops)."
        ),
    ),
    read=(reading.VASWANI, reading.ANNOTATED, reading.MINGPT),
    traits=frozenset({Trait.GIVEN_LENGTH, Trait.MAKES_CAUSAL_MASK, Trait.RETURNS_MASK}),
    takes=Signature(("seq_len",)),
    results=("closed",),
    steps=(("see", right.build_causal_mask), ("close", right.close_causal_mask)),
    probes={
        stages.SHAPES: lambda _: _lengths(1, 2, 5),
        stages.MASK: lambda _: _lengths(3, 4, 8),
        stages.VALUES: lambda _: [*_lengths(1, 2, 6, LONG), _AGAIN],
    },
    short_form=lambda _: [_AGAIN, *_lengths(1, 2, 3, 4, 6, 8, LONG)],
    traced=lambda _: Traced({"T": 5}, {"seq_len": 5}),
    condition=lambda _: 1.0,
    comparable=_comparable,
    fault=_fault,
)
