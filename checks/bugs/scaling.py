"""Bugs of what scores are divided by."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps.right import nothing
from ..steps.scalings import by, constant, d_k, d_model, length, num_heads
from . import reading
from .ways import HEADS, Fitted, Quantity, way

BUGS = (
    Bug(
        card=Card(
            id="scale-missing",
            family="scaling",
            title="no scaling",
            does="Uses the products Q Kᵀ as scores without dividing by sqrt(d_k).",
            example=(
                "Q Kᵀ           [[4, 0]]  # d_k = 4\n"
                "right          [[2, 0]]\n"
                "this bug       [[4, 0]]\n"
                "right weights  [[0.88, 0.12]]\n"
                "this bug's     [[0.98, 0.02]]"
            ),
            hurts=(
                "A sum of d_k products has a spread that grows like sqrt(d_k). Unscaled, softmax "
                "becomes almost one-hot (one weight near 1, the rest near 0), its gradient almost "
                "vanishes, and the model learns slowly or not at all: the wider the heads, the "
                "worse."
            ),
            fix=(
                "Divide the products by the square root of the length of one key vector, once, "
                "before the mask and softmax."
            ),
            hints=(
                "How large are typical scores for d_k = 4, and for d_k = 400?",
                "The paper divides so that the scores' spread does not depend on d_k. By what?",
                (
                    "Look at the line with Q Kᵀ: what should stand behind it? The function sqrt "
                    "and the argument d_k."
                ),
            ),
            read=(reading.ATTENTION, reading.ANNOTATED),
            star=True,
            no_model="",
        ),
        models=(way({"scale": nothing}),),
    ),
    Bug(
        card=Card(
            id="scale-no-sqrt",
            family="scaling",
            title="division by d_k instead of its root",
            does="Divides the scores by d_k, which is sqrt(d_k) times too much.",
            example=(
                "Q Kᵀ           [[4, 0]]  # d_k = 4\n"
                "right          [[2, 0]]\n"
                "this bug       [[1, 0]]\n"
                "right weights  [[0.88, 0.12]]\n"
                "this bug's     [[0.73, 0.27]]"
            ),
            hurts=(
                "The scores come out too small, so the weights are close to equal and every token "
                "looks at everything a little. The model has to learn huge queries and keys to "
                "make up for it, and training is slow."
            ),
            fix="Divide by the square root of d_k.",
            hints=(
                "By what factor are your scores off: d_k, or its root?",
                "The spread of a sum of d_k independent products grows with the root of d_k.",
                "Look at the divisor: the power 0.5 or a call of sqrt is missing.",
            ),
            read=(reading.ATTENTION, reading.ANNOTATED),
            equals=("scale-twice",),
            star=True,
            no_model="",
        ),
        models=(way({"scale": by(d_k(1.0))}),),
    ),
    Bug(
        card=Card(
            id="scale-twice",
            family="scaling",
            title="scaled in two places",
            does="Divides by sqrt(d_k) twice, once in each of two places.",
            example=(
                "Q Kᵀ           [[4, 0]]  # d_k = 4\n"
                "right          [[2, 0]]\n"
                "this bug       [[1, 0]]\n"
                "right weights  [[0.88, 0.12]]\n"
                "this bug's     [[0.73, 0.27]]"
            ),
            hurts=(
                "Together that is a division by d_k: the weights become too even. It happens "
                "easily when one function scales and its caller scales again, or when Q is scaled "
                "and the scores too."
            ),
            fix=(
                "Choose one place for the scaling and remove the other. The exercise "
                "attention_scores already scales."
            ),
            hints=(
                "How many times is something divided on the way from Q and K to softmax?",
                "If a function you call scales already, its caller must not.",
                "Look for sqrt in every function on the way, and for d_k in front of softmax.",
            ),
            read=(reading.ATTENTION, reading.ANNOTATED),
            equals=("scale-no-sqrt",),
            star=True,
            no_model="",
        ),
        models=(way({"scale": by(d_k(1.0))}, rank=1, paired=False),),
    ),
    Bug(
        card=Card(
            id="scale-multiplied",
            family="scaling",
            title="multiplied instead of divided",
            does=(
                "Multiplies the scores by sqrt(d_k), or divides by its inverse, where a division "
                "is meant."
            ),
            example=(
                "Q Kᵀ           [[4, 0]]  # d_k = 4\n"
                "right          [[2, 0]]\n"
                "this bug       [[8, 0]]\n"
                "right weights  [[0.88, 0.12]]\n"
                "this bug's     [[1.00, 0.00]]"
            ),
            hurts=(
                "The scores grow with d_k instead of being tamed. Softmax becomes one-hot at once: "
                "each token copies a single other token, and almost no gradient comes back."
            ),
            fix=(
                "Make the scores smaller as d_k grows. If you multiply, then by d_k to the power "
                "of minus one half."
            ),
            hints=(
                "Do your scores get larger or smaller when d_k grows?",
                (
                    "Dividing by sqrt(d_k) is multiplying by d_k ** -0.5. Which of the two have "
                    "you mixed?"
                ),
                "Look at the operator and the exponent's sign in the line that uses d_k.",
            ),
            read=(reading.ATTENTION, reading.NANOGPT),
            star=True,
            no_model="",
        ),
        models=(
            way({"scale": by(d_k(-0.5))}),
            way({"scale": by(d_k(-1.0))}, "times d_k", rank=1, paired=False),
        ),
    ),
    Bug(
        card=Card(
            id="scale-by-d-model",
            family="scaling",
            title="scaled by the model's width",
            does="Divides by sqrt(d_model) where the width of one head, d_k, is meant.",
            example=(
                "Q Kᵀ           [[4, 0]]  # d_k = 4, h = 4, d_model = 16\n"
                "right          [[2, 0]]\n"
                "this bug       [[1, 0]]\n"
                "right weights  [[0.88, 0.12]]\n"
                "this bug's     [[0.73, 0.27]]"
            ),
            hurts=(
                "A query and a key of one head have d_k = d_model / h entries. Dividing by "
                "sqrt(d_model) makes the scores sqrt(h) times too small, so the attention is too "
                "even, and more so with more heads. With one head the two are equal, which is why "
                "it hides."
            ),
            fix="Read the width off the last axis of the queries after the heads have been split.",
            hints=(
                "How many numbers are multiplied and added up for one score, inside one head?",
                (
                    "That number is what the root is taken of. With h heads it is smaller than "
                    "d_model."
                ),
                (
                    "Look at what you pass as d_k: Q.shape[-1] before the split into heads, or "
                    "after it?"
                ),
            ),
            read=(reading.HEADS, reading.ATTENTION),
            equals=("scale-by-length",),
            star=True,
            no_model="",
        ),
        models=(
            way({"scale": by(d_model(0.5))}, only=HEADS),
            way({"scale": by(d_model(1.0))}, "without the root", rank=1, only=HEADS),
            way({"scale": by(d_model(-0.5))}, "multiplied", rank=2, paired=False, only=HEADS),
            way(
                {"scale": by(num_heads(0.5))},
                "the number of heads",
                rank=2,
                paired=False,
                only=HEADS,
            ),
            way(
                {"scale": by(num_heads(1.0))},
                "the number of heads, without the root",
                rank=2,
                paired=False,
                only=HEADS,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="scale-by-length",
            family="scaling",
            title="scaled by the sequence length",
            does="Divides by the square root of a sequence length instead of sqrt(d_k).",
            example=(
                "Q Kᵀ           [[4, 0]]  # d_k = 4, 2 keys\n"
                "right          [[2, 0]]\n"
                "this bug       [[2.83, 0.00]]\n"
                "right weights  [[0.88, 0.12]]\n"
                "this bug's     [[0.94, 0.06]]"
            ),
            hurts=(
                "The same two tokens get another score in a longer sentence, although their "
                "vectors are the same. The model then behaves differently at each length, and "
                "padding changes the answers."
            ),
            fix=(
                "Take the size of the last axis of Q (how long a vector is), not of the one before "
                "it (how many there are)."
            ),
            hints=(
                "Does your score for one pair of tokens change when you append a token?",
                "Q has the shape (..., T, d_k). Which of its sizes belongs in the root?",
                (
                    "Look at the index into shape: -1 and -2 are easily mixed up, and so are "
                    "Q.shape[1] with and without a batch."
                ),
            ),
            read=(reading.ATTENTION, reading.NP_SHAPE),
            equals=("scale-by-d-model",),
            star=True,
            no_model="",
        ),
        models=(
            way({"scale": by(length("K", -2, 0.5))}, "of the keys"),
            way({"scale": by(length("Q", -2, 0.5))}, "of the queries"),
            way({"scale": by(length("K", -2, 1.0))}, "of the keys, without the root", rank=1),
            way({"scale": by(length("Q", -2, 1.0))}, "of the queries, without the root", rank=1),
            way({"scale": by(length("K", 0, 0.5))}, "axis 0 of the keys", rank=1, paired=False),
            way({"scale": by(length("Q", 0, 0.5))}, "axis 0 of the queries", rank=1, paired=False),
            way({"scale": by(length("Q", 1, 0.5))}, "axis 1 of the queries", rank=2, paired=False),
            way({"scale": by(length("K", 1, 0.5))}, "axis 1 of the keys", rank=2, paired=False),
        ),
    ),
    Bug(
        card=Card(
            id="scale-constant",
            family="scaling",
            title="a constant in place of the root",
            does=(
                "Divides by a fixed number that is right for one d_k only, such as 8 for d_k = 64."
            ),
            example=(
                "Q Kᵀ           [[4, 0]]  # d_k = 4, divided by 8\n"
                "right          [[2, 0]]\n"
                "this bug       [[0.50, 0.00]]\n"
                "right weights  [[0.88, 0.12]]\n"
                "this bug's     [[0.62, 0.38]]"
            ),
            hurts=(
                "It is right for the configuration it was copied from and wrong in every other. "
                "Smaller heads get too even weights, larger ones too sharp."
            ),
            fix="Compute the divisor from d_k as it comes in.",
            hints=(
                "For which d_k is your number the right one?",
                "The paper's models have d_k = 64, and the root of 64 is 8. Yours may differ.",
                "Look for a bare number beside the scores, and put the root of d_k there.",
            ),
            read=(reading.ATTENTION, reading.HEADS),
            star=True,
            no_model="",
        ),
        models=(
            Fitted(
                Quantity.DIVISOR,
                lambda c: way({"scale": by(constant(c))}, f"{c:.5g} for every d_k", rank=1),
            ),
        ),
    ),
)
