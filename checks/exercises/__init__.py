"""The exercises, one module each, in the order they are done. No numpy is imported for these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import (
    apply_attention,
    attention_scores,
    causal_mask,
    feed_forward,
    layer_norm,
    multi_head_attention,
    scaled_dot_product_attention,
    self_attention,
    softmax,
)

if TYPE_CHECKING:
    from ..exercise import Exercise

_IN_ORDER = (
    softmax,
    attention_scores,
    causal_mask,
    apply_attention,
    scaled_dot_product_attention,
    self_attention,
    multi_head_attention,
    layer_norm,
    feed_forward,
)

EXERCISES: tuple[Exercise, ...] = tuple(module.EXERCISE for module in _IN_ORDER)
_BY_NAME = {exercise.name: exercise for exercise in EXERCISES}


def exercise(name: str) -> Exercise:
    """The exercise of that name. Raises LookupError where there is none."""
    if name not in _BY_NAME:
        raise LookupError(f"the pack has no exercise {name}")
    return _BY_NAME[name]
