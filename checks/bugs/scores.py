"""Bugs of scores that are scaled too late or kept within bounds."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps.right import nothing
from ..steps.scalings import attended_by, d_k, weights_by
from ..steps.softmaxes import clipped, no_shift, soft_capped
from . import reading
from .ways import INFINITE, Fitted, Quantity, way

BUGS = (
    Bug(
        card=Card(
            id="scale-after-softmax",
            family="scaling",
            title="the probabilities are scaled",
            does="Divides the weights by sqrt(d_k) after softmax instead of the scores before it.",
            example=(
                "Q Kᵀ           [[4, 0]]\n"
                "right weights  [[0.88, 0.12]]\n"
                "this bug's     [[0.49, 0.01]]\n"
                "its row sum    [0.50]  # should be 1"
            ),
            hurts=(
                "Softmax has then already worked on scores that are too large and is too sharp; "
                "and the rows no longer sum to 1, so every output shrinks by sqrt(d_k)."
            ),
            fix="Move the division in front of softmax. Nothing is divided afterwards.",
            hints=(
                "What do your rows of weights sum to?",
                (
                    "softmax(s) / c and softmax(s / c) are very different. Which one does the "
                    "equation have?"
                ),
                "Look at the order of the lines: scores, scale, mask, softmax, product with V.",
            ),
            read=(reading.ATTENTION, reading.ANNOTATED),
            star=True,
            no_model="",
        ),
        models=(
            way({"scale": nothing, "after": weights_by(d_k(0.5))}),
            way(
                {"scale": nothing, "after": weights_by(d_k(-0.5))},
                "multiplied",
                rank=2,
                paired=False,
            ),
            way({"scale": nothing, "apply": attended_by(d_k(0.5))}, "the output only", rank=1),
            way({"after": weights_by(d_k(0.5))}, "once more", rank=2, paired=False),
            way({"apply": attended_by(d_k(0.5))}, "the output once more", rank=2, paired=False),
            way(
                {"scale": nothing, "after": weights_by(d_k(1.0))},
                "without the root",
                rank=2,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="scores-clamped",
            family="scaling",
            title="scores clipped to a range",
            does="Clips the scores to a fixed range before softmax.",
            example=(
                "scores         [[12, 3]]\n"
                "this bug       [[5, 3]]  # clipped to -5 ... 5\n"
                "right weights  [[1.00, 0.00]]\n"
                "this bug's     [[0.88, 0.12]]"
            ),
            hurts=(
                "Beyond the limit all scores become equal, so the model cannot prefer one key over "
                "another there, and clipped scores pass no gradient back. If it was meant against "
                "overflow, subtracting the row's maximum does that and changes nothing."
            ),
            fix="Take the clipping out. Let softmax shift each row by its own maximum.",
            hints=(
                (
                    "What weights do the scores 12 and 3 give, and what do they give after your "
                    "clipping?"
                ),
                (
                    "Overflow can be avoided without changing the result. Which property of "
                    "softmax helps?"
                ),
                "Look for clip, clamp, minimum or tanh between Q Kᵀ and softmax.",
            ),
            read=(reading.STABLE, reading.ATTENTION),
            star=True,
            no_model="",
        ),
        models=(
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: way(
                    {"clamp": soft_capped(c)}, f"softly to ±{c:.4g}", rank=2, paired=False
                ),
            ),
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: way({"clamp": clipped(-c, c, source="scores")}, f"to ±{c:.4g}", rank=1),
            ),
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: way(
                    {"clamp": clipped(-INFINITE, c, source="scores")},
                    f"at most {c:.4g}",
                    rank=2,
                    paired=False,
                ),
            ),
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: way(
                    {"clamp": clipped(-c, INFINITE, source="scores")},
                    f"at least -{c:.4g}",
                    rank=2,
                    paired=False,
                ),
            ),
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: way(
                    {"clip": clipped(-c, c, source="masked")},
                    f"to ±{c:.4g}, before softmax",
                    rank=2,
                    paired=False,
                ),
            ),
            Fitted(
                Quantity.LARGEST_EXPONENT,
                lambda c: way(
                    {"clip": clipped(-INFINITE, c, source="masked"), "shift": no_shift},
                    f"at most {c:.4g}, in place of the maximum",
                    rank=2,
                    paired=False,
                ),
            ),
            Fitted(
                Quantity.LARGEST_EXPONENT,
                lambda c: way(
                    {"clip": clipped(-c, c, source="masked"), "shift": no_shift},
                    f"to ±{c:.4g}, in place of the maximum",
                    rank=2,
                    paired=False,
                ),
            ),
            Fitted(
                Quantity.LARGEST_SCORE,
                lambda c: way(
                    {"clip": clipped(-c, INFINITE, source="masked")},
                    f"at least -{c:.4g}, before softmax",
                    rank=2,
                    paired=False,
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
