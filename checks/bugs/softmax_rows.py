"""Bugs of what softmax takes for a row."""

from __future__ import annotations

from ..steps.softmaxes import (
    along,
    implicit,
    no_shift,
    normalise_along,
    normalise_placed,
    on_the_keys,
    shift_along,
    shift_placed,
    softmax_along,
    softmax_placed,
)
from .entry import Entry
from .ways import rare, way
from .where import Where, noted

BUGS = (
    Entry(
        "softmax-whole-matrix",
        models=(
            way(softmax_along(None)),
            way({"normalise": normalise_along(along(None))}, "the sum only"),
            way(softmax_along((-2, -1)), "each matrix by itself"),
            way(
                {"normalise": normalise_along(along((-2, -1)))},
                "each matrix by itself, the sum only",
            ),
            rare(
                {"shift": shift_along(along(None)), "normalise": normalise_along(along((-2, -1)))},
                "one maximum, each matrix summed",
                rank=2,
                also="softmax-global-max",
            ),
            rare(softmax_along((0, -2, -1)), "each head over all samples"),
            rare(
                {"normalise": normalise_along(along((0, -2, -1)))},
                "each head over all samples, the sum only",
            ),
            rare(
                {"shift": no_shift, "normalise": normalise_along(along(None))},
                "no shift",
                rank=2,
                also="softmax-overflow",
            ),
            rare(
                {"shift": no_shift, "normalise": normalise_along(along((-2, -1)))},
                "no shift, each matrix",
                rank=2,
                also="softmax-overflow",
            ),
        ),
    ),
    Entry(
        "softmax-no-keepdims",
        models=(
            way({"normalise": normalise_along(along(-1), keepdims=False)}, "the sum"),
            way({"shift": shift_along(along(-1), keepdims=False)}, "the maximum", rank=1),
            way(
                {
                    "shift": shift_along(along(-1), keepdims=False),
                    "normalise": normalise_along(along(-1), keepdims=False),
                },
                "both",
            ),
            rare(
                {
                    "shift": shift_along(along(None)),
                    "normalise": normalise_along(along(-1), keepdims=False),
                },
                "the sum, one maximum for all",
                also="softmax-global-max",
            ),
            rare(
                {"shift": no_shift, "normalise": normalise_along(along(-1), keepdims=False)},
                "the sum, no shift",
                rank=2,
                also="softmax-overflow",
            ),
            rare(
                {
                    "shift": shift_along(along(-2), keepdims=False),
                    "normalise": normalise_along(along(-2), keepdims=False),
                },
                "along the queries",
                rank=2,
            ),
            way({"normalise": normalise_placed(on_the_keys)}, "the sum, on the key axis", rank=1),
            rare({"shift": shift_placed(on_the_keys)}, "the maximum, on the key axis", rank=2),
            rare(softmax_placed(on_the_keys), "both, on the key axis", rank=2),
        ),
        equals=("softmax-over-queries",),
    ),
    Entry(
        "softmax-implicit-dim",
        torch_fact="implicit_dim",
        where=Where(noted("implicit_dim_at")),
        models=(way(softmax_along(implicit), rank=1, tags=frozenset({"torch"})),),
    ),
)
