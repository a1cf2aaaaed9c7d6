"""Bugs of the projections into queries, keys and values."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import products, projecting
from . import reading
from .ways import CLASSES, GIVEN, way

BUGS = (
    Bug(
        card=Card(
            id="value-from-keys",
            family="projections and heads",
            title="values made from the keys",
            does="Makes V with W_k, or uses K in its place.",
            example=(
                "x            [[1, 2]]\n"
                "W_k          [[2, 0], [0, 2]]\n"
                "W_v          [[0, 1], [1, 0]]\n"
                "V, right     [[2, 1]]\n"
                "V, this bug  [[2, 4]]"
            ),
            hurts=(
                "Keys say what a token can be found by, values say what it passes on. With one "
                "matrix for both the model loses that freedom, and W_v never gets a gradient: it "
                "stays as it was initialised."
            ),
            fix="Each of the three projections uses its own matrix.",
            hints=(
                "Which of your matrices has no influence on the result?",
                "Three lines that look alike are easily copied with one name left unchanged.",
                "Look at the line that makes V, and at what you pass as the third argument.",
            ),
            read=(reading.ATTENTION, reading.ILLUSTRATED),
            equals=("projection-shared",),
            no_model="",
        ),
        models=(
            way({"project": projecting.with_matrices("qkk")}, only=CLASSES),
            way({"apply": products.keys_as_values}, "V is K", only=GIVEN),
        ),
    ),
    Bug(
        card=Card(
            id="value-from-queries",
            family="projections and heads",
            title="values made from the queries",
            does="Makes V with W_q, or uses Q in its place.",
            example=(
                "x            [[1, 2]]\n"
                "W_q          [[1, 1], [0, 1]]\n"
                "W_v          [[0, 1], [1, 0]]\n"
                "V, right     [[2, 1]]\n"
                "V, this bug  [[1, 3]]"
            ),
            hurts=(
                "What a token asks for and what it passes on become the same. The model still "
                "trains, but worse, and W_v never gets a gradient."
            ),
            fix="Each of the three projections uses its own matrix.",
            hints=(
                "Which of your matrices has no influence on the result?",
                "Three lines that look alike are easily copied with one name left unchanged.",
                "Look at the line that makes V: which W does it use?",
            ),
            read=(reading.ATTENTION, reading.ILLUSTRATED),
            equals=("projection-shared",),
            no_model="",
        ),
        models=(
            way({"project": projecting.with_matrices("qkq")}, only=CLASSES),
            way({"apply": products.queries_as_values}, "V is Q", only=GIVEN),
        ),
    ),
    Bug(
        card=Card(
            id="projection-missing",
            family="projections and heads",
            title="one projection is left out",
            does="Uses the input itself as Q, K or V, without multiplying it by its matrix.",
            example=(
                "x            [[1, 2]]\n"
                "W_q          [[2, 0], [0, 2]]\n"
                "Q, right     [[2, 4]]\n"
                "Q, this bug  [[1, 2]]"
            ),
            hurts=(
                "The model cannot choose what to ask for, what to be found by, or what to pass on. "
                "It runs and trains, but that matrix never learns."
            ),
            fix="Multiply the input by its own matrix for each of Q, K and V.",
            hints=(
                "Which of W_q, W_k, W_v could you change without changing the result?",
                "All three of Q, K and V are made from x, each by a product.",
                (
                    "Look at the three lines after the input comes in, and at what the attention "
                    "call gets."
                ),
            ),
            read=(reading.ATTENTION, reading.ILLUSTRATED),
            no_model="",
        ),
        models=(
            *(
                way(
                    {"project": projecting.not_projected(names)},
                    names,
                    only=CLASSES,
                    rank=len(names) - 1,
                )
                for names in ("Q", "K", "V")
            ),
            *(
                way(
                    {"project": projecting.not_projected(names)},
                    names,
                    only=CLASSES,
                    rank=1,
                    paired=names in ("QKV", "QK"),
                )
                for names in ("QKV", "QK", "QV", "KV")
            ),
        ),
    ),
    Bug(
        card=Card(
            id="projection-shared",
            family="projections and heads",
            title="one matrix for two projections",
            does="Uses one matrix for two of Q, K and V, or for all three.",
            example=(
                "x            [[1, 2]]\n"
                "W_q          [[2, 0], [0, 2]]\n"
                "W_k          [[0, 1], [1, 0]]\n"
                "K, right     [[2, 1]]\n"
                "K, this bug  [[2, 4]]"
            ),
            hurts=(
                "With equal queries and keys, the table of scores is symmetric before the mask: "
                "how much a looks at b is how much b looks at a, and each token tends to look at "
                "itself. The unused matrix never learns."
            ),
            fix=(
                "Give Q, K and V a matrix each, and make sure that no two names stand for one "
                "object."
            ),
            hints=(
                "Which of your matrices has no influence on the result?",
                "W_q = W_k = ... makes one array with two names.",
                "Look at the three projection lines, and at where the matrices are made.",
            ),
            read=(reading.ATTENTION, reading.CIRCUITS),
            equals=("value-from-keys", "value-from-queries"),
            no_model="",
        ),
        models=(
            *(
                way({"project": projecting.with_matrices(letters)}, letters, only=CLASSES, rank=1)
                for letters in ("qqq", "qqv", "kkv", "kkk", "vvv", "qvv", "vkv")
            ),
            *(
                way(
                    {"project": projecting.with_matrices(letters)},
                    letters,
                    only=CLASSES,
                    rank=2,
                    paired=False,
                )
                for letters in (
                    "kqq",
                    "kqk",
                    "vqv",
                    "vkk",
                    "qvq",
                    "kvv",
                    "vqq",
                    "vvq",
                    "kkq",
                    "qqk",
                    "vvk",
                    "oov",
                    "okv",
                    "qov",
                    "qko",
                    "ooo",
                )
            ),
            way(
                {"out": projecting.output_with("v")},
                "W_v in the place of W_o",
                only=CLASSES,
                rank=2,
            ),
            way(
                {"out": projecting.output_with("q")},
                "W_q in the place of W_o",
                only=CLASSES,
                rank=2,
                paired=False,
            ),
            way(
                {"out": projecting.output_with("k")},
                "W_k in the place of W_o",
                only=CLASSES,
                rank=2,
                paired=False,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="projection-transposed",
            family="projections and heads",
            title="the projection's matrix is transposed",
            does=(
                "Multiplies by the transposed matrix: x @ Wᵀ where x @ W is meant, or a torch "
                "weight used untransposed."
            ),
            example=(
                "x             [[1, 2]]\n"
                "W             [[1, 1], [0, 1]]\n"
                "x @ W, right  [[1, 3]]\n"
                "this bug      [[3, 2]]"
            ),
            hurts=(
                "The shapes fit, because the matrices are square, and a model trained this way "
                "works. But weights loaded from elsewhere give nonsense, and nothing raises."
            ),
            fix=(
                "The contract is x @ W for a plain matrix. nn.Linear stores its weight the other "
                "way round and transposes it itself when you call it."
            ),
            hints=(
                (
                    "Which element of W does the first output get from the second input: [0, 1] "
                    "or [1, 0]?"
                ),
                "Rows of W belong to inputs, columns to outputs.",
                (
                    "Look for .T or swapped letters in einsum; with nn.Linear, call the layer "
                    "rather than its weight."
                ),
            ),
            read=(reading.T_LINEAR, reading.NP_MATMUL),
            no_model="",
        ),
        models=(
            way({"project": projecting.transposed("QKV")}, only=CLASSES),
            *(
                way({"project": projecting.transposed(names)}, names, only=CLASSES, rank=1)
                for names in ("Q", "K", "V", "QK")
            ),
            *(
                way(
                    {"project": projecting.transposed(names)},
                    names,
                    only=CLASSES,
                    rank=2,
                    paired=False,
                )
                for names in ("QV", "KV")
            ),
            *(
                way(
                    {"project": projecting.transposed(names, bias=False)},
                    f"{names}, without the bias",
                    only=CLASSES,
                    rank=2,
                    paired=False,
                    tags=frozenset({"torch"}),
                )
                for names in ("QKV", "QK", "Q", "K", "V")
            ),
        ),
    ),
    Bug(
        card=Card(
            id="projection-activation",
            family="projections and heads",
            title="a non-linearity on Q, K or V",
            does="Puts a ReLU, tanh or another non-linearity on a projection.",
            example=(
                "x            [[1, 2]]\n"
                "W_q          [[1, -1], [0, 0]]\n"
                "Q, right     [[1, -1]]\n"
                "Q, this bug  [[1, 0]]"
            ),
            hurts=(
                "The projections in attention are plain products. A ReLU cuts every negative "
                'number off, so that scores can hardly be negative and "look away from this" can '
                "no longer be expressed."
            ),
            fix=(
                "Leave the products as they are. The non-linearity has its place in the "
                "feed-forward block after attention."
            ),
            hints=(
                "Do your queries contain negative numbers? Should they?",
                "What stands between x @ W and the scores in the equation? Nothing.",
                "Look for relu, maximum, tanh, gelu or a layer with an activation.",
            ),
            read=(reading.ATTENTION, reading.ILLUSTRATED),
            no_model="",
        ),
        models=(
            *(
                way(
                    {"activate": projecting.activated("QKV", f)},
                    f"{name} on Q, K and V",
                    only=CLASSES,
                    paired=name in ("relu", "gelu", "tanh", "sigmoid"),
                )
                for name, f in projecting.NONLINEAR.items()
            ),
            *(
                way(
                    {"activate": projecting.activated(names, f)},
                    f"{name} on {names}",
                    only=CLASSES,
                    rank=1,
                    paired=name == "relu",
                )
                for name, f in projecting.NONLINEAR.items()
                for names in ("V", "Q", "K", "QK", "QV", "KV")
            ),
            *(
                way(
                    {"out": projecting.output_activated(f)},
                    f"{name} after W_o",
                    only=CLASSES,
                    rank=2,
                    paired=False,
                )
                for name, f in projecting.NONLINEAR.items()
            ),
        ),
    ),
    Bug(
        card=Card(
            id="residual-inside",
            family="projections and heads",
            title="the input is added to the result",
            does="Adds the input (or the query) to the result of attention.",
            example=(
                "x         [[1, 2]]\nright     [[3, 4]]  # what attention gives\nthis bug  [[4, 6]]"
            ),
            hurts=(
                "In a transformer the block around attention adds the input, once. If the layer "
                "does it too, it is added twice, and the signal grows with each layer."
            ),
            fix=(
                "Return the projected result alone. The residual connection belongs to the block "
                "that calls it."
            ),
            hints=(
                "With all weights set to 0, is your output 0 or the input?",
                "Which part of a transformer adds x: this layer, or the block around it?",
                "Look at + x near the return line.",
            ),
            read=(reading.RESNET, reading.ANNOTATED),
            no_model="",
        ),
        models=(
            way({"end": projecting.x_added_to_output}, "x, after W_o", only=CLASSES),
            way({"add": projecting.x_added_to_joined}, "x, before W_o", only=CLASSES),
            way({"apply": projecting.added_to_attended("Q")}, "the queries", only=CLASSES),
            way({"apply": projecting.added_to_attended("V")}, "the values", only=CLASSES, rank=1),
            way(
                {"apply": projecting.added_to_attended("Q")},
                "the queries",
                only=GIVEN,
                rank=1,
                paired=False,
            ),
            way(
                {"apply": projecting.added_to_attended("V")},
                "the values",
                only=GIVEN,
                rank=1,
                paired=False,
            ),
        ),
    ),
)
