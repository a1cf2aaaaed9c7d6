"""Bugs of what softmax divides, and by what."""

from __future__ import annotations

from ..steps import blocking, products
from ..steps.softmaxes import (
    divided_only,
    exponentials_into_integers,
    exponentials_only,
    into_integers,
    no_shift,
    normalise_in_base,
    normalise_in_whole_base,
    plus,
    plus_one_unshifted,
    positive_only,
    raw,
    scores_first,
    shifted_only,
    sizes_only,
    twice,
    twice_with_mask,
)
from .entry import Entry
from .ways import (
    GIVEN_KEYS_AND_VALUES,
    GIVEN_SCORES,
    GIVEN_WEIGHTS,
    Fitted,
    Quantity,
    rare,
    way,
    when_given,
)

BUGS = (
    Entry(
        "softmax-integer-buffer",
        needs=GIVEN_SCORES,
        models=(
            way({"normalise": into_integers}, "the probabilities"),
            way({"normalise": exponentials_into_integers}, "the exponentials", rank=1),
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
        "softmax-no-exp",
        models=(
            way({"normalise": divided_only}),
            way({"normalise": shifted_only}, "after the shift"),
            rare({"normalise": sizes_only}, "their sizes"),
            rare({"normalise": positive_only}, "those above zero"),
        ),
    ),
    Entry(
        "softmax-twice",
        models=(
            way({"normalise": twice}),
            way({"apply": products.softmax_applied}, "of the given weights", needs=GIVEN_WEIGHTS),
            rare({"normalise": twice_with_mask}, "the mask acts on both"),
            way({"clamp": scores_first}, "before the mask", rank=1),
        ),
    ),
    Entry(
        "softmax-other-base",
        models=(
            Fitted(
                Quantity.BASE,
                lambda b: rare({"normalise": normalise_in_base(b)}, f"{b:g}", rank=0),
            ),
            Fitted(
                Quantity.BASE,
                lambda b: rare(
                    {"normalise": normalise_in_whole_base(b)},
                    f"{b:g}, an integer",
                    needs=GIVEN_SCORES,
                ),
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
            *when_given(
                lambda when: {
                    "block": blocking.filled(0.0, when),
                    "shift": no_shift,
                    "normalise": raw,
                },
                "masked scores are 0",
                rank=1,
            ),
            rare(
                {"apply": products.scores_as_weights},
                "the scores are mixed, the weights are right",
                rank=2,
                needs=GIVEN_KEYS_AND_VALUES,
            ),
        ),
    ),
)
