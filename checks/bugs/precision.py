"""Bugs of dtypes: digits lost, fills that do not fit."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import scalings
from . import reading
from .ways import GIVEN, SCORES, way

BUGS = (
    Bug(
        card=Card(
            id="precision-lost",
            family="precision and state",
            title="computed in half precision",
            does=(
                "Computes in half precision (float16 or bfloat16), where numbers have only three "
                "or so digits."
            ),
            example=(
                "scores      [[2048, 2049]]\n"
                "in float16  [[2048, 2048]]\n"
                "right       [[0.27, 0.73]]\n"
                "this bug    [[0.50, 0.50]]"
            ),
            hurts=(
                "Above 2048 float16 has no odd integers, and above 65504 nothing but infinity. "
                "Close scores become equal, and large ones overflow. (Single precision, float32, "
                "is fine.)"
            ),
            fix=(
                "Compute at least in float32. If the input is half precision, widen it for the "
                "scores and softmax and go back at the end."
            ),
            hints=(
                "How many digits of your result agree with the expected one?",
                "Which line makes an array of a smaller type?",
                "Look for float16, half, bfloat16 or astype on the way.",
            ),
            read=(reading.MIXED, reading.NP_DTYPES),
            no_model=(
                "Half precision rounds in the order of the operations; "
                "it is told by the size of the error."
            ),
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="integer-scores-buffer",
            family="precision and state",
            title="scores in an integer array",
            does=(
                "Keeps the scores in an integer array, which cuts off everything behind the "
                "decimal point."
            ),
            example=(
                "scores         [[0.20, 0.90]]\n"
                "in the buffer  [[0, 0]]\n"
                "right          [[0.33, 0.67]]\n"
                "this bug       [[0.50, 0.50]]"
            ),
            hurts=(
                "Scores of 0.2 and 0.9 both become 0. The attention turns coarse or uniform "
                "without a message."
            ),
            fix="Make the array for the scores with a floating-point type.",
            hints=(
                "What is the dtype of your scores when Q and K hold whole numbers?",
                "zeros_like(Q) takes Q's type as well as its shape.",
                "Look at dtype where the array is made, and at int, // and round.",
            ),
            read=(reading.NP_DTYPES, reading.NP_FULL),
            no_model="",
        ),
        models=(
            way({"scale": scalings.into_integers}, only=GIVEN | SCORES),
            way({"scale": scalings.floor_divided}, "divided with //", rank=1, only=GIVEN | SCORES),
            way(
                {"scale": scalings.raises_on_integers},
                "divided in place",
                rank=1,
                only=GIVEN | SCORES,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="half-fill-overflow",
            family="precision and state",
            title="a fill that float16 cannot hold",
            does=(
                "Fills with a number, such as -1e9, that becomes minus infinity in float16 (torch "
                "raises in some calls)."
            ),
            example=(
                "-1e9 in float16  -inf\n"
                "row all masked   [[nan, nan]]\n"
                "fill of -6e4     [[0.50, 0.50]]"
            ),
            hurts=(
                "Nothing fails because of it here. But a row in which every key is masked then "
                "holds minus infinity only, and its softmax is NaN."
            ),
            fix="Take the fill from the type in use, or build the scores in float32.",
            hints=(
                "What is -1e9 in float16, whose largest number is 65504?",
                "Which fill exists in every type that your function may see?",
                "Look at np.finfo (torch: torch.finfo) and its min.",
            ),
            read=(reading.MIXED, reading.NP_FINFO),
            note_only=True,
            no_model="A note about half precision; it never changes a number that is asked about.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="half-min-plus-score",
            family="precision and state",
            title="the smallest number plus a score",
            does=(
                "Adds the smallest number of the dtype to a score, which falls below the smallest "
                "number and becomes minus infinity."
            ),
            example=(
                "float16 minimum   -65504\n"
                "scores            [[-20, 3]]\n"
                "minimum + scores  [[-inf, -65504]]"
            ),
            hurts=(
                "Nothing fails because of it here. In float16 the smallest number is -65504; a "
                "negative score on top overflows, and a row with every key masked may become NaN."
            ),
            fix=(
                "Replace the score by the fill rather than adding to it, or use half of the "
                "smallest number."
            ),
            hints=(
                "What is -65504 + -20 in float16?",
                "Adding leaves the score in; replacing does not.",
                "Look at where or masked_fill in place of +.",
            ),
            read=(reading.NP_FINFO, reading.MIXED),
            note_only=True,
            no_model="A note about half precision; it never changes a number that is asked about.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="mask-dtype-promotes",
            family="precision and state",
            title="the mask changes the type of the scores",
            does=(
                "Adds a float32 mask to half-precision scores, so that all later steps are done in "
                "float32."
            ),
            example=("scores         float16\nmask           float32\nscores + mask  float32"),
            hurts=(
                "Nothing is wrong in the numbers. But memory and time double, and the result has "
                "another type than the input, at which a later layer may raise."
            ),
            fix="Give the mask the type of the scores.",
            hints=(
                "What is the dtype of float16 + float32?",
                "The wider type wins in a sum.",
                (
                    "Look at the dtype with which the mask is made, or at astype (torch: to) "
                    "before the sum."
                ),
            ),
            read=(reading.NP_PROMOTION, reading.T_AMP),
            note_only=True,
            no_model="A note about dtypes; it never changes a number that is asked about.",
        ),
        models=(),
    ),
)
