"""Bugs of scores that are scaled too late or kept within bounds."""

from __future__ import annotations

from ..steps.right import nothing
from ..steps.scalings import attended_by, d_k, d_model, num_heads, weights_by
from ..steps.softmaxes import clipped, no_shift, soft_capped
from .entry import Entry
from .ways import HEADED, INFINITE, Fitted, Quantity, rare, way

BUGS = (
    Entry(
        "scale-after-softmax",
        models=(
            way({"scale": nothing, "after": weights_by(d_k(0.5))}),
            rare({"scale": nothing, "after": weights_by(d_k(-0.5))}, "multiplied", rank=2),
            way({"scale": nothing, "apply": attended_by(d_k(0.5))}, "the output only", rank=1),
            *(
                rare({"scale": nothing, "after": weights_by(number)}, f"by {name}", needs=HEADED)
                for number, name in (
                    (d_model(0.5), "the root of the model's width"),
                    (num_heads(0.5), "the root of the number of heads"),
                )
            ),
            rare({"after": weights_by(d_k(0.5))}, "once more", rank=2),
            rare({"apply": attended_by(d_k(0.5))}, "the output once more", rank=2),
            rare({"scale": nothing, "after": weights_by(d_k(1.0))}, "without the root", rank=2),
        ),
    ),
    Entry(
        "scores-clamped",
        models=(
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: rare({"clamp": soft_capped(c)}, f"softly to ±{c:.4g}", rank=2),
            ),
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: way({"clamp": clipped(-c, c, source="scores")}, f"to ±{c:.4g}", rank=1),
            ),
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: rare(
                    {"clamp": clipped(-INFINITE, c, source="scores")}, f"at most {c:.4g}", rank=2
                ),
            ),
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: rare(
                    {"clamp": clipped(-c, INFINITE, source="scores")}, f"at least -{c:.4g}", rank=2
                ),
            ),
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: rare(
                    {"clip": clipped(-c, c, source="masked")},
                    f"to ±{c:.4g}, before softmax",
                    rank=2,
                ),
            ),
            Fitted(
                Quantity.LARGEST_EXPONENT,
                lambda c: rare(
                    {"clip": clipped(-INFINITE, c, source="masked"), "shift": no_shift},
                    f"at most {c:.4g}, in place of the maximum",
                    rank=2,
                ),
            ),
            Fitted(
                Quantity.LARGEST_EXPONENT,
                lambda c: rare(
                    {"clip": clipped(-c, c, source="masked"), "shift": no_shift},
                    f"to ±{c:.4g}, in place of the maximum",
                    rank=2,
                ),
            ),
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: rare(
                    {"clip": clipped(-c, INFINITE, source="masked")},
                    f"at least -{c:.4g}, before softmax",
                    rank=2,
                ),
            ),
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: way(
                    {"clip": clipped(-INFINITE, c, source="masked")},
                    f"at most {c:.4g}, before softmax",
                    rank=2,
                ),
            ),
        ),
    ),
)
