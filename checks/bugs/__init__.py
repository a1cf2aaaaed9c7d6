"""The bug catalogue: a module for each kind of bug, one entry per bug; its cards in `cards/`."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from . import (
    causal,
    causal_length,
    feed,
    gradients,
    heads,
    heads_layout,
    loading,
    mask_axes,
    mask_fill,
    mask_order,
    mask_samples,
    mask_sense,
    norm,
    output_projection,
    precision,
    products,
    projections,
    returns,
    scaling,
    scores,
    sizes,
    slips,
    softmax_axis,
    softmax_rows,
    softmax_shift,
    softmax_sum,
    state,
)
from .ways import needing

if TYPE_CHECKING:
    from types import ModuleType

    from .entry import Entry

FAMILIES = (
    softmax_axis,
    softmax_rows,
    softmax_shift,
    softmax_sum,
    scaling,
    scores,
    mask_order,
    mask_fill,
    mask_sense,
    mask_axes,
    mask_samples,
    causal,
    causal_length,
    products,
    sizes,
    returns,
    projections,
    heads_layout,
    heads,
    output_projection,
    norm,
    feed,
    precision,
    state,
    gradients,
    slips,
    loading,
)


CARDS = Path(__file__).parent / "cards"


@cache
def catalogue() -> dict[str, Entry]:
    """Every bug by its id, in the order of the vocabulary. Imports no numpy and reads no card."""
    return {bug.id: _complete(bug, family) for family in FAMILIES for bug in family.BUGS}


def _complete(bug: Entry, family: ModuleType) -> Entry:
    """With the file of its card, and what it needs on each of its models."""
    cards = CARDS / f"{family.__name__.rpartition('.')[2]}.toml"
    return replace(bug, cards=cards, models=tuple(needing(m, bug.needs) for m in bug.models))
