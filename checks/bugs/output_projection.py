"""Bugs of the output projection."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import projecting
from . import reading
from .ways import CLASSES, HEADS, way

BUGS = (
    Bug(
        card=Card(
            id="output-projection-missing",
            family="projections and heads",
            title="no W_o",
            does="Returns the attended values (or joined heads) without multiplying them by W_o.",
            example=(
                "joined    [[1, 2]]\n"
                "W_o       [[0, 1], [1, 0]]\n"
                "right     [[2, 1]]\n"
                "this bug  [[1, 2]]"
            ),
            hurts="The heads stay in their own columns and are never mixed, and W_o never learns.",
            fix="End with a product by W_o.",
            hints=(
                "Does your output change when you change W_o?",
                "What is the last factor in the paper's formula for multi-head attention?",
                "Look at the return line: one product is missing.",
            ),
            read=(reading.HEADS, reading.ANNOTATED),
            no_model="",
        ),
        models=(way({"out": projecting.no_output_projection}, only=CLASSES),),
    ),
    Bug(
        card=Card(
            id="output-projection-per-head",
            family="projections and heads",
            title="each head through its own block of W_o",
            does="Sends each head through its own (d_k, d_k) block of W_o and joins afterwards.",
            example=(
                "joined    [[1, 2]]\n"
                "W_o       [[1, 1], [1, 1]]\n"
                "right     [[3, 3]]\n"
                "this bug  [[1, 2]]"
            ),
            hurts=(
                "Only the blocks on the diagonal of W_o are used, so the heads are never mixed. "
                "That mixing is what W_o is for."
            ),
            fix="Join first, then multiply by the whole W_o.",
            hints=(
                "Which elements of W_o have no influence on your result?",
                "Concat(head_1 ... head_h) W_o: what is done first?",
                "Look at whether W_o is sliced by heads in rows and columns.",
            ),
            read=(reading.HEADS, reading.CIRCUITS),
            no_model="",
        ),
        models=(
            way({"out": projecting.output_per_head}, only=HEADS),
            way(
                {"out": projecting.output_first_block_per_head},
                "the same block for all",
                only=HEADS,
                rank=1,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="output-projection-transposed",
            family="projections and heads",
            title="W_o is transposed",
            does="Multiplies by W_oᵀ where W_o is meant.",
            example=(
                "joined    [[1, 2]]\n"
                "W_o       [[1, 1], [0, 1]]\n"
                "right     [[1, 3]]\n"
                "this bug  [[3, 2]]"
            ),
            hurts=(
                "The matrix is square, so nothing raises, and a model trained this way works. With "
                "weights from elsewhere the output is wrong."
            ),
            fix=(
                "Use a plain matrix as it is, on the right of the product. nn.Linear transposes "
                "its own weight when you call it."
            ),
            hints=(
                "Which element of W_o takes the second input to the first output?",
                "Rows of W_o belong to its inputs, columns to its outputs.",
                "Look for .T or swapped letters in einsum in the last product.",
            ),
            read=(reading.HEADS, reading.T_LINEAR),
            no_model="",
        ),
        models=(
            way({"out": projecting.output_transposed()}, only=CLASSES),
            way(
                {"out": projecting.output_transposed(bias=False)},
                "without the bias",
                only=CLASSES,
                rank=1,
                paired=False,
                tags=frozenset({"torch"}),
            ),
        ),
    ),
)
