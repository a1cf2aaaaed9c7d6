"""Bugs of what softmax divides, and by what."""

from __future__ import annotations

from ..steps import blocking, products
from ..steps.softmaxes import (
    divided_only,
    exponentials_into_integers,
    exponentials_only,
    into_integers,
    no_shift,
    plus,
    plus_one_unshifted,
    raw,
)
from .entry import Entry
from .ways import GIVEN, SOFTMAX, Fitted, Quantity, way, when_given

BUGS = (
    Entry(
        "softmax-integer-buffer",
        models=(
            way({"normalise": into_integers}, "the probabilities", only=SOFTMAX),
            way(
                {"normalise": exponentials_into_integers}, "the exponentials", rank=1, only=SOFTMAX
            ),
        ),
    ),
    Entry(
        "softmax-plus-one",
        models=(
            way({"normalise": plus(1.0)}),
            way({"normalise": plus_one_unshifted}, "before the shift"),
            Fitted(
                Quantity.DENOMINATOR, lambda c: way({"normalise": plus(c)}, f"{c:.4g} more", rank=1)
            ),
        ),
    ),
    Entry(
        "softmax-missing",
        models=(
            way({"shift": no_shift, "normalise": raw}),
            way({"normalise": exponentials_only}, "exponentials that are never divided", rank=1),
            way(
                {"shift": no_shift, "normalise": exponentials_only},
                "plain exponentials that are never divided",
                rank=1,
            ),
            way({"normalise": divided_only}, "divided, but no exponential", rank=2, paired=False),
            *when_given(
                lambda when: {
                    "block": blocking.filled(0.0, when),
                    "shift": no_shift,
                    "normalise": raw,
                },
                "masked scores are 0",
                rank=1,
            ),
            way(
                {"apply": products.scores_as_weights},
                "the scores are mixed, the weights are right",
                rank=2,
                paired=False,
                only=GIVEN,
            ),
        ),
    ),
)
