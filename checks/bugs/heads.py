"""Bugs of how many heads there are, and of what each of them sees."""

from __future__ import annotations

from ..steps import heads
from .entry import Entry
from .ways import HEADED, way

BUGS = (
    Entry(
        "heads-projection-shared",
        models=(
            way({"project": heads.one_block_for_all(0)}, needs=HEADED),
            way({"project": heads.one_square_for_all}, "each head's own slice of x", needs=HEADED),
            way(
                {"project": heads.one_block_for_all(-1)},
                "the last block",
                needs=HEADED,
                rank=1,
                paired=False,
            ),
            *(
                way(
                    {"project": heads.one_block_for_all(0, names)},
                    f"{names} only",
                    needs=HEADED,
                    rank=1,
                    paired=False,
                )
                for names in ("Q", "K", "V", "QK", "KV", "QV")
            ),
            way(
                {"project": heads.own_square_per_head},
                "each head's own slice of x and block of W",
                needs=HEADED,
                rank=2,
                paired=False,
            ),
        ),
        equals=("heads-only-first",),
    ),
    Entry(
        "heads-averaged",
        models=(
            way({"join": heads.averaged_and_tiled}, needs=HEADED),
            way(
                heads.reduced_through_first_rows("mean"),
                "through the first rows of W_o",
                needs=HEADED,
            ),
            way({"join": heads.summed_and_tiled}, "summed", needs=HEADED, rank=1),
            way(
                heads.reduced_through_first_rows("sum"),
                "summed, through the first rows of W_o",
                needs=HEADED,
                rank=1,
                paired=False,
            ),
            way(
                {"join": heads.averaged_and_repeated},
                "each number repeated",
                needs=HEADED,
                rank=1,
                paired=False,
            ),
            way(
                {"join": heads.averaged_in_front},
                "padded with zeros",
                needs=HEADED,
                rank=1,
                paired=False,
            ),
        ),
    ),
    Entry(
        "heads-only-first",
        models=(
            way({"join": heads.only_head(0, padded=True)}, needs=HEADED),
            way({"join": heads.only_head(0, padded=False)}, "repeated", needs=HEADED),
            way(
                heads.reduced_through_first_rows("first"),
                "through the first rows of W_o",
                needs=HEADED,
            ),
            way({"join": heads.only_head(-1, padded=True)}, "the last one", needs=HEADED, rank=1),
            way(
                {"join": heads.only_head(-1, padded=False)},
                "the last one, repeated",
                needs=HEADED,
                rank=1,
                paired=False,
            ),
            way(
                {"join": heads.head_in_front(-1)},
                "the last one, in front",
                needs=HEADED,
                rank=1,
                paired=False,
            ),
            way(
                heads.reduced_through_first_rows("last"),
                "the last one, through the first rows of W_o",
                needs=HEADED,
                rank=1,
                paired=False,
            ),
            way(
                {"normalise": heads.weights_of_first_head},
                "its weights for all heads",
                needs=HEADED,
                rank=2,
                paired=False,
            ),
            way(
                {"split": heads.not_split, "join": heads.join_single},
                "one head over the whole width",
                needs=HEADED,
                rank=1,
            ),
        ),
        equals=("heads-projection-shared",),
    ),
    Entry("heads-not-dividing"),
)
