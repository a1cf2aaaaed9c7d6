"""Bugs of what is given back."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import products
from . import reading
from .ways import CLASSES, GIVEN, HEADS, SCORES, way

BUGS = (
    Bug(
        card=Card(
            id="returns-swapped",
            family="products",
            title="the two results in the wrong order",
            does="Returns (weights, output) where (output, weights) is asked for.",
            example=("right, shapes  ((1, 3), (1, 2))\nthis bug's     ((1, 2), (1, 3))"),
            hurts=(
                "The caller goes on with the weights as if they were the output. Where the shapes "
                "agree by chance, nothing raises and the model learns from a table of percentages."
            ),
            fix="The output comes first, the weights second.",
            hints=(
                "What is the shape of your first result?",
                "The contract says: (output, weights).",
                "Look at the return line.",
            ),
            read=(reading.T_MHA, reading.ATTENTION),
            star=True,
            no_model="",
        ),
        models=(way({"finish": products.finished("weights", "attended")}, only=GIVEN),),
    ),
    Bug(
        card=Card(
            id="returns-one-thing",
            family="products",
            title="one array where two are asked for",
            does="Returns the output alone (or the weights alone) where both are asked for.",
            example=(
                "right, output   [[1, 2], [3, 4]]\n"
                "right, weights  [[1, 0], [0, 1]]\n"
                "bug, output     [1, 2]\n"
                "bug, weights    [3, 4]"
            ),
            hurts=(
                "Python unpacks any array along its first axis. With exactly two rows, the caller "
                "silently gets row 0 as the output and row 1 as the weights; otherwise it raises."
            ),
            fix="Return both, the output first.",
            hints=(
                "How many things does your function return?",
                "Two names on the left of = split one array of two rows without a word.",
                "Look at the return line: it needs two values with a comma between them.",
            ),
            read=(reading.PY_UNPACK, reading.T_MHA),
            star=True,
            no_model="",
        ),
        models=(
            way({"finish": products.finished("attended")}, "the output", only=GIVEN),
            way({"finish": products.finished("weights")}, "the weights", only=GIVEN),
        ),
    ),
    Bug(
        card=Card(
            id="output-never-filled",
            family="products",
            title="a buffer of zeros is returned",
            does="Makes an array for the result and returns it before anything is written into it.",
            example=(
                "weights   [[0.50, 0.50]]\n"
                "V         [[10], [20]]\n"
                "right     [[15]]\n"
                "this bug  [[0]]"
            ),
            hurts=(
                "All outputs are 0, so the layer passes nothing on and gets no gradient: with a "
                "residual connection the model runs and trains as if there were no attention."
            ),
            fix="Write the result into the array, or return the product itself.",
            hints=(
                "Is every number in your result 0?",
                "Which line writes into the array that you return? Does it run?",
                (
                    "Look for an assignment to a new name where one into the array (with [...]) "
                    "was meant, and for a loop that never starts."
                ),
            ),
            read=(reading.NP_FULL, reading.NP_COPIES),
            star=True,
            no_model="",
        ),
        models=(
            way(
                {"apply": products.never_filled},
                "the output",
                only=GIVEN | frozenset({"apply_attention"}),
            ),
            way({"out": products.output_never_filled}, only=CLASSES),
            way(
                {"apply": products.never_filled},
                "what is attended",
                rank=1,
                paired=False,
                only=CLASSES,
            ),
            way({"join": products.joined_never_filled}, "the heads' buffer", rank=1, only=HEADS),
            way(
                {"scale": products.scores_never_filled},
                "the scores",
                rank=1,
                only=GIVEN | SCORES | CLASSES,
            ),
            way(
                {"normalise": products.weights_never_filled},
                "the weights",
                rank=1,
                only=frozenset({"softmax"}) | GIVEN,
            ),
            way(
                {"normalise": products.weights_never_filled, "apply": products.never_filled},
                "both results",
                rank=1,
                paired=False,
                only=GIVEN,
            ),
        ),
    ),
)
