"""Bugs of the projections into queries, keys and values."""

from __future__ import annotations

from attnpack.terms import Backend

from ..steps import products, projecting
from .entry import Entry
from .ways import GIVEN_KEYS_AND_VALUES, PROJECTS, rare, way
from .where import Where, constructor

BUGS = (
    Entry(
        "value-from-keys",
        models=(
            way({"project": projecting.with_matrices("qkk")}, needs=PROJECTS),
            way({"apply": products.keys_as_values}, "V is K", needs=GIVEN_KEYS_AND_VALUES),
        ),
        equals=("projection-shared",),
    ),
    Entry(
        "value-from-queries",
        models=(
            way({"project": projecting.with_matrices("qkq")}, needs=PROJECTS),
            way({"apply": products.queries_as_values}, "V is Q", needs=GIVEN_KEYS_AND_VALUES),
        ),
        equals=("projection-shared",),
    ),
    Entry(
        "projection-missing",
        needs=PROJECTS,
        models=(
            *(
                way({"project": projecting.not_projected(names)}, names, rank=len(names) - 1)
                for names in ("Q", "K", "V")
            ),
            *(
                way(
                    {"project": projecting.not_projected(names)},
                    names,
                    rank=1,
                    paired=names in ("QKV", "QK"),
                )
                for names in ("QKV", "QK", "QV", "KV")
            ),
        ),
    ),
    Entry(
        "projection-shared",
        needs=PROJECTS,
        where=Where(written=constructor),
        hides_others=True,
        models=(
            *(
                way({"project": projecting.with_matrices(letters)}, letters, rank=1)
                for letters in ("qqq", "qqv", "kkv", "kkk", "vvv", "qvv", "vkv")
            ),
            *(
                rare({"project": projecting.with_matrices(letters)}, letters, rank=2)
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
            way({"out": projecting.output_with("v")}, "W_v in the place of W_o", rank=2),
            rare({"out": projecting.output_with("q")}, "W_q in the place of W_o", rank=2),
            rare({"out": projecting.output_with("k")}, "W_k in the place of W_o", rank=2),
        ),
        equals=("value-from-keys", "value-from-queries"),
    ),
    Entry(
        "projection-transposed",
        needs=PROJECTS,
        models=(
            way({"project": projecting.transposed("QKV")}),
            *(
                way({"project": projecting.transposed(names)}, names, rank=1)
                for names in ("Q", "K", "V", "QK")
            ),
            *(
                rare({"project": projecting.transposed(names)}, names, rank=2)
                for names in ("QV", "KV")
            ),
            *(
                rare(
                    {"project": projecting.transposed(names, bias=False)},
                    f"{names}, without the bias",
                    rank=2,
                    tags=frozenset({"torch"}),
                )
                for names in ("QKV", "QK", "Q", "K", "V")
            ),
        ),
    ),
    Entry(
        "projection-activation",
        needs=PROJECTS,
        models=(
            *(
                way(
                    {"activate": projecting.activated("QKV", f)},
                    f"{name} on Q, K and V",
                    paired=name in ("relu", "gelu", "tanh", "sigmoid"),
                )
                for name, f in projecting.NONLINEAR.items()
            ),
            *(
                way(
                    {"activate": projecting.activated(names, f)},
                    f"{name} on {names}",
                    rank=1,
                    paired=name == "relu",
                )
                for name, f in projecting.NONLINEAR.items()
                for names in ("V", "Q", "K", "QK", "QV", "KV")
            ),
            *(
                rare({"out": projecting.output_activated(f)}, f"{name} after W_o", rank=2)
                for name, f in projecting.NONLINEAR.items()
            ),
            *(
                rare(
                    {
                        "activate": projecting.activated("QKV", f),
                        "out": projecting.output_activated(f),
                    },
                    f"{name} on all four",
                    rank=2,
                )
                for name, f in projecting.NONLINEAR.items()
            ),
        ),
    ),
    Entry(
        "bias-ignored",
        needs=PROJECTS,
        backends=frozenset({Backend.TORCH}),
        models=(
            way(projecting.WITHOUT_BIASES),
            way({"project": projecting.without_biases("QKV")}, "of Q, K and V"),
            way({"out": projecting.output_without_bias}, "of the output"),
            *(
                rare({"project": projecting.without_biases(names)}, f"of {names}")
                for names in ("Q", "V", "QV")  # what is added to K is the same for every key
            ),
        ),
    ),
    Entry(
        "residual-inside",
        models=(
            way({"end": projecting.x_added_to_output}, "x, after W_o", needs=PROJECTS),
            way({"add": projecting.x_added_to_joined}, "x, before W_o", needs=PROJECTS),
            way({"apply": projecting.added_to_attended("Q")}, "the queries", needs=PROJECTS),
            way({"apply": projecting.added_to_attended("V")}, "the values", rank=1, needs=PROJECTS),
            rare(
                {"apply": projecting.added_to_attended("Q")},
                "the queries",
                needs=GIVEN_KEYS_AND_VALUES,
            ),
            rare(
                {"apply": projecting.added_to_attended("V")},
                "the values",
                needs=GIVEN_KEYS_AND_VALUES,
            ),
        ),
    ),
)
