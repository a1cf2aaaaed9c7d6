"""Bugs of splitting a projection into heads and of joining them."""

from __future__ import annotations

from ..steps import heads
from .entry import Entry
from .ways import HEADED, every_order, rare, way

BUGS = (
    Entry(
        "heads-split-by-reshape",
        needs=HEADED,
        models=(
            way({"split": heads.split_by_reshape()}),
            *(
                rare({"split": heads.split_by_reshape(names)}, f"{names} only")
                for names in ("Q", "K", "V", "QK", "KV", "QV")
            ),
        ),
    ),
    Entry(
        "heads-merged-by-reshape",
        models=(way({"join": heads.join_permuted((0, 1, 2, 3))}, needs=HEADED),),
        equals=("heads-merged-wrong-order",),
    ),
    Entry(
        "heads-split-and-merged-by-reshape",
        models=(
            way(
                {"split": heads.split_by_reshape(), "join": heads.join_permuted((0, 1, 2, 3))},
                needs=HEADED,
            ),
        ),
    ),
    Entry(
        "heads-interleaved",
        needs=HEADED,
        models=(
            way(
                {"split": heads.split_interleaved(), "join": heads.join_permuted((0, 2, 3, 1))},
                "and joined the same way",
            ),
            way({"split": heads.split_interleaved()}, "joined in order"),
            *(
                rare({"split": heads.split_interleaved(names)}, f"{names} only")
                for names in ("Q", "K", "V", "QK", "KV", "QV")
            ),
            rare(
                {"split": heads.split_d_k_first, "join": heads.join_d_k_first},
                "as many heads as d_k",
            ),
        ),
    ),
    Entry(
        "heads-merged-wrong-order",
        models=(
            *(
                way(
                    {"join": heads.join_permuted(order)},
                    f"axes {order}",
                    rank=rank,
                    needs=HEADED,
                    paired=rank == 0,
                )
                for order, rank in every_order()
            ),
        ),
        equals=("heads-merged-by-reshape",),
    ),
    Entry(
        "heads-reversed",
        needs=HEADED,
        models=(
            way({"join": heads.join_reversed}),
            way({"join": heads.join_rolled(1)}, "the last head moved to the front", rank=1),
            way({"join": heads.join_rolled(-1)}, "the first head moved to the end", rank=1),
        ),
    ),
)
