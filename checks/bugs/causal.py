"""Bugs of which keys a causal mask shows."""

from __future__ import annotations

from ..steps import seeing
from .entry import Entry
from .ways import CAUSAL_FLAG, MAKES_CAUSAL_MASK, rare, way, where_rows_see_nothing

BUGS = (
    Entry(
        "causal-missing",
        models=(
            way({"see": seeing.never}, needs=MAKES_CAUSAL_MASK),
            way(
                {"see": seeing.open_by_default}, "unless it is asked for", rank=1, needs=CAUSAL_FLAG
            ),
            way(
                {"see": seeing.flag_reversed},
                "the flag is read the other way round",
                rank=1,
                needs=CAUSAL_FLAG,
            ),
        ),
        equals=(
            "causal-only-with-mask",
            "causal-buffer-broadcasts",
            "causal-horizon",
            "mask-result-dropped",
        ),
    ),
    Entry("causal-always", models=(way({"see": seeing.even_if_open}, needs=CAUSAL_FLAG),)),
    Entry(
        "causal-inverted",
        models=(
            way(
                {"see": seeing.causal(seeing.upper(0))},
                "keeps the diagonal",
                needs=MAKES_CAUSAL_MASK,
            ),
            way(
                {"see": seeing.causal(seeing.upper(1))},
                "without the diagonal",
                needs=MAKES_CAUSAL_MASK,
            ),
            *where_rows_see_nothing(seeing.upper(1), "without the diagonal"),
            rare(
                {"see": seeing.causal(seeing.anti_diagonal)},
                "flipped left to right",
                rank=2,
                needs=MAKES_CAUSAL_MASK,
            ),
        ),
        equals=("mask-fill-positive",),
    ),
    Entry(
        "causal-strict",
        models=(
            way({"see": seeing.causal(seeing.triangle(-1))}, needs=MAKES_CAUSAL_MASK),
            *where_rows_see_nothing(seeing.triangle(-1)),
            way(
                {"see": seeing.causal(seeing.strict_but_first)},
                "with the first cell open",
                rank=1,
                needs=MAKES_CAUSAL_MASK,
            ),
            rare(
                {"see": seeing.causal(seeing.triangle(-2))},
                "two tokens back",
                rank=2,
                needs=MAKES_CAUSAL_MASK,
            ),
        ),
    ),
    Entry(
        "causal-one-ahead",
        needs=MAKES_CAUSAL_MASK,
        models=(
            way({"see": seeing.causal(seeing.triangle(1))}),
            rare({"see": seeing.causal(seeing.triangle(2))}, "two ahead", rank=2),
        ),
    ),
    Entry(
        "causal-first-row",
        needs=MAKES_CAUSAL_MASK,
        models=(
            way({"see": seeing.causal(seeing.row_for_all(0))}),
            rare({"see": seeing.causal(seeing.middle_row)}, "another row", rank=3),
        ),
    ),
)
