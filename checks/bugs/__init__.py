"""The bug catalogue: one module per family, one entry per bug."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from . import (
    causal,
    gradients,
    loading,
    mask,
    precision,
    products,
    projections,
    scaling,
    softmax,
)

if TYPE_CHECKING:
    from attnpack.pack.texts import Bug

FAMILIES = (
    softmax,
    scaling,
    mask,
    causal,
    products,
    projections,
    precision,
    gradients,
    loading,
)


@cache
def catalogue() -> dict[str, Bug]:
    """Every bug by its id, in the order of the vocabulary. Imports no numpy."""
    return {bug.id: bug for family in FAMILIES for bug in family.BUGS}
