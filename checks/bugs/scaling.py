"""Bugs of what scores are divided by."""

from __future__ import annotations

from .. import facts
from ..steps.right import nothing
from ..steps.scalings import (
    by,
    constant,
    d_k,
    d_model,
    floored,
    fraction_of_d_k,
    length,
    num_heads,
    whole_root,
)
from .entry import Entry
from .ways import HEADED, Fitted, Quantity, rare, way

BUGS = (
    Entry("scale-missing", models=(way({"scale": nothing}),)),
    Entry("scale-no-sqrt", models=(way({"scale": by(d_k(1.0))}),), equals=("scale-twice",)),
    Entry(
        "scale-twice",
        models=(rare({"scale": by(d_k(1.0))}),),
        equals=("scale-no-sqrt",),
    ),
    Entry(
        "scale-multiplied",
        models=(
            way({"scale": by(d_k(-0.5))}),
            rare({"scale": by(d_k(-1.0))}, "times d_k"),
        ),
    ),
    Entry(
        "scale-by-d-model",
        shown_by=facts.names_the_width,
        needs=HEADED,
        models=(
            way({"scale": by(d_model(0.5))}),
            way({"scale": by(d_model(1.0))}, "without the root", rank=1),
            rare({"scale": by(d_model(-0.5))}, "multiplied", rank=2),
        ),
        equals=("scale-by-length", "scale-by-num-heads"),
    ),
    Entry(
        "scale-by-num-heads",
        needs=HEADED,
        models=(
            way({"scale": by(num_heads(0.5))}),
            way({"scale": by(num_heads(1.0))}, "without the root", rank=1),
            rare({"scale": by(num_heads(-0.5))}, "multiplied", rank=2),
        ),
        equals=("scale-by-length", "scale-by-d-model"),
    ),
    Entry(
        "scale-precedence",
        shown_by=facts.binds_tighter,
        models=(
            way({"scale": by(fraction_of_d_k(2.0))}, "divided by d_k, then by 2"),
            way({"scale": by(fraction_of_d_k(0.5))}, "by half of d_k"),
            rare({"scale": by(fraction_of_d_k(-0.5))}, "times half of d_k"),
            rare({"scale": floored}, "divided with //"),
            rare({"scale": by(whole_root)}, "by the whole part of the root"),
        ),
        equals=("numbers-rounded",),
    ),
    Entry(
        "scale-by-length",
        models=(
            way({"scale": by(length("K", -2, 0.5))}, "of the keys"),
            way({"scale": by(length("Q", -2, 0.5))}, "of the queries"),
            way({"scale": by(length("K", -2, 1.0))}, "of the keys, without the root", rank=1),
            way({"scale": by(length("Q", -2, 1.0))}, "of the queries, without the root", rank=1),
            rare({"scale": by(length("K", 0, 0.5))}, "axis 0 of the keys"),
            rare({"scale": by(length("Q", 0, 0.5))}, "axis 0 of the queries"),
            rare({"scale": by(length("Q", 1, 0.5))}, "axis 1 of the queries", rank=2),
            rare({"scale": by(length("K", 1, 0.5))}, "axis 1 of the keys", rank=2),
        ),
        equals=("scale-by-d-model", "scale-by-num-heads"),
    ),
    Entry(
        "scale-constant",
        models=(
            Fitted(
                Quantity.DIVISOR,
                lambda c: way({"scale": by(constant(c))}, f"{c:.5g} for every d_k", rank=1),
            ),
        ),
    ),
)
