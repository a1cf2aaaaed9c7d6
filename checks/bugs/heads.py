"""Bugs of how many heads there are, and of what each of them sees."""

from __future__ import annotations

from .. import facts
from ..steps import heads
from .entry import Entry
from .ways import HEADED, rare, way
from .where import Where, constructor, division

BUGS = (
    Entry(
        "heads-projection-shared",
        shown_by=facts.cuts_a_matrix,
        where=Where(written=constructor),
        needs=HEADED,
        models=(
            way({"project": heads.one_block_for_all(0)}),
            way({"project": heads.one_square_for_all}, "each head's own slice of x"),
            rare({"project": heads.one_block_for_all(-1)}, "the last block"),
            *(
                rare({"project": heads.one_block_for_all(0, names)}, f"{names} only")
                for names in ("Q", "K", "V", "QK", "KV", "QV")
            ),
            rare(
                {"project": heads.own_square_per_head},
                "each head's own slice of x and block of W",
                rank=2,
            ),
        ),
        equals=("heads-only-first",),
    ),
    Entry(
        "heads-averaged",
        needs=HEADED,
        models=(
            way({"join": heads.averaged_and_tiled}),
            way(heads.reduced_through_first_rows("mean"), "through the first rows of W_o"),
            way({"join": heads.summed_and_tiled}, "summed", rank=1),
            rare(heads.reduced_through_first_rows("sum"), "summed, through the first rows of W_o"),
            rare({"join": heads.averaged_and_repeated}, "each number repeated"),
            rare({"join": heads.averaged_in_front}, "padded with zeros"),
        ),
    ),
    Entry(
        "heads-only-first",
        needs=HEADED,
        models=(
            way({"join": heads.only_head(0, padded=True)}),
            way({"join": heads.only_head(0, padded=False)}, "repeated"),
            way(heads.reduced_through_first_rows("first"), "through the first rows of W_o"),
            way({"join": heads.only_head(-1, padded=True)}, "the last one", rank=1),
            rare({"join": heads.only_head(-1, padded=False)}, "the last one, repeated"),
            rare({"join": heads.head_in_front(-1)}, "the last one, in front"),
            rare(
                heads.reduced_through_first_rows("last"),
                "the last one, through the first rows of W_o",
            ),
            rare({"normalise": heads.weights_of_first_head}, "its weights for all heads", rank=2),
            way(
                {"split": heads.not_split, "join": heads.join_single},
                "one head over the whole width",
                rank=1,
            ),
        ),
        equals=("heads-projection-shared",),
    ),
    Entry("heads-not-dividing", where=Where(written=division, traced=False)),
)
