"""Bugs of what softmax takes for a row."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

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
from . import reading
from .ways import way

BUGS = (
    Bug(
        card=Card(
            id="softmax-whole-matrix",
            family="softmax",
            title="one sum for the whole table",
            does=(
                "Divides by the sum over all queries and keys, so that the whole table sums to 1 "
                "instead of each row."
            ),
            example=(
                "scores        [[0, 2], [1, 1]]\n"
                "right         [[0.12, 0.88], [0.50, 0.50]]\n"
                "this bug      [[0.07, 0.53], [0.20, 0.20]]\n"
                "its row sums  [0.61, 0.39]  # each should be 1"
            ),
            hurts=(
                "The longer the sequence, the smaller all weights become, so the outputs shrink "
                "with the length. Queries with large scores drown out all the others, and each "
                "weight depends on every token in the sentence, later ones too."
            ),
            fix=(
                "Give every query its own sum: reduce along the key axis only, and keep that axis "
                "so the division lines up."
            ),
            hints=(
                (
                    "What do all your weights together add up to? And what should they add up to, "
                    "for T queries?"
                ),
                "A sum without an axis goes over everything.",
                (
                    "Look at the call of sum (and of max): it needs axis= and keepdims= (torch: "
                    "dim=, keepdim=)."
                ),
            ),
            read=(reading.ATTENTION, reading.NP_REDUCE),
            star=True,
            no_model="",
        ),
        models=(
            way(softmax_along(None)),
            way({"normalise": normalise_along(along(None))}, "the sum only"),
            way(softmax_along((-2, -1)), "each matrix by itself"),
            way(
                {"normalise": normalise_along(along((-2, -1)))},
                "each matrix by itself, the sum only",
            ),
            way(
                {"shift": shift_along(along(None)), "normalise": normalise_along(along((-2, -1)))},
                "one maximum, each matrix summed",
                rank=2,
                paired=False,
            ),
            way(softmax_along((0, -2, -1)), "each head over all samples", rank=1, paired=False),
            way(
                {"normalise": normalise_along(along((0, -2, -1)))},
                "each head over all samples, the sum only",
                rank=1,
                paired=False,
            ),
            way(
                {"shift": no_shift, "normalise": normalise_along(along(None))},
                "no shift",
                rank=2,
                paired=False,
            ),
            way(
                {"shift": no_shift, "normalise": normalise_along(along((-2, -1)))},
                "no shift, each matrix",
                rank=2,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="softmax-no-keepdims",
            family="softmax",
            title="the reduced axis is lost",
            does=(
                "Drops the axis it summed over, so the division divides column j by the sum of row "
                "j."
            ),
            example=(
                "exp(scores)   [[1.00, 7.39], [1.00, 1.00]]\n"
                "its row sums  [8.39, 2.00]\n"
                "right         [[0.12, 0.88], [0.50, 0.50]]\n"
                "this bug      [[0.12, 3.69], [0.12, 0.50]]  # 7.39 / 2.00, for example"
            ),
            hurts=(
                "For a square matrix nothing complains: broadcasting (how NumPy stretches arrays "
                "to fit each other) lines the sums up with the wrong axis and the weights are no "
                "distribution. For T_q different from T_k it raises, often first in the middle of "
                "a training run."
            ),
            fix="Keep the reduced axis with length 1, so that each row is divided by its own sum.",
            hints=(
                (
                    "What is the shape of your sums, for scores of shape (3, 3)? Which axis will "
                    "(3,) be matched with?"
                ),
                "Broadcasting matches shapes from the right. Row sums need the shape (T_q, 1).",
                "Look at the argument keepdims (torch: keepdim) of sum and max.",
            ),
            read=(reading.NP_BROADCAST, reading.NP_REDUCE),
            equals=("softmax-over-queries",),
            star=True,
            no_model="",
        ),
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
            way(
                {
                    "shift": shift_along(along(None)),
                    "normalise": normalise_along(along(-1), keepdims=False),
                },
                "the sum, one maximum for all",
                rank=1,
                paired=False,
            ),
            way(
                {"shift": no_shift, "normalise": normalise_along(along(-1), keepdims=False)},
                "the sum, no shift",
                rank=2,
                paired=False,
            ),
            way(
                {
                    "shift": shift_along(along(-2), keepdims=False),
                    "normalise": normalise_along(along(-2), keepdims=False),
                },
                "along the queries",
                rank=2,
                paired=False,
            ),
            way(
                {"normalise": normalise_placed(on_the_keys)},
                "the sum, on the key axis",
                rank=1,
            ),
            way(
                {"shift": shift_placed(on_the_keys)},
                "the maximum, on the key axis",
                rank=2,
                paired=False,
            ),
            way(softmax_placed(on_the_keys), "both, on the key axis", rank=2, paired=False),
        ),
    ),
    Bug(
        card=Card(
            id="softmax-implicit-dim",
            family="softmax",
            title="the axis left to the library",
            does=(
                "Calls the library's softmax without an axis, so that PyTorch chooses one by the "
                "number of dimensions."
            ),
            example=(
                "matrix            [[0, 2], [1, 1]]\n"
                "no dim gives      [[0.12, 0.88], [0.50, 0.50]]\n"
                "stack of one      [[[0, 2], [1, 1]]]\n"
                "no dim now gives  [[[1, 1], [1, 1]]]  # axis 0"
            ),
            hurts=(
                "PyTorch's old rule takes axis 0 for one and three dimensions and axis 1 "
                "otherwise. A matrix comes out right, a batch does not, and only a warning says "
                "so."
            ),
            fix="Always name the axis, counted from the end.",
            hints=(
                (
                    "Did PyTorch print a warning about an implicit dimension? What does it choose "
                    "for three dimensions?"
                ),
                (
                    "A default that depends on the number of dimensions cannot be right for all "
                    "of them."
                ),
                "Look at the argument dim of torch.softmax.",
            ),
            read=(reading.T_SOFTMAX, reading.ATTENTION),
            star=True,
            no_model="",
        ),
        models=(way(softmax_along(implicit), rank=1, tags=frozenset({"torch"})),),
    ),
)
